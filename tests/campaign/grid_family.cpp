// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "families.hpp"
#include "grid_equations.hpp"
#include "grid_solves.hpp"

namespace karman::campaign {

void run_grid_problem(std::uint64_t seed, Communicator const& processes, Record& record) {
  GridProblem problem = random_grid_problem(seed);
  GridEquations const equations(problem);
  record.start("grid", seed, describe(problem));
  if (problem.single) solve_grid_problem<float>(problem, equations, processes, record);
  else solve_grid_problem<double>(problem, equations, processes, record);
}

}  // namespace karman::campaign
