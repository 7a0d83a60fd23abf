// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Residual and verdict of a solution, independent of its method.
#pragma once

#include "common/host_field.hpp"
#include "poisson/output/poisson_output.hpp"

#include <array>
#include <optional>

namespace karman::poisson {

/// Fetches the solution from its solver, settles its constant, and fills p, residual, largest_residual and error of
/// the result, all computed on the host in double precision. That residual decides whether the outcome has converged
/// and takes the place of the method's own. With e = eps (1 + own weight * max |p| / max |b|), eps of the precision of
/// the case, the round-off of every term:
///   a direct method has converged when it is at most 64 e;
///   an iteration when it is at most the tolerance, or the tolerance + 8 e where the method has met the tolerance by
///   its own residual, which it evaluates in the precision of the case; not when it was stopped. Where b is zero the
///   method's own verdict counts as long as the residual is finite.
/// `breakdown` gives the reason where method and host disagree, and where single precision does not hold b.
void judge(LinearSystem const& system, SolverSettings const& settings, PoissonSolver& solver, SolveResult& result);

/// The first value of p, in storage order, that is not finite: (k, j, i).
std::optional<std::array<int, 3>> find_not_finite(LinearSystem const& system, CellValues const& p);

/// The solution as it is, in the precision of the case.
app::HostField raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver);

}  // namespace karman::poisson
