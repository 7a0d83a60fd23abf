// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Starting state of a solve: an earlier result, or a checkpoint.
#pragma once

#include "common/fields/host_field.hpp"
#include "linear_system.hpp"
#include "solver.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace karman::poisson {

/// State of a solve from which it can continue.
struct SolveState {
  int iterations = 0;
  double seconds = 0;
  std::vector<SolveSample> history;
  app::HostField values;       ///< of the precision of the case, (nz, ny, nx)
  bool double_cycles = false;  ///< PoissonSolver::double_cycles() of the solver to continue
};

/// A starting state. Without values: zero.
struct FirstGuess {
  SolveState state;
  std::string note;  ///< for the user, may be empty
};

/// Reads a `poisson.h5` of the same extents in either precision, whose p is used as first guess. Or reads a checkpoint
/// of the same case and continues its iteration. A missing or damaged checkpoint is replaced by its predecessor. Throws
/// FileError, and CaseError for a checkpoint of another case. Each process reads its cells, whatever number of
/// processes wrote the file. Collective.
FirstGuess read_first_guess(std::filesystem::path const& file, Case const& input, PoissonCase const& poisson_case,
                            LinearSystem const& system);

/// Writes a checkpoint. Throws FileError. Collective.
void write_poisson_checkpoint(std::filesystem::path const& file, PoissonCase const& poisson_case,
                              LinearSystem const& system, SolveState const& state);

}  // namespace karman::poisson
