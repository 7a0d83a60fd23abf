// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The backends of this build, by name, and the step from a name chosen at run time to an execution space type.
#pragma once

#include <karman/core/backend_name.hpp>
#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <utility>

/// Calls MACRO(ExecutionSpace) for every backend of this build; for explicit instantiations.
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
#define KARMAN_FOR_EACH_BACKEND(MACRO) \
  KARMAN_IF_SERIAL(MACRO)              \
  KARMAN_IF_OPENMP(MACRO)              \
  KARMAN_IF_THREADS(MACRO)             \
  KARMAN_IF_CUDA(MACRO)

namespace karman {

/// The backend that an execution space type belongs to.
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

/// True where kernels of `Exec` run on the host's own cores: there a thread is a core with vector registers, on a
/// device it is one lane of many.
template <ExecutionSpace Exec>
inline constexpr bool runs_on_host = bool(Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible);

/// Calls `function(space)` with the default instance of the backend's execution space, and returns what it returns.
/// For programs, which own that choice; the library itself only uses the instances that it is given.
/// Throws std::invalid_argument when the backend is not part of this build.
template <class Function>
decltype(auto) dispatch(Backend backend, Function&& function) {
#define KARMAN_DISPATCH(Exec) \
  if (backend == backend_of<Exec>()) return std::forward<Function>(function)(Exec());
  KARMAN_FOR_EACH_BACKEND(KARMAN_DISPATCH)
#undef KARMAN_DISPATCH
  throw std::invalid_argument("the backend " + std::string(name(backend)) + " is not part of this build");
}

}  // namespace karman
