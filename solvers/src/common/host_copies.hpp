// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of host arrays in the memory of an execution space, and back.
#pragma once

#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::detail {

/// Memory for n values.
template <class Exec, class T>
Kokkos::View<T*, typename Exec::memory_space> allocate(Exec const& space, std::size_t n, char const* label) {
  return Kokkos::View<T*, typename Exec::memory_space>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), n);
}

/// A copy of the values. Fences `space`.
template <class Exec, class T>
Kokkos::View<T*, typename Exec::memory_space> upload(Exec const& space, std::vector<T> const& values,
                                                     char const* label) {
  auto const to = allocate<Exec, T>(space, values.size(), label);
  using Host = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  if (!values.empty()) Kokkos::deep_copy(space, to, Host(values.data(), values.size()));
  compat::fence(space, label);
  return to;
}

/// A copy on the host, in the order of memory. Fences `space`.
template <class Exec, class View>
auto download(Exec const& space, View const& view) {
  using T = typename View::non_const_value_type;
  std::vector<T> values(view.size());
  using Host = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Flat = Kokkos::View<T const*, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  if (!values.empty()) Kokkos::deep_copy(space, Host(values.data(), values.size()), Flat(view.data(), view.size()));
  compat::fence(space, "karman::solvers::download");
  return values;
}

}  // namespace karman::detail
