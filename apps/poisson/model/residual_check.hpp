// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Result of a solve: its solution, with a residual and a verdict that are independent of its method.
#pragma once

#include "common/fields/host_field.hpp"
#include "linear_system.hpp"
#include "solver.hpp"
#include <karman/core/backend_name.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace karman::poisson {

/// Result of a run beside the system.
struct SolveResult {
  BackendInfo backend;
  Method method = Method::mg_pcg;
  SolveOutcome outcome;
  CellValues p;                 ///< the solution
  CellValues residual;          ///< b - A p of the values that are written, in double precision
  double largest_residual = 0;  ///< max |residual| / max |b|
  double round_off = 0;         ///< estimated bound on the round-off of that residual
  std::string remark;           ///< on a residual above the tolerance that is round-off; else empty
  std::optional<ErrorNorms> error;
  std::int64_t memory_bytes = 0;
  double system_seconds = 0;  ///< time for formulas, files, solid cells
  double set_up_seconds = 0;  ///< time for the plan
};

/// Fetches the solution from its solver and settles its constant. Fills p, residual, largest_residual, round_off,
/// remark and error of the result, all computed on the host in double precision. That residual replaces the method's
/// own and decides on convergence. Let e be RoundOff::unit(), the round-off of every term.
/// - A residual of at most the tolerance has converged.
/// - A direct method has also converged when the residual is at most 64 e.
/// - The limit is tolerance + 8 e where the method's own residual, in the precision of the case, met the tolerance. In
///   double precision RoundOff::acceptable() takes the place of 8 e.
/// - An iteration that ends above the tolerance has converged when the residual is at most RoundOff::acceptable(). The
///   result then has a remark.
/// - An iteration that was stopped has not converged.
/// - Where b is zero, the method's own verdict counts as long as the residual is finite.
/// None of them has converged where plane_error() exceeds 1 %, or ten times the tolerance where that is more.
/// `breakdown` gives the reason where method and host disagree, and where single precision cannot hold b.
void judge(LinearSystem const& system, SolverSettings const& settings, PoissonSolver& solver, SolveResult& result);

/// The first value, in storage order, that is not finite: (k, j, i).
std::optional<std::array<int, 3>> find_not_finite(UniformGrid const& grid, CellValues const& values);
/// The same among the values of all processes, each with a part of the grid: indices of the whole grid. Collective.
std::optional<std::array<int, 3>> find_not_finite(Communicator const& communicator, UniformGrid const& part,
                                                  CellValues const& values);

/// The solution without changes, in the precision of the case.
app::HostField raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver);

}  // namespace karman::poisson
