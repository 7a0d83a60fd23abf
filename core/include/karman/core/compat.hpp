// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What differs between the versions of Kokkos that Karman supports (3.4.01 to 5.x). The only file that may test
/// KOKKOS_VERSION.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

/// Asks the host compiler to vectorise the loop that follows; its iterations must be independent. On a device it
/// means nothing: there the lanes of a warp do that work.
#if defined(__CUDA_ARCH__) || !defined(_OPENMP)
#define KARMAN_SIMD
#else
#define KARMAN_SIMD _Pragma("omp simd")
#endif

namespace karman::compat {

/// Mathematical functions that may be called in kernels.
#if KOKKOS_VERSION < 30700
namespace math = Kokkos::Experimental;
#else
namespace math = Kokkos;
#endif

/// Waits for the work of one instance; the label shows in profiling tools where Kokkos supports it (3.5 and later).
template <class Exec>
void fence(Exec const& space, char const* label) {
#if KOKKOS_VERSION >= 30500
  space.fence(label);
#else
  (void)label;
  space.fence();
#endif
}

/// Opens and closes a profiling region, also when an exception passes.
class ScopedRegion {
 public:
  explicit ScopedRegion(std::string const& name) { Kokkos::Profiling::pushRegion(name); }
  ~ScopedRegion() { Kokkos::Profiling::popRegion(); }
  ScopedRegion(ScopedRegion const&) = delete;
  ScopedRegion& operator=(ScopedRegion const&) = delete;
};

/// The version of the Kokkos that these headers belong to, as "major.minor.patch".
inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + '.' + std::to_string(KOKKOS_VERSION / 100 % 100) + '.' +
         std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace karman::compat
