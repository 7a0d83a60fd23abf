// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A grid problem by every solver that takes it.
#pragma once

#include "grid_equations.hpp"
#include "grid_problem.hpp"
#include "record.hpp"
#include <karman/core/communicator.hpp>

namespace karman::campaign {

template <class T>
void solve_grid_problem(GridProblem const& problem, GridEquations const& equations, Communicator const& processes,
                        Record& record);

extern template void solve_grid_problem<float>(GridProblem const&, GridEquations const&, Communicator const&, Record&);
extern template void solve_grid_problem<double>(GridProblem const&, GridEquations const&, Communicator const&, Record&);

}  // namespace karman::campaign
