// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Memory of an object, from the allocations that Kokkos reports to its tools.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace karman::test {

/// Memory in use.
struct AllocatedBytes {
  std::int64_t bytes = 0;
  std::int64_t views = 0;  ///< Kokkos rounds the bytes of each up to a multiple of 8
  /// Views of as many bytes as Kokkos 4 reports for an empty View: its header.
  std::int64_t maybe_empty = 0;

  /// Bytes beyond those announced. Where that is the header of empty Views or more, without those headers.
  std::int64_t beyond(std::int64_t announced) const {
    std::int64_t const difference = bytes - announced;
    return difference - header * std::clamp<std::int64_t>(difference / header, 0, maybe_empty);
  }

  static constexpr std::int64_t header = 128;
};

namespace detail {

struct LiveViews {
  std::string space;
  std::map<void const*, std::uint64_t> bytes;
};

inline LiveViews& live_views() {
  static LiveViews live;
  return live;
}

inline void view_made(Kokkos_Profiling_SpaceHandle space, char const* label, void const* at, std::uint64_t bytes) {
  // Team scratch and other memory of Kokkos itself has other labels.
  bool const ours = std::string(label).rfind("karman::", 0) == 0;
  if (ours && bytes > 0 && live_views().space == space.name) live_views().bytes[at] = bytes;
}

inline void view_gone(Kokkos_Profiling_SpaceHandle, char const*, void const* at, std::uint64_t) {
  live_views().bytes.erase(at);
}

/// Begins to count the Views in a memory space; returns the callbacks of Kokkos before.
inline Kokkos::Tools::Experimental::EventSet begin_count(char const* space) {
  namespace tools = Kokkos::Tools::Experimental;
  auto const before = tools::get_callbacks();
  live_views() = {space, {}};
  tools::set_allocate_data_callback(view_made);
  tools::set_deallocate_data_callback(view_gone);
  return before;
}

inline AllocatedBytes end_count(Kokkos::Tools::Experimental::EventSet const& before) {
  Kokkos::Tools::Experimental::set_callbacks(before);
  AllocatedBytes found;
  for (auto const& [at, bytes] : live_views().bytes) {
    found.bytes += static_cast<std::int64_t>(bytes);
    ++found.views;
    if (bytes == AllocatedBytes::header) ++found.maybe_empty;
  }
  return found;
}

}  // namespace detail

/// Views in the memory of `Exec` that run() makes and does not release.
template <class Exec, class Run>
AllocatedBytes allocated_bytes(Run const& run) {
  auto const before = detail::begin_count(Exec::memory_space::name());
  run();
  return detail::end_count(before);
}

}  // namespace karman::test
