// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Verdict on the claim of a solve, from numbers that are independent of its solver.
#pragma once

#include "record.hpp"
#include <karman/solvers/solve_report.hpp>

#include <string>

namespace karman::campaign {

/// Claimed result of a solve.
struct Claim {
  SolveReport report;
  double tolerance = 0;
  int max_iterations = 0;
  /// Iterations within which theory makes this solve converge; 0: it may give up.
  int required = 0;
};

/// The same solve, measured.
struct Truth {
  bool finite = true;      ///< every number of the solution
  double residual = 0;     ///< of the solution, in the norm of the solver, absolute
  double scale = 1;        ///< reference of the solver's relative residual
  double rounding = 0;     ///< possible difference of the solver's own evaluation of the residual, absolute
  double error = 0;        ///< of the solution against the direct one; 0 where it is not compared
  double error_bound = 0;  ///< largest error that a residual within the tolerance allows
};

/// End and, for failures, the reason.
struct Verdict {
  End end = End::converged;
  std::string reason;
};

Verdict judge(Claim const& claim, Truth const& truth);

}  // namespace karman::campaign
