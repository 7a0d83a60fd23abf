// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Direct solution of Poisson's equation on an open box: transforms in x and y, tridiagonal systems in z.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/box_decomposition.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/fast_poisson_options.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>
#include <karman/solvers/grid/seven_point_shape.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Solves a SevenPointProblem without walls and coefficient arrays, A x = rhs, directly. Layers may differ in
/// thickness, and the sides may combine in any way. Along x and y the eigenvectors of the second difference are sines
/// and cosines (see Trigonometric). One tridiagonal system along z is left for each pair of modes; its coefficients are
/// computed where they are needed.
///
/// Views: x and rhs are Field<Exec, T> of shape (nz, ny, nx), contiguous; x may be rhs (the same View), otherwise rhs
/// is kept and must not overlap x. With Neumann or periodic sides only, the problem is singular: solutions exist where
/// b, the right-hand side with the boundary values moved into it, has the mean zero (weighted with the cell volumes).
/// Otherwise that mean is taken from b first, and imbalance() and the residual show it. The solution is then the one
/// with mean zero. Results are the same bits from run to run with FftPlanning::estimate. apply() and solve() allocate
/// nothing.
///
/// With many processes each has its part of the fields, and all make every call, also of imbalance(). Values move to
/// whole columns of modes and back; where x is cut, first to whole rows. Large parts move in slabs along z, beside
/// whose messages other slabs are transformed. The same bits for a number of processes.
///
/// Plans may be moved, not copied; one plan serves one instance at a time. Source: R. W. Hockney, J. ACM 12, 1965; U.
/// Schumann, R. A. Sweet, J. Comput. Phys. 75, 1988.
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// O(log n) flops per cell; docs/fast_poisson.md counts the passes over memory. A process sends and receives its part
/// twice, or where x is cut four times. Memory with many processes: that of 3 parts, 4 with a spectrum, and 3 more
/// where x is cut.
template <ExecutionSpace Exec, Real T>
class FastPoisson final : public LinearOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan.
  /// \param space execution space instance
  /// \param problem grid and sides
  /// \param setup planning of the transforms, and the processes
  /// \throws std::invalid_argument for a problem with walls or coefficient arrays, or whose parts do not fit, and for a
  /// negative number of slabs. With many processes in all of them.
  /// \par Synchrony
  /// Fences `space`.
  FastPoisson(Exec const& space, SevenPointProblem<Exec, T> const& problem, FastPoissonSetup const& setup = {});

  /// Sets the boundary values g of one side, zero at first. A closed side ignores them, also where its axis is absent.
  /// \param space execution space instance
  /// \param side the side
  /// \param values shape (nz, ny) for east and west, (nz, nx) for north and south, (ny, nx) for top and bottom; copied
  /// \throws std::invalid_argument for another shape or a periodic side.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// The solution with the boundary values.
  /// \param space execution space instance
  /// \param x solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return with options.check one iteration and max |residual| / max |b|. converged: the residual is as small as the
  /// precision allows, max |residual| <= 32 eps (max |b| + own weight * max |x|). A value that is not a number is a
  /// breakdown. Without check the residual is NaN and converged false.
  /// \throws std::invalid_argument for wrong extents, and for check where x is rhs.
  /// \par Synchrony
  /// Fences `space` with options.check; asynchronous without. The imbalance of a singular problem costs one more copy
  /// to the host.
  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    FastPoissonOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: x and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& x, ConstPlane<Exec, T> const& rhs,
                    FastPoissonOptions const& options = {});

  /// correction = inverse of the operator times residual, with zero boundary values: a preconditioner for
  /// ConjugateGradients and GeneralKrylov. Symmetric in the inner product weighted with the thickness of the layers.
  /// Of a singular problem the mean is taken from the residual first, and the correction has mean zero.
  /// \param space execution space instance
  /// \param residual shape (nz, ny, nx)
  /// \param correction shape (nz, ny, nx); may be `residual`
  /// \throws std::invalid_argument for wrong extents.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override;

  std::array<int, 3> extents() const override;

  Communicator communicator() const override;

  /// Whether constants are solutions of the homogeneous problem.
  bool singular() const;

  /// Mean of b in the last solve() or apply(), weighted with the cell volumes, which a singular problem cannot match;
  /// 0 for one that is not singular. Unit of rhs. Fences.
  double imbalance(Exec const& space) const;

  /// Number of slabs in which values move between processes; 1 with one process.
  int slabs() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made. Memory within FFTW is not counted. On a device the work areas are predictions of
  /// cuFFT, which the plan may miss a little. With many processes an upper bound for this one; all make the call.
  /// \param shape shape of the problem
  /// \param setup planning of the transforms, and the processes
  /// \throws std::invalid_argument for another form than CoefficientForm::open, and a negative number of slabs.
  static std::int64_t workspace_bytes(SevenPointShape const& shape, FastPoissonSetup const& setup = {});
  /// The most that one of many processes needs, before the plan is made; an upper bound. Not collective.
  /// \param shape shape of the whole problem
  /// \param boxes parts of the processes
  /// \param planning planning of the transforms
  /// \param slabs as of FastPoissonSetup
  /// \throws std::invalid_argument for another form than CoefficientForm::open, boxes of another grid, and a negative
  /// number of slabs.
  static std::int64_t workspace_bytes(SevenPointShape const& shape, BoxDecomposition const& boxes,
                                      FftPlanning planning = FftPlanning::estimate, int slabs = 0);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class FastPoisson<Exec, float>; \
  extern template class FastPoisson<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
