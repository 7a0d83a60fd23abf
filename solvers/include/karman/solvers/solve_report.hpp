// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What an iterative solver tells its caller.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// One look at the residual during a solve.
struct ResidualSample {
  int iteration = 0;
  double residual = 0;  ///< in the norm, and relative to what, the solver's documentation names
};

/// The end of an iterative solve. A solver never prints; it returns this. The rules by which solves end are the same
/// for all solvers: docs/stopping.md.
struct SolveReport {
  int iterations = 0;                   ///< made, and those before first_iteration; both colours are one sweep
  double residual = 0;                  ///< of the values that were returned
  bool converged = false;               ///< the residual is at or below the tolerance that was asked
  bool stopped = false;                 ///< the caller's monitor asked to stop before convergence
  double omega = 0;                     ///< relaxation factor that was used, where there is one
  std::vector<ResidualSample> history;  ///< every check, oldest first
  /// Of a singular problem: |mean of b| / max |b|, taken out of b before the solve because no solution can meet it.
  double imbalance = 0;
  /// Why the method could not go on ("a value is not a number", ...); empty when it could. Never set with `converged`.
  std::string_view breakdown = {};
};

/// One line for people: how it ended, after how many iterations, with what residual.
std::string summary(SolveReport const& report);

}  // namespace karman
