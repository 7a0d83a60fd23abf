// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// FFTW and cuFFT in direct calls: the minimum of a solution by transforms. Without Kokkos.
#pragma once

#include <array>
#include <memory>

namespace karman::perf {

/// Real transforms of every plane (y, x) of a field, into a spectrum and back.
class PlaneTransforms {
 public:
  virtual ~PlaneTransforms() = default;
  virtual void forward_and_backward() = 0;
};

/// `cells` in the order x, y, z. T is float or double; `spectrum` holds cells[0] / 2 + 1 complex numbers per
/// row.
template <class T>
std::unique_ptr<PlaneTransforms> fftw_transforms(std::array<int, 3> const& cells, T* from, void* spectrum, T* to,
                                                 int threads);
template <class T>
std::unique_ptr<PlaneTransforms> cufft_transforms(std::array<int, 3> const& cells, T* from, void* spectrum, T* to,
                                                  void* stream);

/// FFTW or cuFFT; the latter only in builds with CUDA.
template <class T>
std::unique_ptr<PlaneTransforms> plane_transforms(bool on_device, std::array<int, 3> const& cells, T* from,
                                                  void* spectrum, T* to, int threads, void* stream) {
#if defined(KARMAN_PERF_CUFFT)
  if (on_device) return cufft_transforms(cells, from, spectrum, to, stream);
#else
  (void)on_device;
  (void)stream;
#endif
  return fftw_transforms(cells, from, spectrum, to, threads);
}

}  // namespace karman::perf
