// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// hypre's structured multigrid as a peer of the Poisson solvers.
#pragma once

#include "../row.hpp"

#include <array>
#include <memory>
#include <string>

namespace karman::perf {

/// hypre's solver of that name ("pfmg", "cg_pfmg") on the problem of poisson_source.hpp, with `processes` MPI
/// processes, until max |residual| <= tolerance max |f|. Times solves only, not the set-up. Throws std::runtime_error
/// in builds without hypre or MPI, see has_hypre().
std::unique_ptr<Work> hypre_poisson(std::string const& solver, std::array<int, 3> const& cells, double tolerance,
                                    int processes);

/// True if karman-perf-hypre was built.
bool has_hypre();

}  // namespace karman::perf
