// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The innermost loop of a team kernel.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Calls body(i) for i in [begin, end), independent of each other, over the lanes of one thread of a team. On a host
/// these are the vector registers of a core (Kokkos' ThreadVectorRange does not make GCC vectorise). On a device they
/// are the lanes of a warp.
template <ExecutionSpace Exec, class Member, class Body>
KOKKOS_INLINE_FUNCTION void for_each_lane(Member const& member, int begin, int end, Body const& body) {
  if constexpr (bool(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible)) {
    (void)member;
    KARMAN_SIMD
    for (int i = begin; i < end; ++i) body(i);
  } else {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, begin, end), body);
  }
}

}  // namespace karman::detail
