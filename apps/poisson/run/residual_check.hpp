// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Residual and verdict of a solution, independent of its method.
#pragma once

#include "common/fields/host_field.hpp"
#include "poisson/output/poisson_output.hpp"

#include <array>
#include <optional>

namespace karman::poisson {

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

/// The first value of p, in storage order, that is not finite: (k, j, i).
std::optional<std::array<int, 3>> find_not_finite(LinearSystem const& system, CellValues const& p);

/// The solution without changes, in the precision of the case.
app::HostField raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver);

}  // namespace karman::poisson
