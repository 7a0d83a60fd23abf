// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Direct solution of Poisson's equation, beside the bare Fourier transforms that it contains.
#include "peers/plane_transforms.hpp"
#include "poisson_problem.hpp"
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <array>
#include <limits>
#include <memory>

namespace karman::perf {

namespace {

/// max |p / factor - f|.
template <class Exec, class T>
double largest_difference(Exec const& space, Field<Exec, T> const& p, double factor, Field<Exec, T> const& f) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "karman::perf::difference",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>(space, {0, 0, 0},
                                                   {int(f.extent(0)), int(f.extent(1)), int(f.extent(2))}),
      KOKKOS_LAMBDA(int k, int j, int i, double& worst) {
        double const difference = compat::math::fabs(double(p(k, j, i)) / factor - double(f(k, j, i)));
        if (!(difference <= worst)) worst = difference;
      },
      Kokkos::Max<double>(largest));
  return largest;
}

template <class Exec, class T>
class FastPoissonWork final : public SpaceWork<Exec> {
 public:
  FastPoissonWork(Exec const& space, PoissonCells const& cells, Boundaries const& sides)
      : SpaceWork<Exec>(space),
        grid_(cells, {1, 1, 1}),
        sides_(sides),
        solver_(space, {grid_, sides}),
        p_(allocate<Field<Exec, T>>(space, "karman::perf::p", cells[2], cells[1], cells[0])),
        f_(allocate<Field<Exec, T>>(space, "karman::perf::f", cells[2], cells[1], cells[0])) {
    fill_poisson_source<Exec, T>(space, f_);
    this->fence();
  }

  /// Uses the residual of the operator itself, which shares no code with the solver.
  std::string check(bool spoil) override {
    run();
    Exec const& space = this->space();
    if (spoil) spoil_center<Exec, T>(space, p_);
    SevenPoint<Exec, T> operator_(space, {grid_, sides_});
    Field<Exec, T> const residual =
        allocate<Field<Exec, T>>(space, "karman::perf::residual", p_.extent(0), p_.extent(1), p_.extent(2));
    // Six differences of p, which reaches a few units, each rounded.
    double const tolerance = 4096 * double(std::numeric_limits<T>::epsilon());
    return compare("max |residual|", operator_.largest_residual(space, p_, f_, residual), 0, tolerance);
  }

 protected:
  void run() override { solver_.apply(this->space(), f_, p_); }

 private:
  UniformGrid grid_;
  Boundaries sides_;
  FastPoisson<Exec, T> solver_;
  Field<Exec, T> p_, f_;
};

/// A real transform of every plane and its inverse, by the library alone.
template <class Exec, class T>
class TransformWork final : public SpaceWork<Exec> {
 public:
  TransformWork(Exec const& space, PoissonCells const& cells)
      : SpaceWork<Exec>(space),
        p_(allocate<Field<Exec, T>>(space, "karman::perf::p", cells[2], cells[1], cells[0])),
        f_(allocate<Field<Exec, T>>(space, "karman::perf::f", cells[2], cells[1], cells[0])),
        spectrum_(allocate<Field<Exec, Kokkos::complex<T>>>(space, "karman::perf::spectrum", cells[2], cells[1],
                                                            cells[0] / 2 + 1)),
        factor_(double(cells[0]) * cells[1]) {
    int threads = 1;
    if constexpr (runs_on_host<Exec>) threads = threads_of(space);
    transforms_ =
        plane_transforms<T>(!runs_on_host<Exec>, cells, f_.data(), spectrum_.data(), p_.data(), threads, stream());
    fill_poisson_source<Exec, T>(space, f_);
    this->fence();
  }

  std::string check(bool spoil) override {
    run();
    if (spoil) spoil_center<Exec, T>(this->space(), p_);
    double const difference = largest_difference<Exec, T>(this->space(), p_, spoil ? 1 : factor_, f_);
    return compare("the largest difference after both transforms", difference, 0,
                   64 * double(std::numeric_limits<T>::epsilon()));
  }

 protected:
  void run() override { transforms_->forward_and_backward(); }

 private:
  void* stream() const {
    if constexpr (runs_on_host<Exec>) {
      return nullptr;
    } else {
      return this->space().cuda_stream();
    }
  }

  Field<Exec, T> p_, f_;
  Field<Exec, Kokkos::complex<T>> spectrum_;
  double factor_;
  std::unique_ptr<PlaneTransforms> transforms_;
};

template <class Exec, class T>
Row make_row(PoissonCells const& cells, std::string const& algorithm, std::string const& peer) {
  Row row = poisson_row<Exec, T>(cells, algorithm, peer);
  row.memory_bytes = row.units * sizeof(T) * 5;  // p, f, the spectrum, its workspace
  row.back_to_back = true;
  return row;
}

template <class Exec, class T>
void append_fast(std::vector<Row>& rows, PoissonCells const& cells) {
  Boundaries periodic = Boundaries::all(Boundary::periodic);
  periodic.top = periodic.bottom = Boundary::dirichlet;
  struct Sides {
    std::string name;
    Boundaries sides;
  };
  for (Sides const& s :
       {Sides{"fast_periodic", periodic}, Sides{"fast_dirichlet", Boundaries::all(Boundary::dirichlet)}}) {
    Row row = make_row<Exec, T>(cells, s.name, "");
    Boundaries const sides = s.sides;
    row.prepare = [cells, sides] { return std::make_unique<FastPoissonWork<Exec, T>>(Exec(), cells, sides); };
    rows.push_back(std::move(row));
    if (s.name != "fast_periodic") continue;
    Row peer = make_row<Exec, T>(cells, s.name, runs_on_host<Exec> ? "fftw_alone" : "cufft_alone");
    peer.prepare = [cells] { return std::make_unique<TransformWork<Exec, T>>(Exec(), cells); };
    rows.push_back(std::move(peer));
  }
}

template <class Exec>
void append_fast_poisson(std::vector<Row>& rows, Selection const& selection) {
  int n = 512;
  if constexpr (runs_on_host<Exec>) n = selection.quick ? 96 : 256;
  append_fast<Exec, double>(rows, {n, n, n});
  if (!selection.quick) append_fast<Exec, float>(rows, {n, n, n});
}

}  // namespace

void append_fast_poisson_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_fast_poisson<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
