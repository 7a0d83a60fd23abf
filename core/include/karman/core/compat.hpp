// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Differences between the supported versions of Kokkos (3.4.01 to 5.x). No other file may test KOKKOS_VERSION.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

/// Asks the host compiler to vectorise the loop that follows; its iterations must be independent. On a device it
/// means nothing: there the lanes of a warp do that work.
#if defined(__CUDA_ARCH__) || !defined(_OPENMP)
/// Asks the host compiler to vectorise the next loop. Its iterations must be independent. Has no effect on a device,
/// where the lanes of a warp do that work.
#define KARMAN_SIMD
#else
#define KARMAN_SIMD _Pragma("omp simd")
#endif

/// Differences between versions of Kokkos.
namespace karman::compat {

/// Mathematical functions that may be called in kernels.
#if KOKKOS_VERSION < 30700
/// Mathematical functions for kernels.
namespace math = Kokkos::Experimental;
#else
namespace math = Kokkos;
#endif

/// Memory of the host that kernels of `Exec` reach and that a message library or a card may copy without a detour.
#if defined(KOKKOS_ENABLE_CUDA)
template <class Exec>
using PinnedSpace =
    std::conditional_t<std::is_same_v<Exec, Kokkos::Cuda>, Kokkos::CudaHostPinnedSpace, Kokkos::HostSpace>;
#else
template <class Exec>
using PinnedSpace = Kokkos::HostSpace;
#endif

/// Waits for the work of one instance.
/// \param space instance to wait for
/// \param label name in profiling tools, with Kokkos 3.5 and later
template <class Exec>
void fence(Exec const& space, char const* label) {
#if KOKKOS_VERSION >= 30500
  space.fence(label);
#else
  (void)label;
  space.fence();
#endif
}

/// Profiling region, open for the life of the object; an exception closes it as well.
class ScopedRegion {
 public:
  /// Opens the region.
  explicit ScopedRegion(std::string const& name) { Kokkos::Profiling::pushRegion(name); }
  ~ScopedRegion() { Kokkos::Profiling::popRegion(); }
  ScopedRegion(ScopedRegion const&) = delete;
  ScopedRegion& operator=(ScopedRegion const&) = delete;
};

/// Version of the Kokkos headers, as "major.minor.patch".
inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + '.' + std::to_string(KOKKOS_VERSION / 100 % 100) + '.' +
         std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace karman::compat
