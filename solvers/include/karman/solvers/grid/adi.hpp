// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Alternating-direction implicit methods: one tridiagonal solve along every line of every axis in turn.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/box_decomposition.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/adi_options.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace karman {

/// ADI as an iteration for the steady problem A x = b, A = Ax + Ay + Az of SevenPoint, one tridiagonal matrix per line
/// and axis. With the residual R = A x - b one iteration adds d to x, in 1, 2 or 3 dimensions n,
///
///     (r - A1) ... (r - An) d = 2 r^(n-1) R,
///
/// which is the method of Peaceman and Rachford in two dimensions and that of Douglas in three. In one dimension it is
/// a direct solve: one iteration with r = 0 and without the 2 (with r > 0 where all sides are closed or periodic, or
/// walls cut off cells in which nothing holds a value). With constant coefficients Ax, Ay, Az commute. In two
/// dimensions a cycle of s parameters by Wachspress reduces the error by about (4 exp(-s pi^2 / ln(4 b / a)))^2. [a, b]
/// are the bounds of the eigenvalues of an axis: iterations grow with ln N. With walls or variable coefficients they do
/// not commute, and the cycle may diverge: the plan tries it, and where it fails takes one parameter that converges: in
/// two dimensions sqrt(a b), which does for any symmetric Ax and Ay (iterations grow with N), in three the smallest
/// tried of 2 sqrt(a b), 4 sqrt(a b), ... or 0.83 b, which does by theory (iterations grow with N^2 at worst).
/// Parameters in the options are taken as they are.
///
/// Singular problems: b loses its mean as in ConjugateGradients, and so does the solution. Cells that walls cut off are
/// singular problems of their own: their part of b must have no mean, or the solve does not converge. The parameter of
/// an iteration follows from its number, so that a continued solve continues in its cycle.
/// solve() allocates no field. Same bits from run to run and for any number of threads.
///
/// The operator gives the processes, all of which make each call. The lines of an axis that is cut move to whole lines
/// and back in every iteration. Then the other one of x and y is cut: cut the axis that has more cells, or y alone.
///
/// Source: D. W. Peaceman and H. H. Rachford, J. SIAM 3 (1955); J. Douglas, Numer. Math. 4 (1962); E. L. Wachspress,
/// J. SIAM 10 (1962).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell and iteration 6 + 2 n reals where a line fits on chip, and n + 1 times the coefficients. Memory: one field
/// and that of the line solves; for each cut axis 3 fields more, and the coefficients again. A process sends and
/// receives its part twice for each cut axis and iteration.
template <ExecutionSpace Exec, Real T>
class Adi {
 public:
  using execution_space = Exec;
  using real = T;

  /// \param space execution space instance
  /// \param a the operator; a copy is kept, which shares its boundary values
  /// \par Cost
  /// With walls or arrays in more than one dimension the parameters are tried.
  /// That costs up to a few cycles of iterations and a temporary field.
  Adi(Exec const& space, SevenPoint<Exec, T> const& a);

  /// One iteration.
  /// \param space execution space instance
  /// \param x in: iterate, out: next iterate
  /// \param rhs right-hand side, without boundary values
  /// \param r parameter, >= 0
  /// \par Synchrony
  /// Asynchronous on `space`.
  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, double r);

  /// Iterates until the residual is small enough.
  /// \param space execution space instance
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return iterations and residuals; a residual that is not finite ends the solve, not converged
  /// \throws std::invalid_argument for wrong extents or options.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    AdiOptions const& options = {});

  /// [a, b] for the non-zero eigenvalues of -Ax, -Ay, -Az together: b a bound by Gershgorin from the coefficients, a
  /// that of an open box, times the smallest open face: a bound without walls, an estimate with them.
  std::array<double, 2> eigenvalue_bounds() const;
  /// The cycle for those bounds, wachspress_parameters with as many as pay, or the one parameter in its place.
  std::vector<double> const& parameters() const;

  /// Bytes of the plan in the memory of `Exec`, without its SevenPoint.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made, where no axis is cut.
  /// \param space execution space instance; its number of threads counts on a host
  /// \param shape shape of the problem
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape);
  /// The most that one of many processes needs, before the plan is made; an upper bound. Not collective.
  /// \param space execution space instance; its number of threads counts on a host
  /// \param shape shape of the whole problem
  /// \param boxes parts of the processes
  /// \throws std::invalid_argument for boxes of another grid.
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape, BoxDecomposition const& boxes);

 private:
  struct State;
  detail::PlanState<State> state_;
};

/// Optimal parameters of Peaceman-Rachford for eigenvalues in [a, b], largest first:
///
///     r_j = b dn((2 j - 1) K / (2 count), k),  k^2 = 1 - (a / b)^2,
///
/// dn the elliptic function of Jacobi and K the complete elliptic integral; r_j r_(count+1-j) = a b.
/// Source: E. L. Wachspress, J. SIAM 11 (1963); W. B. Jordan.
///
/// \param a smallest eigenvalue, > 0
/// \param b largest eigenvalue; any ratio to a
/// \param count number of parameters, at least 1
/// \return the parameters
/// \throws std::invalid_argument unless 0 < a <= b and count >= 1.
std::vector<double> wachspress_parameters(double a, double b, int count);

/// One time step of the heat equation du/dt = A u + f, A = div(a grad .) of SevenPoint with its boundary values, in 1,
/// 2 or 3 dimensions n:
///
///     (1 - dt/2 A1) ... (1 - dt/2 An) d = dt (A u + f),  u <- u + d,
///
/// Crank-Nicolson, Peaceman-Rachford, Douglas-Gunn. Second order in time for f and boundary values at the middle of the
/// step; boundary values that change in time cost some of it in more than one dimension. Stable for every dt where A1,
/// ..., An commute and in two dimensions; dt much above h^2 / a keeps sharp profiles oscillating, as Crank-Nicolson
/// does. The sum of u is conserved with closed or periodic sides. Processes as of Adi.
/// Source: J. Douglas and J. E. Gunn, Numer. Math. 6 (1964).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell and step 6 + 2 n reals where a line fits on chip, and n + 1 times the coefficients. Memory: one field, and
/// for cut axes as of Adi.
template <ExecutionSpace Exec, Real T>
class HeatAdi {
 public:
  using execution_space = Exec;
  using real = T;

  /// \param space execution space instance
  /// \param a the operator; a copy is kept, which shares its boundary values
  HeatAdi(Exec const& space, SevenPoint<Exec, T> const& a);

  /// One time step.
  /// \param space execution space instance
  /// \param u in: the field at the start of the step, out: at its end
  /// \param source f, or an empty View for none
  /// \param dt length of the step, > 0
  /// \throws std::invalid_argument for wrong extents or a dt that is not positive.
  /// \par Synchrony
  /// Asynchronous on `space`.
  void step(Exec const& space, Field<Exec, T> const& u, ConstField<Exec, T> const& source, double dt);

  /// As Adi::workspace_bytes().
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made, as of Adi.
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape);
  /// The most that one of many processes needs, before the plan is made, as of Adi.
  static std::int64_t workspace_bytes(Exec const& space, SevenPointShape const& shape, BoxDecomposition const& boxes);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                   \
  extern template class Adi<Exec, float>;     \
  extern template class Adi<Exec, double>;    \
  extern template class HeatAdi<Exec, float>; \
  extern template class HeatAdi<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
