// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of conjugate_gradients.hpp. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <functional>

namespace karman {

/// Options of a ConjugateGradients plan.
struct KrylovSetup {
  /// False saves one field and refuses preconditioners.
  bool preconditioned = true;
  /// Processes that hold the parts of the fields; the operator has the same.
  Communicator communicator = {};
};

/// Per-solve options of ConjugateGradients.
struct KrylovOptions {
  /// Stop when max |residual| <= tolerance * max |b|; b is the right-hand side with the boundary values moved into it.
  double tolerance = 1e-6;
  /// Number of the last iteration. A solve that begins at first_iteration makes max_iterations - first_iteration at
  /// most.
  int max_iterations = 1000;
  /// Iterations between two checks of the residual. A check waits for the device; the residual itself costs nothing.
  int check_every = 1;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// The recursion restarts from x at each iteration whose number is a multiple of this; 0: never. A solve that
  /// continues from such a number has the bits of one that was not interrupted.
  int restart_every = 0;
  /// Of a preconditioned solve: takes beta by Polak and Ribiere, -<A p, z> / <p, A p>, instead of Fletcher and Reeves,
  /// <r, z> / <r_old, z_old>. It reads one vector more and tolerates a preconditioner that is not exactly the
  /// same symmetric map in every iteration: one with rounding of a lower precision, or with an iteration inside.
  bool flexible = true;
  /// Called at every check, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
