// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The two oldest iterations: Jacobi's, damped, and Gauss-Seidel's in lexicographic order. For comparison and as
/// building blocks; RedBlackSor is the one to use alone.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/grid/relaxation_options.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/linear_operator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Relaxation, the common part of Jacobi and GaussSeidel: sweeps over the cells with
///
///     x <- x + omega (A x - b) / (own weight).
///
/// The operator gives the processes. With many of them all make each call of iterate() and solve(). A monitor
/// that stops the solve in one of them stops it in all.
///
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class Relaxation : public LinearOperator<Exec, T> {
 public:
  using execution_space = Exec;
  using real = T;

  /// Sweeps on x.
  /// \param space execution space instance
  /// \param x in: iterate, out: iterate after the sweeps
  /// \param rhs right-hand side, without boundary values
  /// \param count number of sweeps
  /// \param omega relaxation factor
  /// \par Synchrony
  /// Asynchronous on `space`.
  void iterate(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs, int count, double omega = 1);

  /// Sweeps until the residual is small enough.
  /// \param space execution space instance
  /// \param x in: first guess, out: solution
  /// \param rhs right-hand side, without boundary values
  /// \param options per-solve options
  /// \return iterations and residuals; a residual that is not finite ends the solve, not converged
  /// \throws std::invalid_argument in all processes, for wrong extents or options.
  /// \par Synchrony
  /// Fences `space`.
  SolveReport solve(Exec const& space, Field<Exec, T> const& x, ConstField<Exec, T> const& rhs,
                    RelaxationOptions const& options = {});

  std::array<int, 3> extents() const override;
  Communicator communicator() const override;

  /// Bytes of the plan in the memory of `Exec`, without its SevenPoint. A static member of both classes gives them
  /// before the plan is made.
  std::int64_t workspace_bytes() const;

 protected:
  Relaxation() = default;

  struct State;
  detail::PlanState<State> state_;  ///< data of the plan
};

/// Jacobi's iteration: every cell at once, from the values before the sweep.
///
/// The spectral radius with omega = 1 is rho = 1 - (smallest eigenvalue of -A) / (own weight), about 1 - (pi / N)^2 / 2
/// on a cube of N cells an edge: some N^2 sweeps. With all sides Neumann or periodic and even extents omega = 1 does
/// not converge (the checkerboard has eigenvalue -1): take 2 / 3 to 0.9. Bits as of SevenPoint, for any
/// number of processes; in singular problems b less its mean depends on that number in the last bits.
/// Source: C. G. J. Jacobi, Astronomische Nachrichten 22 (1845).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Three reals and the coefficients per cell and sweep. Memory: one field.
template <ExecutionSpace Exec, Real T>
class Jacobi final : public Relaxation<Exec, T> {
 public:
  /// \param space execution space instance
  /// \param a the operator; a copy is kept, which shares its boundary values
  /// \param omega relaxation factor of apply(), in (0, 2)
  /// \throws std::invalid_argument for another omega.
  Jacobi(Exec const& space, SevenPoint<Exec, T> const& a, double omega = 1);

  /// One sweep from zero as a preconditioner: correction = omega residual / (diagonal of A), with zero boundary values.
  /// Symmetric in the inner product weighted with the thickness of the layers.
  /// \param space execution space instance
  /// \param residual shape (nz, ny, nx)
  /// \param correction shape (nz, ny, nx); may be `residual`
  /// \throws std::invalid_argument for wrong extents.
  /// \par Cost
  /// Two reals per cell moved, and the coefficients.
  /// \par Synchrony
  /// Asynchronous on `space`; allocates nothing.
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override;

  using Relaxation<Exec, T>::workspace_bytes;
  /// Bytes before the plan is made.
  /// \param shape shape of the problem
  static std::int64_t workspace_bytes(SevenPointShape const& shape);

 private:
  struct State;
};

/// Gauss-Seidel's iteration in lexicographic order, i fastest: a cell sees the new values of its neighbours before it
/// (west, south, bottom) and the old ones of those after it.
///
/// Cells with the same i + j + k do not depend on each other and are processed together (on a host: rows with the same
/// j + k), one such plane after the other: the iterates are as in the serial loop on every backend. A sweep is
/// nx + ny + nz - 2 kernels on a device, ny + nz - 1 on a host. Across a periodic seam the first cell sees the old
/// value of the last one. The last one sees the new value of the first. The spectral radius is the square of Jacobi's.
/// Source: P. L. Seidel, Abh. Bayer. Akad. Wiss. 11 (1874).
///
/// \tparam Exec execution space
/// \tparam T float or double
/// \par Cost
/// Per cell and sweep two reads and a write where the planes stay in cache, and the coefficients; on a device the
/// accesses are not contiguous. Memory: one field, for the residual.
template <ExecutionSpace Exec, Real T>
class GaussSeidel final : public Relaxation<Exec, T> {
 public:
  /// \param space execution space instance
  /// \param a the operator; a copy is kept, which shares its boundary values
  /// \param omega relaxation factor of apply(), in (0, 2)
  /// \throws std::invalid_argument for another omega, and for an operator on more than one process: the order of the
  /// cells does not allow them.
  GaussSeidel(Exec const& space, SevenPoint<Exec, T> const& a, double omega = 1);

  /// Two sweeps from zero as a preconditioner, in lexicographic order and back: correction ~ A^-1 residual, with zero
  /// boundary values. The two orders make it symmetric in the inner product weighted with the thickness of the layers
  /// (SSOR).
  /// \param space execution space instance
  /// \param residual shape (nz, ny, nx)
  /// \param correction shape (nz, ny, nx); must not overlap `residual`
  /// \throws std::invalid_argument for wrong extents, and where residual is correction.
  /// \par Cost
  /// That of two sweeps, and one real per cell written.
  /// \par Synchrony
  /// Asynchronous on `space`; allocates nothing.
  /// \par Source
  /// J. W. Sheldon, Math. Tables Aids Comput. 9 (1955).
  void apply(Exec const& space, ConstField<Exec, T> const& residual, Field<Exec, T> const& correction) const override;

  using Relaxation<Exec, T>::workspace_bytes;
  /// Bytes before the plan is made.
  /// \param shape shape of the problem
  static std::int64_t workspace_bytes(SevenPointShape const& shape);

 private:
  struct State;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class Relaxation<Exec, float>;  \
  extern template class Relaxation<Exec, double>; \
  extern template class Jacobi<Exec, float>;      \
  extern template class Jacobi<Exec, double>;     \
  extern template class GaussSeidel<Exec, float>; \
  extern template class GaussSeidel<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
