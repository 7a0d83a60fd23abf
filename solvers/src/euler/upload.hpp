// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Copies of host arrays in the memory of an execution space.
#pragma once

#include "plan.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::detail {

/// Memory for n values.
template <class Exec, class T>
EulerArray<Exec, T> room(Exec const& space, std::size_t n, char const* label) {
  return EulerArray<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), n);
}

/// A copy of the values. Fences `space`.
template <class Exec, class T>
EulerArray<Exec, T> upload(Exec const& space, std::vector<T> const& values, char const* label) {
  auto const to = room<Exec, T>(space, values.size(), label);
  using Host = Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  if (!values.empty()) Kokkos::deep_copy(space, to, Host(values.data(), values.size()));
  compat::fence(space, "karman::euler::upload");
  return to;
}

}  // namespace karman::detail
