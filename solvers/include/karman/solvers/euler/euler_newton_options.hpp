// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options and reports of euler_newton.hpp. Standard library only.
#pragma once

#include <karman/solvers/euler/euler_boundary.hpp>

#include <cstdint>
#include <string_view>

namespace karman {

/// Preconditioner of the linear systems, from the Jacobian of the first-order part of the scheme.
enum class EulerPreconditioner {
  block_ilu,           ///< incomplete factors of the 4 x 4 blocks, without fill
  block_gauss_seidel,  ///< coloured symmetric sweeps over the blocks (SSOR, also called LU-SGS)
  block_amg            ///< multigrid over joined nodes, smoothed by incomplete factors: the fewest iterations
};

/// "block_ilu", "block_gauss_seidel" or "block_amg".
std::string_view name(EulerPreconditioner preconditioner);

/// Set-up of an EulerNewton.
struct EulerNewtonSetup {
  EulerPreconditioner preconditioner = EulerPreconditioner::block_ilu;  ///< of the linear systems
  int restart = 60;                                                     ///< GMRES: vectors after which it restarts
  /// Of EulerScheme::supg: share of the dissipation of the preconditioner's matrix that acts along the flow alone, see
  /// EulerJacobianOptions::streamline. 0.5 saves a third of the iterations of an airfoil with 300,000 triangles. With
  /// strong shocks or millions of triangles the march may then stall.
  double streamline = 0;
  EulerState reference{1, {}, 1};  ///< density and pressure that scale the variables; its velocity has no effect
};

/// Options of the steps of an EulerNewton.
struct EulerNewtonOptions {
  double cfl = 10;       ///< local CFL number of the first step
  double cfl_max = 1e8;  ///< largest one
  double growth = 2;     ///< largest ratio of the CFL numbers of two steps
  /// Share of its largest value to which the residual drops with products of the first-order part of the scheme. From
  /// then on products are differences of residuals.
  double switch_at = 0.005;
  /// The same after as many steps in which the least residual has not fallen by a tenth. The rule acts at CFL numbers
  /// above a hundred times `cfl`: flows that begin almost steady get there. It also acts below 0.05 of the largest
  /// residual. Steps at such CFL numbers that leave more than 0.8 of the residual have the same effect: with the
  /// first-order part alone later ones would gain as little.
  int switch_after = 5;
  double rise = 2;                 ///< largest ratio of the residuals of two steps before that
  double linear_tolerance = 0.05;  ///< of the residual of a linear system, relative to its right-hand side
  /// Most iterations of GMRES for a system; the step is then the best one found. More than 0.8 of the residual left:
  /// the next CFL number is half of it.
  int linear_iterations = 60;
  double largest_fall = 0.4;  ///< share by which density and pressure of a node may fall in a step
  int halvings = 4;           ///< of a step, until the residual falls enough; then the CFL number is cut
  int rejections = 8;         ///< cuts of the CFL number in one step; then the march has stalled
  /// Steps in which the least residual may fall by less than a tenth; then the march has stalled. Three times as many
  /// with products of the first-order part: shocks that cross the mesh keep the residual up.
  int patience = 40;
};

/// State of a march between two steps, besides the flow.
struct EulerNewtonState {
  double cfl = 0;      ///< of the next step; 0: that of the options
  double largest = 0;  ///< largest residual so far; at a start also that of a flow far from the steady one
  bool exact = false;  ///< products by differences of residuals
  double least = 0;    ///< least residual so far, as it was when it last fell by a tenth; 0: none
  int idle = 0;        ///< steps since then
};

/// Report of one step.
struct EulerNewtonStep {
  double residual = 0;        ///< before the step, in the norm of EulerNewton
  double next_residual = 0;   ///< after it
  double cfl = 0;             ///< of the step
  double length = 0;          ///< share of the solution of the linear system that was added; 0: none
  int linear_iterations = 0;  ///< of GMRES, also for rejected steps
  int evaluations = 0;        ///< residuals with their projection
  int rejections = 0;         ///< solutions that were dropped, each with a cut of the CFL number
  /// Reason why the flow could not be improved; empty where it was. The flow then is that before the step.
  std::string_view stall = {};
};

}  // namespace karman
