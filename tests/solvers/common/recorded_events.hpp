// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Events that Kokkos reports to its tools while some code runs: kernels, allocations, copies and fences, with a test
/// for events of Karman.
#pragma once

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// The default instance, and one more where this version of Kokkos can make one.
template <class Exec>
std::vector<Exec> instances(Exec const& space) {
  using namespace Kokkos::Experimental;
  std::vector<Exec> all{space};
  if constexpr (requires { partition_space(space, 1); }) all.push_back(partition_space(space, 1)[0]);
  return all;
}

inline bool is_ours(std::string const& label) { return label.rfind("karman::", 0) == 0; }

/// Kokkos fills a new View with zeros by a kernel or a memset of its own, which it names after the View.
inline bool initialises_ours(std::string const& label) {
  return label.rfind("Kokkos::View::initialization [karman::", 0) == 0;
}

struct RecordedEvent {
  enum class Kind { kernel, allocation, copy, fence };
  Kind kind;
  std::string label;         ///< of a copy: the destination
  std::string source = {};   ///< of a copy
  std::uint32_t device = 0;  ///< of a kernel or a fence: backend and instance, see device_id() of Kokkos Tools
};

namespace detail {

inline std::vector<RecordedEvent>& recorded() {
  static std::vector<RecordedEvent> events;
  return events;
}

/// Kokkos with checks allocates in every thread of a team at once.
inline void keep(RecordedEvent event) {
  static std::mutex mutex;
  std::lock_guard const guard(mutex);
  recorded().push_back(std::move(event));
}

inline void begin_kernel(char const* label, std::uint32_t device, std::uint64_t*) {
  keep({RecordedEvent::Kind::kernel, label, {}, device});
}
inline void allocate(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  // With every team kernel on CUDA Kokkos announces a scratch "allocation" of no bytes, which allocates nothing.
  if (bytes == 0) return;
  keep({RecordedEvent::Kind::allocation, label});
}
inline void begin_copy(Kokkos_Profiling_SpaceHandle, char const* to, void const*, Kokkos_Profiling_SpaceHandle,
                       char const* from, void const*, std::uint64_t) {
  keep({RecordedEvent::Kind::copy, to, from});
}
inline void begin_fence(char const* label, std::uint32_t device, std::uint64_t*) {
  // Kokkos itself waits around each event that it reports to a tool, but not without a tool.
  if (std::string(label).find("Profile Tool Fence") != std::string::npos) return;
  keep({RecordedEvent::Kind::fence, label, {}, device});
}

}  // namespace detail

/// The events while run() runs.
template <class Run>
std::vector<RecordedEvent> record(Run const& run) {
  namespace tools = Kokkos::Tools::Experimental;
  struct Listening {
    tools::EventSet before = tools::get_callbacks();
    Listening() {
      detail::recorded().clear();
      tools::set_begin_parallel_for_callback(detail::begin_kernel);
      tools::set_begin_parallel_reduce_callback(detail::begin_kernel);
      tools::set_begin_parallel_scan_callback(detail::begin_kernel);
      tools::set_allocate_data_callback(detail::allocate);
      tools::set_begin_deep_copy_callback(detail::begin_copy);
      tools::set_begin_fence_callback(detail::begin_fence);
    }
    ~Listening() { tools::set_callbacks(before); }
  };
  {
    Listening const listening;
    run();
  }
  return std::exchange(detail::recorded(), {});
}

/// Expects `least` kernels of Karman or more, all on this instance, and no other event.
template <class Exec>
void expect_kernels_only(Exec const& space, std::vector<RecordedEvent> const& events, int least = 1) {
  int kernels = 0;
  for (auto const& event : events) {
    EXPECT_EQ(event.kind, RecordedEvent::Kind::kernel) << event.label;
    if (event.kind != RecordedEvent::Kind::kernel) continue;
    ++kernels;
    EXPECT_TRUE(is_ours(event.label)) << event.label;
    EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(space)) << event.label;
  }
  EXPECT_GE(kernels, least);
}

}  // namespace karman::test
