// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Karman asks of the types that a caller passes.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace karman {

/// A Kokkos execution space: Kokkos::Serial, Kokkos::OpenMP, Kokkos::Cuda, ...
template <class T>
concept ExecutionSpace = Kokkos::is_execution_space<T>::value;

/// The real types in which every solver exists.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// A Kokkos View whose memory the kernels of `Exec` can reach.
template <class V, class Exec>
concept ViewFor = Kokkos::is_view<V>::value && ExecutionSpace<Exec> &&
                  bool(Kokkos::SpaceAccessibility<Exec, typename V::memory_space>::accessible);

}  // namespace karman
