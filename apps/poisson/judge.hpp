// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a solution is worth, whatever the method says of it.
#pragma once

#include "poisson_output.hpp"

#include <array>
#include <optional>

namespace karman::poisson {

/// Fetches the solution from its solver, settles its constant, and fills p, residual, largest_residual and error of
/// the result, all computed on the host in double precision. A direct method has converged when the residual is what
/// rounding may leave: 64 eps (1 + own weight * max |p| / max |b|).
void judge(LinearSystem const& system, Precision precision, PoissonSolver& solver, SolveResult& result);

/// The first value of p, in storage order, that is not finite: (k, j, i).
std::optional<std::array<int, 3>> find_not_finite(LinearSystem const& system, CellValues const& p);

/// The solution as it is, in the precision of the case.
std::vector<std::byte> raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver);

}  // namespace karman::poisson
