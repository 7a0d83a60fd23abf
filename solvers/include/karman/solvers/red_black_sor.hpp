// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Red-black successive over-relaxation for the 7-point operator with variable face coefficients.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/solve_report.hpp>
#include <karman/solvers/wall_codes.hpp>

#include <array>
#include <functional>
#include <memory>

namespace karman {

/// How the coefficients are kept. All three give the same iterates up to round-off.
enum class SorStorage {
  coefficients,  ///< arrays e, f, g, h, m, n and, where given, o, p, q; any values
  folded,        ///< six arrays, already divided by the cell's own weight; any values, no division in the sweep
  packed         ///< wall codes, 2 bytes a cell; values that a code can hold
};

/// "coefficients", "folded" or "packed".
std::string_view name(SorStorage storage);

/// What is settled when the plan is made.
struct SorSetup {
  SorStorage storage = SorStorage::packed;  ///< storage of the coefficients
  /// Weights of the second differences in x, y, z: the anisotropy (alpha_1 / alpha_2)^2 of a wind solver goes to z.
  std::array<double, 3> weights = {1, 1, 1};
  /// Axes x, y, z that are periodic: Boundaries::periodic() of the sides that the coefficients were made for. An axis
  /// that is not named here takes their coefficients as those of Boundary::fixed.
  std::array<bool, 3> periodic = {false, false, false};
};

/// What may differ from solve to solve.
struct SorOptions {
  /// Relaxation factor, in (0, 2). 1.78 is the historical default of urban wind codes.
  double omega = 1.78;
  /// Takes the factor that is optimal for an open box of this grid and these sides instead of `omega`.
  bool optimal_omega = false;
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-6;
  /// Number of the last iteration: one that begins at first_iteration makes max_iterations - first_iteration at most.
  int max_iterations = 10000;
  /// Sweeps between two looks at the residual.
  int check_every = 20;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// Called at every check, on the host; returning false stops the solve. May call store().
  std::function<bool(ResidualSample const&)> monitor = {};
};

/// Solves, on a grid of nx * ny * nz cells,
///
///     wx [e (l_E - l) + f (l_W - l)] / dx^2 + wy [g (l_N - l) + h (l_S - l)] / dy^2
///     + wz [m (l_T - l) / dz_t + n (l_B - l) / dz_b] / dz_k = rhs
///
/// for l = lambda by
///
///     l <- (1 - omega) l + omega (sum of coefficient * neighbour - rhs) / (own weight),
///
/// all cells with i + j + k even first, then the odd ones; dz_t, dz_b are the distances between the centres of the
/// layers. A grid of one layer with Neumann top and bottom is the two-dimensional 5-point form, in which nothing of z
/// enters, q neither. Beyond a periodic axis the cells of the opposite side follow, as dz_t and dz_b the mean of the
/// two layers at the seam. With an odd number of cells along it two cells of one colour are neighbours across the seam;
/// those of the last plane are then relaxed after the others of their colour. A periodic axis of one cell is not there.
///
/// Views: lambda and rhs are Field<Exec, T> of shape (nz, ny, nx). lambda in: first guess, out: solution.
/// Inside, each colour has an array of its own, so that every access is contiguous.
/// Preconditions: own weight positive wherever a face is open. With Neumann or periodic on all sides the problem is
/// singular: it has solutions only for a right-hand side that sums to zero (weighted with the cell volumes), otherwise
/// the residual stays above the tolerance; which of them is found, they differ by a constant, depends on the first
/// guess.
/// Cost a cell and iteration: packed 18 B (float) or 34 B (double), folded and coefficients 40 or 80 B, with o, p, q 52
/// or 104 B; about 30 flops, and a division with coefficients. Memory a cell beyond lambda and rhs: 2 Real and the
/// coefficients. A periodic axis adds two small kernels an
/// iteration, with an odd number of cells ten. Results are the same bits from run to run and for any number of threads.
/// solve() allocates nothing. Plans may be moved, not copied; one plan serves one instance at a time. Source: D. M.
/// Young, Iterative Solution of Large Linear Systems, 1971; A. Larson 2008 for the wall coefficients.
template <ExecutionSpace Exec, Real T>
class RedBlackSor {
 public:
  using execution_space = Exec;
  using real = T;

  /// Plan with packed walls; `setup.storage` may ask to expand them. Throws std::invalid_argument for wrong extents or
  /// weights that are not positive, and for a periodic axis with a face of coefficient 2 on its sides.
  RedBlackSor(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& walls, SorSetup const& setup = {});

  /// Plan with coefficient arrays, of any size on a periodic axis. With SorStorage::packed they must be values that a
  /// code can hold.
  RedBlackSor(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients,
              SorSetup const& setup = {SorStorage::folded});

  RedBlackSor(RedBlackSor&&) noexcept;
  RedBlackSor& operator=(RedBlackSor&&) noexcept;
  ~RedBlackSor();

  /// Sets the value g beyond one side (see Boundary), zero at first: shape (nz, ny) for east and west, (nz, nx) for
  /// north and south, (ny, nx) for top and bottom. A closed side ignores them, also where its axis is not there.
  /// Throws std::invalid_argument for another shape or a periodic side. Asynchronous.
  void set_boundary_values(Exec const& space, Side side, ConstPlane<Exec, T> const& values);

  /// load, then sweeps until the residual is small enough, then store. Has fenced `space` when it returns.
  /// Throws std::invalid_argument for wrong extents or options. A residual that is not finite ends the solve at once,
  /// not converged.
  SolveReport solve(Exec const& space, Field<Exec, T> const& lambda, ConstField<Exec, T> const& rhs,
                    SorOptions const& options = {});

  /// The two-dimensional form, on a grid of one layer: lambda and rhs of shape (ny, nx).
  SolveReport solve(Exec const& space, Plane<Exec, T> const& lambda, ConstPlane<Exec, T> const& rhs,
                    SorOptions const& options = {});

  // The steps of solve(), for callers that drive the iteration themselves. All asynchronous but residual().

  /// Takes a first guess and a right-hand side.
  void load(Exec const& space, ConstField<Exec, T> const& lambda, ConstField<Exec, T> const& rhs);
  /// Sweeps over both colours, `count` times.
  void iterate(Exec const& space, int count, double omega);
  /// max |residual| of the present iterate, absolute. Fences.
  double residual(Exec const& space);
  /// max |b|: the residual that lambda = 0 would have. Fences. To be asked after load().
  double right_hand_side_norm(Exec const& space);
  /// Writes the present iterate. Cells that keep their value are written too.
  void store(Exec const& space, Field<Exec, T> const& lambda);

  /// 2 / (1 + sqrt(1 - rho^2)), rho the spectral radius of Jacobi's method on an open box with these extents,
  /// spacings, weights and sides.
  double optimal_omega() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                       \
  extern template class RedBlackSor<Exec, float>; \
  extern template class RedBlackSor<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
