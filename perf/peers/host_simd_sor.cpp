// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_simd.hpp"
#include "sor_peers.hpp"
#include "split_colors.hpp"

namespace karman::perf {

namespace {

template <class Exec, class T>
class HostSimdSor final : public SorImplementation<Exec, T> {
 public:
  HostSimdSor(Exec const& space, SorProblem const& problem)
      : colors_(space, problem), source_(problem.source()), start_(problem.after(0)) {}

  void load(Exec const& space) override { colors_.fill(space, start_, source_); }

  void iterate(Exec const& space, int count) override {
    SorBox const& box = colors_.box;
    simd::Stencil<T> const stencil{T(box.coefficient(0) / box.weight()), T(box.coefficient(1) / box.weight()),
                                   T(box.coefficient(2) / box.weight()), T(SorBox::omega)};
    for (int n = 0; n < count; ++n) {
      for (int color : {0, 1}) {
        simd::relax_color(colors_.lambda[color].data(), colors_.lambda[1 - color].data(), colors_.rhs[color].data(),
                          box.nx, box.ny, box.nz, colors_.pitch(), color, stencil, threads_of(space));
      }
    }
  }

  double distance(Exec const& space, SorAmplitudes const& expected) override {
    return colors_.distance(space, expected);
  }

 private:
  SplitColors<Exec, T> colors_;
  double source_;
  SorAmplitudes start_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> host_simd_sor(Exec const& space, SorProblem const& problem) {
  return std::make_unique<HostSimdSor<Exec, T>>(space, problem);
}

#define KARMAN_INSTANTIATE(Exec)                                                                                       \
  template std::unique_ptr<SorImplementation<Exec, float>> host_simd_sor<Exec, float>(Exec const&, SorProblem const&); \
  template std::unique_ptr<SorImplementation<Exec, double>> host_simd_sor<Exec, double>(Exec const&, SorProblem const&);
KARMAN_IF_SERIAL(KARMAN_INSTANTIATE)
KARMAN_IF_OPENMP(KARMAN_INSTANTIATE)
KARMAN_IF_THREADS(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
