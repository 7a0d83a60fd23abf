// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of adi.hpp. Standard library only.
#pragma once

#include <karman/solvers/solve_report.hpp>

#include <functional>
#include <vector>

namespace karman {

/// Per-solve options of Adi.
struct AdiOptions {
  /// Parameters r of a cycle, used in turn from the largest to the smallest; empty: parameters() of the plan.
  std::vector<double> parameters = {};
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-6;
  /// Number of the last iteration. A solve that begins at first_iteration makes max_iterations - first_iteration at
  /// most.
  int max_iterations = 1000;
  /// Iterations between two checks of the residual, which every iteration computes in any case; a check waits for the
  /// device.
  int check_every = 1;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// Called at every check, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
