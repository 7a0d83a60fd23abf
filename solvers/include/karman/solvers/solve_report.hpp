// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Report of an iterative solver.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Residual at one check of a solve.
struct ResidualSample {
  int iteration = 0;    ///< iteration of the check
  double residual = 0;  ///< in the norm of the solver's documentation
};

/// Result of an iterative solve. A solver never prints; it returns this. All solvers stop by the same rules:
/// docs/stopping.md.
struct SolveReport {
  int iterations = 0;      ///< number of iterations, including those before first_iteration; two colours are one sweep
  double residual = 0;     ///< residual of the returned values
  bool converged = false;  ///< residual at or below the tolerance
  bool stopped = false;    ///< stopped by the monitor of the caller before convergence
  double omega = 0;        ///< relaxation factor, where the method has one
  std::vector<ResidualSample> history;  ///< every check, oldest first
  /// |mean of b| / max |b| of a singular problem. The solver takes that mean out of b, because no solution can meet it.
  double imbalance = 0;
  /// Reason for a breakdown ("a value is not a number", ...); empty without one. Never set with `converged`.
  std::string_view breakdown = {};
};

/// Summary on one line: outcome, iterations, residual.
std::string summary(SolveReport const& report);

}  // namespace karman
