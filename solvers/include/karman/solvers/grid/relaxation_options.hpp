// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of relaxation.hpp. Standard library only.
#pragma once

#include <karman/solvers/solve_report.hpp>

#include <functional>

namespace karman {

/// Per-solve options of Jacobi and GaussSeidel.
struct RelaxationOptions {
  /// Relaxation factor, in (0, 2): of Jacobi's iteration 1 or less (above 1 it diverges on fine grids); of
  /// Gauss-Seidel's other values than 1 make it SOR in lexicographic order.
  double omega = 1;
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-6;
  /// Number of the last iteration. A solve that begins at first_iteration makes max_iterations - first_iteration at
  /// most.
  int max_iterations = 100000;
  /// Sweeps between two checks of the residual.
  int check_every = 20;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// Called at every check, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
