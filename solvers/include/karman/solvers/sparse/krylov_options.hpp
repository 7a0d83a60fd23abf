// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of krylov.hpp. Standard library only.
#pragma once

#include <karman/solvers/solve_report.hpp>

#include <functional>
#include <string_view>

namespace karman {

/// Krylov method of a plan.
enum class KrylovMethod {
  cocg,      ///< A and M symmetric, A^T = A (complex symmetric, not Hermitian); one application of A per iteration
  bicgstab,  ///< any A; two applications per iteration
  gmres      ///< any A; one application, and memory for `restart` vectors
};

/// \return readable name of a method
std::string_view name(KrylovMethod method);

/// Set-up of a GeneralKrylov plan.
struct GeneralKrylovSetup {
  KrylovMethod method = KrylovMethod::cocg;  ///< method
  int restart = 50;                          ///< GMRES: vectors after which it restarts
  /// GMRES in double precision: keeps its vectors rounded to float, in half of the memory. A cycle between two restarts
  /// reduces the residual to the rounding of float at best. No effect in single precision.
  bool rounded_basis = false;
};

/// Per-solve options of GeneralKrylov. Norms are 2-norms.
struct GeneralKrylovOptions {
  /// Stop when |b - A x| <= tolerance |b|, or <= tolerance |b - A x0| where b is zero.
  double tolerance = 1e-8;
  /// Number of the last iteration: a solve from first_iteration makes at most max_iterations - first_iteration.
  int max_iterations = 10'000;
  /// Iterations between two checks of the residual; a check waits for the device.
  int check_every = 10;
  /// Number of the first iteration, for a solve that continues an earlier one.
  int first_iteration = 0;
  /// The recursion restarts from x at each iteration whose number is a multiple of this; 0: never. A solve that
  /// continues from such a number has the bits of one that was not interrupted.
  int restart_every = 0;
  /// Ends the solve when this many iterations gave no residual lower than any before; 0: never. The residuals of COCG
  /// and BiCGStab plateau at high wave numbers before they fall.
  int stagnation_after = 2000;
  /// Called at every check, on the host; returning false stops the solve.
  std::function<bool(ResidualSample const&)> monitor = {};
};

}  // namespace karman
