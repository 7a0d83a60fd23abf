// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Backends of this build, and dispatch from a backend chosen at run time to an execution space type.
#pragma once

#include <karman/core/backend_name.hpp>
#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <utility>

#if defined(KOKKOS_ENABLE_SERIAL)
#define KARMAN_IF_SERIAL(MACRO) MACRO(Kokkos::Serial)
#else
#define KARMAN_IF_SERIAL(MACRO)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define KARMAN_IF_OPENMP(MACRO) MACRO(Kokkos::OpenMP)
#else
#define KARMAN_IF_OPENMP(MACRO)
#endif
#if defined(KOKKOS_ENABLE_THREADS)
#define KARMAN_IF_THREADS(MACRO) MACRO(Kokkos::Threads)
#else
#define KARMAN_IF_THREADS(MACRO)
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#define KARMAN_IF_CUDA(MACRO) MACRO(Kokkos::Cuda)
#else
#define KARMAN_IF_CUDA(MACRO)
#endif
/// Calls MACRO(ExecutionSpace) for every backend of this build; for explicit instantiations.
#define KARMAN_FOR_EACH_BACKEND(MACRO) \
  KARMAN_IF_SERIAL(MACRO)              \
  KARMAN_IF_OPENMP(MACRO)              \
  KARMAN_IF_THREADS(MACRO)             \
  KARMAN_IF_CUDA(MACRO)

namespace karman {

/// Backend of an execution space type.
/// \tparam Exec Kokkos execution space
template <ExecutionSpace Exec>
constexpr Backend backend_of() {
#if defined(KOKKOS_ENABLE_OPENMP)
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>) return Backend::openmp;
#endif
#if defined(KOKKOS_ENABLE_THREADS)
  if constexpr (std::is_same_v<Exec, Kokkos::Threads>) return Backend::threads;
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return Backend::cuda;
#endif
  return Backend::serial;
}

/// True where kernels of `Exec` run on the cores of the host. A host thread is a core with vector registers; a device
/// thread is one lane of many.
template <ExecutionSpace Exec>
inline constexpr bool runs_on_host = bool(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible);

/// Calls `function(space)` with the default instance of the execution space of `backend`. For programs only: the
/// library uses only instances of its caller.
/// \param backend one of enabled_backends()
/// \param function callable with an instance of every enabled execution space
/// \return the return value of `function`
/// \throws std::invalid_argument for a backend that is not part of this build
template <class Function>
decltype(auto) dispatch(Backend backend, Function&& function) {
#define KARMAN_DISPATCH(Exec) \
  if (backend == backend_of<Exec>()) return std::forward<Function>(function)(Exec());
  KARMAN_FOR_EACH_BACKEND(KARMAN_DISPATCH)
#undef KARMAN_DISPATCH
  throw std::invalid_argument("the backend " + std::string(name(backend)) + " is not part of this build");
}

}  // namespace karman
