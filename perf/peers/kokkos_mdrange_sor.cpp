// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../space_work.hpp"
#include "sor_peers.hpp"

#include <array>

namespace karman::perf {

namespace {

/// Loop of a user who has read how MDRangePolicy maps indices. The contiguous index comes first and runs fastest, on
/// processors (Iterate::Left) and on CUDA. There threadIdx.x is the first index whatever the order of iteration.
template <class Exec, class T>
struct Interleaved {
  using Array = Kokkos::View<T***, Kokkos::LayoutRight, typename Exec::memory_space>;
  using Policy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>;
  /// On a device a block of 256 threads; on processors Kokkos' own choice, a whole row.
  static constexpr std::array<int, 3> tile = runs_on_host<Exec> ? std::array{0, 0, 0} : std::array{64, 4, 1};
  Array lambda, rhs;
  SorShape<Exec> shape;

  static Policy policy(Exec const& space, int nx, int ny, int nz) {
    return Policy(space, {0, 0, 0}, {nx, ny, nz}, {tile[0], tile[1], tile[2]});
  }

  void fill(Exec const& space, SorBox const& box, SorAmplitudes const& amplitudes, double source) const {
    auto const values = lambda;
    auto const right = rhs;
    auto const v = shape;
    double const red = amplitudes.red, black = amplitudes.black;
    int const nx = box.nx, ny = box.ny, nz = box.nz;
    Kokkos::parallel_for(
        "karman::perf::fill", policy(space, nx + 2, ny + 2, nz + 2), KOKKOS_LAMBDA(int i, int j, int k) {
          bool const inside = k > 0 && k <= nz && j > 0 && j <= ny && i > 0 && i <= nx;
          double const here = inside ? v(k - 1, j - 1, i - 1) : 0.0;
          values(k, j, i) = T(((k + j + i - 3) % 2 == 0 ? red : black) * here);
          right(k, j, i) = T(source * here);
        });
  }

  void relax(Exec const& space, SorBox const& box, int color) const {
    auto const l = lambda;
    auto const b = rhs;
    T const omega = T(SorBox::omega);
    T const cx = T(SorBox::omega * box.coefficient(0) / box.weight());
    T const cy = T(SorBox::omega * box.coefficient(1) / box.weight());
    T const cz = T(SorBox::omega * box.coefficient(2) / box.weight());
    Kokkos::parallel_for(
        "karman::perf::relax", policy(space, box.nx / 2, box.ny, box.nz), KOKKOS_LAMBDA(int m, int j0, int k0) {
          int const k = k0 + 1, j = j0 + 1, i = 2 * m + (k0 + j0 + color) % 2 + 1;
          l(k, j, i) = (1 - omega) * l(k, j, i) + cx * (l(k, j, i + 1) + l(k, j, i - 1)) +
                       cy * (l(k, j + 1, i) + l(k, j - 1, i)) + cz * (l(k + 1, j, i) + l(k - 1, j, i)) -
                       omega * b(k, j, i);
        });
  }

  double distance(Exec const& space, SorBox const& box, SorAmplitudes const& expected) const {
    auto const l = lambda;
    auto const v = shape;
    double const red = expected.red, black = expected.black;
    double largest = 0;
    Kokkos::parallel_reduce(
        "karman::perf::check", policy(space, box.nx, box.ny, box.nz),
        KOKKOS_LAMBDA(int i, int j, int k, double& worst) {
          double const wanted = ((k + j + i) % 2 == 0 ? red : black) * v(k, j, i);
          double const difference = compat::math::fabs(double(l(k + 1, j + 1, i + 1)) - wanted);
          if (!(difference <= worst)) worst = difference;
        },
        Kokkos::Max<double>(largest));
    return largest;
  }
};

template <class Exec, class T>
class KokkosMdrangeSor final : public SorImplementation<Exec, T> {
 public:
  KokkosMdrangeSor(Exec const& space, SorProblem const& problem)
      : box_(problem.box()), source_(problem.source()), start_(problem.after(0)), data_{{}, {}, {space, problem}} {
    using Array = typename Interleaved<Exec, T>::Array;
    data_.lambda = allocate<Array>(space, "karman::perf::lambda", box_.nz + 2, box_.ny + 2, box_.nx + 2);
    data_.rhs = allocate<Array>(space, "karman::perf::rhs", box_.nz + 2, box_.ny + 2, box_.nx + 2);
  }
  void load(Exec const& space) override { data_.fill(space, box_, start_, source_); }
  void iterate(Exec const& space, int count) override {
    for (int n = 0; n < count; ++n) {
      for (int color : {0, 1}) data_.relax(space, box_, color);
    }
  }
  double distance(Exec const& space, SorAmplitudes const& expected) override {
    return data_.distance(space, box_, expected);
  }

 private:
  SorBox box_;
  double source_;
  SorAmplitudes start_;
  Interleaved<Exec, T> data_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<SorImplementation<Exec, T>> kokkos_mdrange_sor(Exec const& space, SorProblem const& problem) {
  return std::make_unique<KokkosMdrangeSor<Exec, T>>(space, problem);
}

#define KARMAN_INSTANTIATE(Exec)                                                                               \
  template std::unique_ptr<SorImplementation<Exec, float>> kokkos_mdrange_sor<Exec, float>(Exec const&,        \
                                                                                           SorProblem const&); \
  template std::unique_ptr<SorImplementation<Exec, double>> kokkos_mdrange_sor<Exec, double>(Exec const&,      \
                                                                                             SorProblem const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf
