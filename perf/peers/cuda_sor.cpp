// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sor_peers.hpp"
#include "split_colors.hpp"

namespace karman::perf {

namespace {

/// Constants of a sweep. x, y, z and source are divided by the cell's own weight and multiplied by omega.
template <class T>
struct Constants {
  T keep, x, y, z, source;
};

template <class T>
__global__ void relax_color(T* __restrict__ own, T const* __restrict__ other, T const* __restrict__ rhs, int half,
                            int ny, int pitch, int color, Constants<T> constants) {
  int const m = blockIdx.x * blockDim.x + threadIdx.x;
  int const j = blockIdx.y * blockDim.y + threadIdx.y;
  int const k = blockIdx.z;
  if (m >= half || j >= ny) return;
  long long const layer = (long long)(ny + 2) * pitch;
  long long const c = (k + 1) * layer + (long long)(j + 1) * pitch + m + 1;
  int const shift = (k + j + color) & 1;
  own[c] = constants.keep * own[c] + constants.x * (other[c + shift] + other[c + shift - 1]) +
           constants.y * (other[c + pitch] + other[c - pitch]) + constants.z * (other[c + layer] + other[c - layer]) -
           constants.source * rhs[c];
}

template <class T>
class CudaSor final : public SorImplementation<Kokkos::Cuda, T> {
 public:
  CudaSor(Kokkos::Cuda const& space, SorProblem const& problem)
      : colors_(space, problem), source_(problem.source()), start_(problem.after(0)) {}

  void load(Kokkos::Cuda const& space) override { colors_.fill(space, start_, source_); }

  void iterate(Kokkos::Cuda const& space, int count) override {
    SorBox const& box = colors_.box;
    double const scale = SorBox::omega / box.weight();
    Constants<T> const constants{T(1 - SorBox::omega), T(scale * box.coefficient(0)), T(scale * box.coefficient(1)),
                                 T(scale * box.coefficient(2)), T(SorBox::omega)};
    int const half = box.nx / 2;
    dim3 const block(64, 4, 1);
    dim3 const grid((half + block.x - 1) / block.x, (box.ny + block.y - 1) / block.y, box.nz);
    for (int n = 0; n < count; ++n) {
      for (int color : {0, 1}) {
        relax_color<T><<<grid, block, 0, space.cuda_stream()>>>(
            colors_.lambda[color].data(), colors_.lambda[1 - color].data(), colors_.rhs[color].data(), half, box.ny,
            int(colors_.pitch()), color, constants);
      }
    }
  }

  double distance(Kokkos::Cuda const& space, SorAmplitudes const& expected) override {
    return colors_.distance(space, expected);
  }

 private:
  SplitColors<Kokkos::Cuda, T> colors_;
  double source_;
  SorAmplitudes start_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> cuda_sor(Exec const& space, SorProblem const& problem) {
  return std::make_unique<CudaSor<T>>(space, problem);
}

template std::unique_ptr<SorImplementation<Kokkos::Cuda, float>> cuda_sor<Kokkos::Cuda, float>(Kokkos::Cuda const&,
                                                                                               SorProblem const&);
template std::unique_ptr<SorImplementation<Kokkos::Cuda, double>> cuda_sor<Kokkos::Cuda, double>(Kokkos::Cuda const&,
                                                                                                 SorProblem const&);

}  // namespace karman::perf
