// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solvers whose scaling over processes is measured. A further solver is a class with the members of SorCase, and a
/// line in rows.cpp.
#pragma once

#include "../row.hpp"
#include "../space_work.hpp"
#include "../traffic.hpp"
#include <karman/core/communicator.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>

namespace karman::perf {

/// Messages of one operation, with every neighbour.
struct Messages {
  int exchanges = 0;  ///< one after the other
  double planes = 0;  ///< values of one exchange, as a share of the cells of a face
  int gathers = 0;    ///< collective messages of some numbers
};

/// Iterations of one operation.
constexpr int scaling_iterations = 20;
/// Cells of the grid of the check along x and z, and along y in each process.
constexpr int scaling_check_side = 32;
/// A tolerance that no solve meets: all operations make the same number of iterations.
constexpr double scaling_never = 1e-300;
/// Parts begin at multiples of this number of cells, where there are enough.
constexpr int scaling_multiple = 2;

/// Red-black SOR without walls.
template <class Exec, class T>
class SorCase {
 public:
  static constexpr char const* name = "sor";
  static constexpr int iterations = scaling_iterations;
  /// Per iteration; none where they are unknown: then no overlap is measured.
  static constexpr Messages messages{.exchanges = 2, .planes = 0.5};
  static constexpr int check_side = scaling_check_side, multiple = scaling_multiple;
  /// Memory per cell, six fields at most.
  static constexpr double memory_bytes = 6.0 * sizeof(T);
  /// Largest difference to one process, over the largest value.
  static constexpr double tolerance = 0;

  /// Least traffic per cell and iteration.
  static constexpr double bytes() { return traffic::split_colors(1, sizeof(T), traffic::packed_coefficients); }

  SorCase(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : sor_(space, {grid, Boundaries{}}, {.communicator = processes}) {}

  /// \param x zero
  /// \param rhs right-hand side
  void load(Exec const& space, Field<Exec, T> const& x, Field<Exec, T> const& rhs) { sor_.load(space, x, rhs); }
  /// One operation. Returns the number of its iterations.
  int run(Exec const& space) {
    sor_.iterate(space, iterations, omega);
    return iterations;
  }
  /// \param x solution after the operations
  void store(Exec const& space, Field<Exec, T> const& x) { sor_.store(space, x); }
  /// Counters of the row, of the last operation.
  Figures figures() const { return {}; }

 private:
  static constexpr double omega = 1.5;
  RedBlackSor<Exec, T> sor_;
};

/// Conjugate gradients without a preconditioner. Every operation begins from zero.
template <class Exec, class T>
class CgCase {
 public:
  static constexpr char const* name = "cg";
  static constexpr int iterations = scaling_iterations;
  static constexpr Messages messages{.exchanges = 1, .planes = 1, .gathers = 2};
  static constexpr int check_side = scaling_check_side, multiple = scaling_multiple;
  static constexpr double memory_bytes = 6.0 * sizeof(T);
  /// Sums of processes join in another order. Over 20 iterations that stays within some thousand roundings, the bound
  /// of the tests of this solver.
  static constexpr double tolerance = 4096 * static_cast<double>(std::numeric_limits<T>::epsilon());

  /// Nine reals of the vectors, two of the operator.
  static constexpr double bytes() { return 11.0 * sizeof(T); }

  CgCase(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : a_(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = processes}),
        cg_(space, a_.extents(), {.preconditioned = false, .communicator = processes}) {}

  void load(Exec const&, Field<Exec, T> const& x, Field<Exec, T> const& rhs) {
    x_ = x;
    rhs_ = rhs;
  }
  int run(Exec const& space) {
    Kokkos::deep_copy(space, x_, T(0));
    return cg_
        .solve(space, a_, x_, rhs_,
               {.tolerance = scaling_never, .max_iterations = iterations, .check_every = iterations})
        .iterations;
  }
  void store(Exec const&, Field<Exec, T> const&) {}  // solve() writes x itself
  Figures figures() const { return {}; }

 private:
  SevenPoint<Exec, T> a_;
  ConjugateGradients<Exec, T> cg_;
  Field<Exec, T> x_, rhs_;
};

/// The direct solver, Dirichlet sides. Numbers of slabs other than the automatic one, 0, show how far the messages hide
/// behind transforms; they are measured only by name.
template <class Exec, class T, int slabs>
class FastPoissonInSlabs {
 public:
  static_assert(slabs == 0 || slabs == 1 || slabs == 2 || slabs == 4 || slabs == 8 || slabs == 16);
  static constexpr char const* name = slabs == 0   ? "fast_poisson"
                                      : slabs == 1 ? "fast_poisson_slabs1"
                                      : slabs == 2 ? "fast_poisson_slabs2"
                                      : slabs == 4 ? "fast_poisson_slabs4"
                                      : slabs == 8 ? "fast_poisson_slabs8"
                                                   : "fast_poisson_slabs16";
  static constexpr bool by_name_alone = slabs > 0;
  static constexpr int iterations = 1;
  static constexpr Messages messages{};
  static constexpr int check_side = scaling_check_side, multiple = scaling_multiple;
  /// Two fields. The plan has at most four times the part, and three more where x is cut.
  static constexpr double memory_bytes = 9.0 * sizeof(T);
  static constexpr double tolerance = 256 * static_cast<double>(std::numeric_limits<T>::epsilon());

  /// Minimum of any solver.
  static constexpr double bytes() { return traffic::read_once_write_once(1, sizeof(T)); }

  FastPoissonInSlabs(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : plan_(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = processes, .slabs = slabs}) {}

  void load(Exec const&, Field<Exec, T> const& x, Field<Exec, T> const& rhs) {
    x_ = x;
    rhs_ = rhs;
  }
  int run(Exec const& space) {
    plan_.apply(space, rhs_, x_);
    return iterations;
  }
  void store(Exec const&, Field<Exec, T> const&) {}
  Figures figures() const { return {{"slabs", double(plan_.slabs())}}; }

 private:
  FastPoisson<Exec, T> plan_;
  Field<Exec, T> x_, rhs_;
};

template <class Exec, class T>
using FastPoissonCase = FastPoissonInSlabs<Exec, T, 0>;
template <class Exec, class T>
using FastPoissonCase1 = FastPoissonInSlabs<Exec, T, 1>;
template <class Exec, class T>
using FastPoissonCase2 = FastPoissonInSlabs<Exec, T, 2>;
template <class Exec, class T>
using FastPoissonCase4 = FastPoissonInSlabs<Exec, T, 4>;
template <class Exec, class T>
using FastPoissonCase8 = FastPoissonInSlabs<Exec, T, 8>;
template <class Exec, class T>
using FastPoissonCase16 = FastPoissonInSlabs<Exec, T, 16>;

/// Multigrid, alone or in conjugate gradients, Dirichlet sides. A fixed number of cycles from zero. A solve to a
/// tolerance would hide in its time how many it takes; here the gain of a cycle is a counter.
template <class Exec, class T, bool conjugate_gradients>
class MultigridCase {
 public:
  static constexpr char const* name = conjugate_gradients ? "mg_pcg" : "multigrid";
  /// They reduce the residual of an open box to about 2e-6, ten times the rounding of float.
  static constexpr int iterations = 3;
  static constexpr Messages messages{};
  /// On a device larger, as smaller grids are gathered at once.
  static constexpr int check_side = runs_on_host<Exec> ? scaling_check_side : 128;
  /// Three grids in parts.
  static constexpr int multiple = 8;
  /// Two fields and the plan with its gathered grids, as measured with 64^3 cells in each of three processes.
  static constexpr double memory_bytes = 26 + 8.0 * sizeof(T);
  /// Cycles run in float. The first correction, of the size of x, differs by roundings of it. The second cycle and the
  /// third one each leave 0.04 of such a difference.
  static constexpr double tolerance = 256 * static_cast<double>(std::numeric_limits<float>::epsilon()) *
                                      (sizeof(T) > sizeof(float) ? 0.04 * 0.04 : 1.0);

  /// A V(2,2) with its coarse grids (docs/multigrid.md). With it the vectors of conjugate gradients, or x read and
  /// written, the right-hand side read and the residual written.
  static constexpr double bytes() { return 86 + (conjugate_gradients ? 10.5 : 4.0) * sizeof(T); }

  MultigridCase(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : multigrid_(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = processes}) {}

  void load(Exec const&, Field<Exec, T> const& x, Field<Exec, T> const& rhs) {
    x_ = x;
    rhs_ = rhs;
  }
  int run(Exec const& space) {
    SolveReport const report = multigrid_.solve(space, x_, rhs_,
                                                {.tolerance = scaling_never,
                                                 .max_iterations = iterations,
                                                 .conjugate_gradients = conjugate_gradients,
                                                 .zero_guess = true});
    residual_ = report.residual;
    return report.iterations;
  }
  void store(Exec const&, Field<Exec, T> const&) {}
  Figures figures() const {
    return {{"residual_factor", std::pow(residual_, 1.0 / iterations)},
            {"grids", double(multigrid_.levels().size())},
            {"grids_in_parts", double(multigrid_.levels_in_parts())}};
  }

 private:
  Multigrid<Exec, T> multigrid_;
  Field<Exec, T> x_, rhs_;
  double residual_ = 0;
};

template <class Exec, class T>
using MultigridAloneCase = MultigridCase<Exec, T, false>;
template <class Exec, class T>
using MultigridPcgCase = MultigridCase<Exec, T, true>;

}  // namespace karman::perf
