// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a solve starts: an earlier result, or the checkpoint of a run that was stopped.
#pragma once

#include "linear_system.hpp"
#include "solver.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace karman::poisson {

/// Values of the precision of the case, (nz, ny, nx), and what was counted before.
struct FirstGuess {
  std::vector<std::byte> values;
  int iterations = 0;
  double seconds = 0;
  std::vector<SolveSample> history;
  std::string note;  ///< for the user, may be empty
};

/// Reads a `poisson.h5` of the same extents in either precision, whose p is then a first guess and no more, or a
/// checkpoint of the same case, whose iteration goes on. Throws FileError, and CaseError for a checkpoint of another
/// case.
FirstGuess read_first_guess(std::filesystem::path const& file, Case const& input, PoissonCase const& poisson_case);

/// Writes the checkpoint of a solve that was stopped. Throws FileError.
void write_poisson_checkpoint(std::filesystem::path const& file, PoissonCase const& poisson_case,
                              SolveOutcome const& outcome, std::vector<std::byte> const& values);

}  // namespace karman::poisson
