// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solvers whose scaling over processes is measured. A further solver is a class with the members of SorCase, and a
/// line in rows.cpp.
#pragma once

#include "../traffic.hpp"
#include <karman/core/communicator.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <Kokkos_Core.hpp>

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

/// Red-black SOR without walls.
template <class Exec, class T>
class SorCase {
 public:
  static constexpr char const* name = "sor";
  static constexpr int iterations = scaling_iterations;
  /// Per iteration; none where they are unknown: then no overlap is measured.
  static constexpr Messages messages{.exchanges = 2, .planes = 0.5};
  /// Largest difference to one process, over the largest value.
  static constexpr double tolerance = 0;

  /// Least traffic per cell and iteration.
  static constexpr double bytes() { return traffic::split_colors(1, sizeof(T), traffic::packed_coefficients); }

  SorCase(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : sor_(space, {grid, Boundaries{}}, {.communicator = processes}) {}

  /// \param x zero
  /// \param rhs right-hand side
  void load(Exec const& space, Field<Exec, T> const& x, Field<Exec, T> const& rhs) { sor_.load(space, x, rhs); }
  /// One operation.
  void run(Exec const& space) { sor_.iterate(space, iterations, omega); }
  /// \param x solution after the operations
  void store(Exec const& space, Field<Exec, T> const& x) { sor_.store(space, x); }

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
  void run(Exec const& space) {
    Kokkos::deep_copy(space, x_, T(0));
    cg_.solve(space, a_, x_, rhs_, {.tolerance = never, .max_iterations = iterations, .check_every = iterations});
  }
  void store(Exec const&, Field<Exec, T> const&) {}  // solve() writes x itself

 private:
  static constexpr double never = 1e-300;
  SevenPoint<Exec, T> a_;
  ConjugateGradients<Exec, T> cg_;
  Field<Exec, T> x_, rhs_;
};

/// The direct solver, Dirichlet sides.
template <class Exec, class T>
class FastPoissonCase {
 public:
  static constexpr char const* name = "fast_poisson";
  static constexpr int iterations = 1;
  static constexpr Messages messages{};
  static constexpr double tolerance = 256 * static_cast<double>(std::numeric_limits<T>::epsilon());

  /// Minimum of any solver.
  static constexpr double bytes() { return traffic::read_once_write_once(1, sizeof(T)); }

  FastPoissonCase(Exec const& space, UniformGrid const& grid, Communicator const& processes)
      : plan_(space, {grid, Boundaries::all(Boundary::dirichlet)}, {.communicator = processes}) {}

  void load(Exec const&, Field<Exec, T> const& x, Field<Exec, T> const& rhs) {
    x_ = x;
    rhs_ = rhs;
  }
  void run(Exec const& space) { plan_.apply(space, rhs_, x_); }
  void store(Exec const&, Field<Exec, T> const&) {}

 private:
  FastPoisson<Exec, T> plan_;
  Field<Exec, T> x_, rhs_;
};

}  // namespace karman::perf
