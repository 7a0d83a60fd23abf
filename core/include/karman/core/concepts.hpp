// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Requirements on the types of a caller.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

/// Portable PDE solver kernels on Kokkos, and the files of their applications.
namespace karman {

/// Kokkos execution space: Kokkos::Serial, Kokkos::OpenMP, Kokkos::Cuda, ...
template <class T>
concept ExecutionSpace = Kokkos::is_execution_space<T>::value;

/// Real type of a solver: float or double.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// Kokkos View in memory that the kernels of `Exec` can reach.
template <class V, class Exec>
concept ViewFor = Kokkos::is_view<V>::value && ExecutionSpace<Exec> &&
                  bool(Kokkos::SpaceAccessibility<Exec, typename V::memory_space>::accessible);

}  // namespace karman
