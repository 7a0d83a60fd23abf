// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lapack_gtsv.hpp"
#include "tridiagonal_peers.hpp"

#include <stdexcept>

namespace karman::perf {

#if defined(KARMAN_PERF_LAPACK)

namespace {

template <class Exec, class T>
class LapackTridiagonal final : public TridiagonalImplementation<Exec, T> {
 public:
  void run(Exec const& space, TridiagonalBatch<Exec, T> const& batch) override {
    TridiagonalSize const& size = batch.size;
    auto const singular = lapack::solve_all<T>(batch.lower.data(), batch.diagonal.data(), batch.upper.data(),
                                               batch.rhs.data(), batch.solution.data(), size.rows, size.systems,
                                               size.row_stride(), size.system_stride(), threads_of(space));
    if (singular != 0) throw std::runtime_error("gtsv found a singular matrix");
  }
};

template <class Exec, class T>
class LapackSharedMatrix final : public TridiagonalImplementation<Exec, T> {
 public:
  LapackSharedMatrix(Exec const& space, TridiagonalSize const& size)
      : solver_(size.rows, size.systems, threads_of(space)) {}

  void run(Exec const&, TridiagonalBatch<Exec, T> const& batch) override {
    auto const singular = solver_.solve(batch.lower.data(), batch.diagonal.data(), batch.upper.data(), batch.rhs.data(),
                                        batch.solution.data());
    if (singular != 0) throw std::runtime_error("gtsv found a singular matrix");
  }

 private:
  lapack::SharedMatrix<T> solver_;
};

}  // namespace

bool has_lapack() { return true; }

template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_tridiagonal() {
  return [](Exec const&, TridiagonalBatch<Exec, T> const&) { return std::make_unique<LapackTridiagonal<Exec, T>>(); };
}

template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_shared_matrix() {
  return [](Exec const& space, TridiagonalBatch<Exec, T> const& batch) {
    return std::make_unique<LapackSharedMatrix<Exec, T>>(space, batch.size);
  };
}

#else

bool has_lapack() { return false; }

template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_tridiagonal() {
  throw std::logic_error("this build has no LAPACK");
}

template <class Exec, class T>
TridiagonalMaker<Exec, T> lapack_shared_matrix() {
  throw std::logic_error("this build has no LAPACK");
}

#endif

#define KARMAN_INSTANTIATE(Exec)                                              \
  template TridiagonalMaker<Exec, float> lapack_tridiagonal<Exec, float>();   \
  template TridiagonalMaker<Exec, double> lapack_tridiagonal<Exec, double>(); \
  template TridiagonalMaker<Exec, float> lapack_shared_matrix<Exec, float>(); \
  template TridiagonalMaker<Exec, double> lapack_shared_matrix<Exec, double>();
KARMAN_IF_SERIAL(KARMAN_INSTANTIATE)
KARMAN_IF_OPENMP(KARMAN_INSTANTIATE)
KARMAN_IF_THREADS(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
