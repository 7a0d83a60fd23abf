// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// hypre's structured multigrid as a peer of the Poisson solvers, and the start of programs with hypre.
#pragma once

#include "program_work.hpp"

#include <array>
#include <memory>
#include <string>

namespace karman::perf {

/// Two builds of hypre may be there at the same time.
enum class HypreBuild {
  processors,  ///< without CUDA: as many processes as threads
  cuda         ///< with CUDA: one process
};

/// hypre's solver of that name ("pfmg", "cg_pfmg") on the problem of poisson_source.hpp, with `processes` MPI
/// processes, until max |residual| <= tolerance max |f|. Times solves only, not the set-up. Throws std::runtime_error
/// in builds without MPI, see has_hypre().
std::unique_ptr<Work> hypre_poisson(HypreBuild build, std::string const& solver, std::array<int, 3> const& cells,
                                    double tolerance, int processes);

/// Starts a program with hypre; arguments follow. Errors as above.
ProgramCommand hypre_command(HypreBuild build, std::string const& program, int processes);

/// True if the programs with that hypre were built.
bool has_hypre(HypreBuild build);

}  // namespace karman::perf
