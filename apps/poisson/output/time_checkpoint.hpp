// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of a time-dependent problem, in memory and on disk.
#pragma once

#include "frames.hpp"
#include "poisson/case/time_case.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::poisson {

struct TimeState {
  app::HostField values;  ///< in the cells of this process, of the precision of the case, (nz, ny, nx)
  int step = 0;
  double first_content = 0;          ///< of the initial state, see FrameFacts
  double inflow = 0;                 ///< until now
  double excess = 0;                 ///< the largest until now, see StepCheck
  std::vector<FrameSegment> frames;  ///< until now, in the folder of the checkpoint
};

/// A state that was read, and one line for the user where the newest checkpoint could not be read.
struct LoadedState {
  TimeState state;
  std::string note;
};

/// Writes the state. The files of its frames must be durable. Throws FileError. Collective.
void save_time_state(std::filesystem::path const& file, TimeCase const& time_case, TimeState const& state);

/// Reads the state for the same case. Falls back to the predecessor of a missing or damaged checkpoint. Title, outputs,
/// exact solution, number of steps and checkpoint_every may differ. The result names the frames without reading them.
/// Throws FileError, and CaseError with the first difference. Each process reads its cells, whatever number of
/// processes wrote them. Collective.
LoadedState load_time_state(std::filesystem::path const& file, Case const& input, TimeCase const& time_case);

}  // namespace karman::poisson
