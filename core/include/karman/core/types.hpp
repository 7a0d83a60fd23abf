// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Storage of structured fields.
#pragma once

#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman {

/// Structured field in the memory of `Exec`, indexed (k, j, i) for (z, y, x), x contiguous on every backend.
template <ExecutionSpace Exec, class T>
using Field = Kokkos::View<T***, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Read-only structured field, indexed as Field.
template <ExecutionSpace Exec, class T>
using ConstField = Kokkos::View<T const***, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Plane of a structured field, or a two-dimensional field, indexed (j, i) for (y, x), x contiguous.
template <ExecutionSpace Exec, class T>
using Plane = Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Read-only plane, indexed as Plane.
template <ExecutionSpace Exec, class T>
using ConstPlane = Kokkos::View<T const**, Kokkos::LayoutRight, typename Exec::memory_space>;

}  // namespace karman
