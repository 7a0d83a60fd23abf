// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of red_black_sor.hpp. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <functional>
#include <string_view>

namespace karman {

/// Storage of the coefficients. All give the same iterates up to round-off.
enum class SorStorage {
  automatic,     ///< packed, or folded for a problem with coefficient arrays
  coefficients,  ///< arrays as in FaceCoefficients; any values
  folded,        ///< six arrays, already divided by the cell's own weight; any values, no division in the sweep
  packed         ///< wall codes, 2 bytes per cell; values that a code can hold
};

/// "automatic", "coefficients", "folded" or "packed".
std::string_view name(SorStorage storage);

/// Options of a RedBlackSor plan.
struct SorSetup {
  /// Storage of the coefficients.
  SorStorage storage = SorStorage::automatic;
  /// Processes that hold the parts of the grid, UniformGrid::part() of the whole. Parts begin at even cells in x and y.
  Communicator communicator = {};
};

/// Per-solve options of RedBlackSor.
struct SorOptions {
  /// Relaxation factor, in (0, 2). 1.78 is the historical default of urban wind codes.
  double omega = 1.78;
  /// Takes the factor that is optimal for an open box of this grid and these sides instead of `omega`.
  bool optimal_omega = false;
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-6;
  /// Number of the last iteration. A solve that begins at first_iteration makes max_iterations - first_iteration at
  /// most.
  int max_iterations = 10000;
  /// Sweeps between two checks of the residual.
  int check_every = 20;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// Called at every check, on the host; returning false stops the solve. May call store().
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
