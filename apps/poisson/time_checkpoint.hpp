// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The state of a problem in time, in memory and on disk.
#pragma once

#include "time_case.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace karman::poisson {

struct TimeState {
  std::vector<std::byte> values;  ///< of the precision of the case, (nz, ny, nx)
  int step = 0;
  double first_content = 0;  ///< of the initial state, see FrameFacts
  double inflow = 0;         ///< until now
};

/// Writes the state. Throws FileError.
void save_time_state(std::filesystem::path const& file, TimeCase const& time_case, TimeState const& state);

/// Reads it for the same case; title, outputs, exact solution and number of steps may differ. Throws FileError, and
/// CaseError with the first difference.
TimeState load_time_state(std::filesystem::path const& file, Case const& input, TimeCase const& time_case);

}  // namespace karman::poisson
