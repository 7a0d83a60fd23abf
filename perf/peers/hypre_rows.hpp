// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// hypre's multigrid as a peer: structured for the Poisson solvers, algebraic for sparse matrices.
#pragma once

#include "../amg_source.hpp"
#include "../row.hpp"

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

/// BoomerAMG in conjugate gradients on the problem of amg_source.hpp, in double, until |residual| <= tolerance |b|.
/// Times one operation, "setup" or "solve". Processes and errors as above.
std::unique_ptr<Work> hypre_amg(HypreBuild build, std::string const& operation, AmgGrid const& grid, int aggressive,
                                double tolerance, int processes);

/// True if the programs with that hypre were built.
bool has_hypre(HypreBuild build);

}  // namespace karman::perf
