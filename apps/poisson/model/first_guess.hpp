// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where a solve starts: an earlier result, or a checkpoint.
#pragma once

#include "common/host_field.hpp"
#include "linear_system.hpp"
#include "solver.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace karman::poisson {

/// A solve as far as it is to be continued from.
struct SolveState {
  int iterations = 0;
  double seconds = 0;
  std::vector<SolveSample> history;
  app::HostField values;  ///< of the precision of the case, (nz, ny, nx)
};

/// A state to start from; without values from zero.
struct FirstGuess {
  SolveState state;
  std::string note;  ///< for the user, may be empty
};

/// Reads a `poisson.h5` of the same extents in either precision, whose p is then a first guess and no more, or a
/// checkpoint of the same case, or its predecessor when it is missing or damaged, whose iteration goes on. Throws
/// FileError, and CaseError for a checkpoint of another case.
FirstGuess read_first_guess(std::filesystem::path const& file, Case const& input, PoissonCase const& poisson_case);

/// Writes a checkpoint. Throws FileError.
void write_poisson_checkpoint(std::filesystem::path const& file, PoissonCase const& poisson_case,
                              SolveState const& state);

}  // namespace karman::poisson
