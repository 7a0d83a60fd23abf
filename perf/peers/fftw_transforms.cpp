// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plane_transforms.hpp"

#include <fftw3.h>

#include <stdexcept>

namespace karman::perf {

namespace {

#define KARMAN_PERF_FFTW(T, Name, prefix)                                                                              \
  class Name final : public PlaneTransforms {                                                                          \
   public:                                                                                                             \
    Name(std::array<int, 3> const& cells, T* from, void* spectrum, T* to, int threads) {                               \
      int const n[2] = {cells[1], cells[0]};                                                                           \
      int const plane = cells[0] * cells[1], half = (cells[0] / 2 + 1) * cells[1];                                     \
      auto* const values = static_cast<prefix##_complex*>(spectrum);                                                   \
      prefix##_init_threads();                                                                                         \
      prefix##_plan_with_nthreads(threads);                                                                            \
      forward_ =                                                                                                       \
          prefix##_plan_many_dft_r2c(2, n, cells[2], from, nullptr, 1, plane, values, nullptr, 1, half, FFTW_MEASURE); \
      backward_ =                                                                                                      \
          prefix##_plan_many_dft_c2r(2, n, cells[2], values, nullptr, 1, half, to, nullptr, 1, plane, FFTW_MEASURE);   \
      prefix##_plan_with_nthreads(1);                                                                                  \
      if (forward_ == nullptr || backward_ == nullptr) throw std::runtime_error("FFTW has no plan");                   \
    }                                                                                                                  \
    ~Name() override {                                                                                                 \
      prefix##_destroy_plan(forward_);                                                                                 \
      prefix##_destroy_plan(backward_);                                                                                \
    }                                                                                                                  \
    void forward_and_backward() override {                                                                             \
      prefix##_execute(forward_);                                                                                      \
      prefix##_execute(backward_);                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
   private:                                                                                                            \
    prefix##_plan forward_ = nullptr, backward_ = nullptr;                                                             \
  };
KARMAN_PERF_FFTW(double, FftwDouble, fftw)
KARMAN_PERF_FFTW(float, FftwFloat, fftwf)
#undef KARMAN_PERF_FFTW

}  // namespace

template <>
std::unique_ptr<PlaneTransforms> fftw_transforms(std::array<int, 3> const& cells, double* from, void* spectrum,
                                                 double* to, int threads) {
  return std::make_unique<FftwDouble>(cells, from, spectrum, to, threads);
}
template <>
std::unique_ptr<PlaneTransforms> fftw_transforms(std::array<int, 3> const& cells, float* from, void* spectrum,
                                                 float* to, int threads) {
  return std::make_unique<FftwFloat>(cells, from, spectrum, to, threads);
}

}  // namespace karman::perf
