// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Direct solution of Poisson's equation on an open box: transforms in x and y, tridiagonal systems in z.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/fft.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/wall_codes.hpp>

#include <array>
#include <cstdint>
#include <memory>

namespace karman {

/// What is settled when the plan is made.
struct FastPoissonSetup {
  /// Weights of the second differences in x, y, z.
  std::array<double, 3> weights = {1, 1, 1};
  FftPlanning planning = FftPlanning::estimate;  ///< choice of the algorithm by FFTW
};

/// What may differ from solve to solve.
struct FastPoissonOptions {
  /// Measures the residual of the solution, at the price of one more pass over both fields and a fence. Not possible
  /// where lambda is rhs.
  bool check = true;
};

/// Solves, on a grid of nx * ny * nz cells without walls,
///
///     wx [(l_E - l) + (l_W - l)] / dx^2 + wy [(l_N - l) + (l_S - l)] / dy^2
///     + wz [(l_T - l) / dz_t + (l_B - l) / dz_b] / dz_k = rhs
///
/// for l = lambda, directly: the equation of RedBlackSor with every inner face open. Layers may differ in thickness.
/// On the sides the coefficients of Boundary hold, in any combination; a periodic axis is so on both sides.
/// Along x and y the eigenvectors of the second difference are sines and cosines (see Trigonometric). One tridiagonal
/// system along z remains for each pair of modes; its coefficients are computed on the fly. dz_t, dz_b are the
/// distances between the centres of the layers, across a periodic seam the mean of its two layers. An axis of one cell
/// that is closed or periodic is missing, as in SevenPoint: nothing of it enters. A grid of one layer is then
/// two-dimensional, one of a single row one-dimensional.
///
/// Views: lambda and rhs are Field<Exec, T> of shape (nz, ny, nx); lambda may be rhs (the same View), otherwise rhs is
/// kept and must not overlap lambda.
/// With Neumann or periodic sides only, the problem is singular: solutions exist where b, the right-hand side with the
/// boundary values moved into it, has the mean zero (weighted with the cell volumes). Otherwise that mean is taken
/// from b first, and imbalance() and the residual show it. The solution is then the one with mean zero.
/// Cost: O(log n) flops a cell; the passes over memory are counted in docs/fast_poisson.md. apply() and solve()
/// allocate nothing. Results are the same bits from run to run with FftPlanning::estimate. Plans may be moved, not
/// copied; one plan serves one instance at a time. Source: R. W. Hockney, J. ACM 12, 1965; U. Schumann, R. A. Sweet, J.
/// Comput. Phys. 75, 1988.
template <ExecutionSpace Exec, Real T>
class FastPoisson {
 public:
  using execution_space = Exec;
  using real = T;

  /// Throws std::invalid_argument for weights that are not positive and for an axis that is periodic on one side only.
  FastPoisson(Exec const& space, UniformGrid const& grid, Boundaries const& boundaries,
              FastPoissonSetup const& setup = {});
  FastPoisson(FastPoisson&&) noexcept;
  FastPoisson& operator=(FastPoisson&&) noexcept;
  ~FastPoisson();

  /// Sets the value g beyond one side (see Boundary), zero at first: shape (nz, ny) for east and west, (nz, nx) for
  /// north and south, (ny, nx) for top and bottom. Copied. A closed side ignores them, also where its axis is missing.
  /// Throws std::invalid_argument for another shape or a periodic side. Asynchronous.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// The solution with the boundary values. With options.check it has fenced `space` and reports one iteration and
  /// max |residual| / max |b|; converged says that it is as small as the precision allows:
  /// max |residual| <= 32 eps (max |b| + own weight * max |lambda|); a value that is not a number is a breakdown, and
  /// the imbalance of a singular problem costs one more copy to the host. Without check it is asynchronous, the
  /// residual is NaN and converged false: nothing was looked at. Throws std::invalid_argument for wrong extents, and
  /// for check where lambda is rhs.
  SolveReport solve(Exec const& space, Field<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                    FastPoissonOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: lambda and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& lambda, ConstPlane<Exec, T> const& rhs,
                    FastPoissonOptions const& options = {});

  /// correction = inverse of the operator times residual, with boundary values zero whatever was set: linear, so that
  /// it may precondition an iteration. correction may be residual. Asynchronous.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction);

  /// Whether constants are solutions of the homogeneous problem.
  bool singular() const;

  /// Mean of b in the last solve() or apply(), weighted with the cell volumes, which a singular problem cannot match;
  /// 0 for one that is not singular. Unit of rhs. Fences.
  double imbalance(Exec const& space) const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class FastPoisson<Exec, float>; \
  extern template class FastPoisson<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
