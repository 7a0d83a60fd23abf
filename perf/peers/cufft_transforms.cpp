// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plane_transforms.hpp"

#include <cufft.h>

#include <stdexcept>
#include <string>
#include <type_traits>

namespace karman::perf {

namespace {

void check(cufftResult result) {
  if (result != CUFFT_SUCCESS) throw std::runtime_error("cuFFT failed with code " + std::to_string(int(result)));
}

template <class T>
class Cufft final : public PlaneTransforms {
 public:
  Cufft(std::array<int, 3> const& cells, T* from, void* spectrum, T* to, void* stream)
      : from_(from), spectrum_(spectrum), to_(to) {
    int n[2] = {cells[1], cells[0]};
    int const plane = cells[0] * cells[1], half = (cells[0] / 2 + 1) * cells[1];
    check(
        cufftPlanMany(&forward_, 2, n, nullptr, 1, plane, nullptr, 1, half, single ? CUFFT_R2C : CUFFT_D2Z, cells[2]));
    check(
        cufftPlanMany(&backward_, 2, n, nullptr, 1, half, nullptr, 1, plane, single ? CUFFT_C2R : CUFFT_Z2D, cells[2]));
    check(cufftSetStream(forward_, static_cast<cudaStream_t>(stream)));
    check(cufftSetStream(backward_, static_cast<cudaStream_t>(stream)));
  }
  ~Cufft() override {
    cufftDestroy(forward_);
    cufftDestroy(backward_);
  }

  void forward_and_backward() override {
    if constexpr (single) {
      check(cufftExecR2C(forward_, from_, static_cast<cufftComplex*>(spectrum_)));
      check(cufftExecC2R(backward_, static_cast<cufftComplex*>(spectrum_), to_));
    } else {
      check(cufftExecD2Z(forward_, from_, static_cast<cufftDoubleComplex*>(spectrum_)));
      check(cufftExecZ2D(backward_, static_cast<cufftDoubleComplex*>(spectrum_), to_));
    }
  }

 private:
  static constexpr bool single = std::is_same_v<T, float>;
  T* from_;
  void* spectrum_;
  T* to_;
  cufftHandle forward_ = 0, backward_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<PlaneTransforms> cufft_transforms(std::array<int, 3> const& cells, T* from, void* spectrum, T* to,
                                                  void* stream) {
  return std::make_unique<Cufft<T>>(cells, from, spectrum, to, stream);
}
template std::unique_ptr<PlaneTransforms> cufft_transforms(std::array<int, 3> const&, float*, void*, float*, void*);
template std::unique_ptr<PlaneTransforms> cufft_transforms(std::array<int, 3> const&, double*, void*, double*, void*);

}  // namespace karman::perf
