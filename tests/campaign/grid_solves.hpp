// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A grid problem by every solver that takes it.
#pragma once

#include "grid_equations.hpp"
#include "grid_problem.hpp"
#include "record.hpp"

namespace karman::campaign {

template <class T>
void solve_grid_problem(GridProblem const& problem, GridEquations const& equations, Record& record);

extern template void solve_grid_problem<float>(GridProblem const&, GridEquations const&, Record&);
extern template void solve_grid_problem<double>(GridProblem const&, GridEquations const&, Record&);

}  // namespace karman::campaign
