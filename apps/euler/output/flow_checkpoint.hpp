// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of an unfinished run of `karman euler` on disk.
#pragma once

#include "euler/case/flow_case.hpp"
#include "euler/model/flow_model.hpp"
#include "flow_output.hpp"
#include "history.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::euler {

/// A run between two steps.
struct FlowState {
  FlowTime time;
  app::HostField conservative;  ///< (4, nodes), of the precision of the case
  app::HostField former;        ///< (4 n, nodes), derivatives of a multistep march; empty: none
  FlowAverages averages;
  std::vector<double> history;      ///< rows, one after the other
  double largest_residual = 0;      ///< of them, and of earlier runs; for runs that start from this one
  EarlierRun earlier;               ///< of the start, whose file a restart does not read
  std::vector<double> frame_times;  ///< of the frames in the folder of the checkpoint
  double seconds = 0;               ///< spent on the march
  std::size_t level = 0;            ///< refinements of the mesh, with sequencing
  std::int64_t level_step = 0;      ///< the first step on this level
  /// Changes by floors.
  struct Floors {
    std::int64_t changes = 0;
    double mass = 0, energy = 0;
    int node = -1;  ///< one of the last
  } floors = {};
};

/// A state that was read, and one line for the user where the newest checkpoint was unusable.
struct LoadedFlow {
  FlowState state;
  std::string note;
};

/// Writes a state. `flow_case`: with the mesh of its level. Throws FileError.
void save_flow(std::filesystem::path const& file, FlowCase const& flow_case, FlowState const& state);

/// Reads the state for the same case; from the predecessor where the checkpoint is missing or damaged. Title, outputs,
/// end, frames, limits of a steady march and checkpoint_every may differ. Throws CaseError with the first other
/// difference. Throws FileError for a file that is no whole checkpoint of this program, and for a mesh file with other
/// content.
LoadedFlow load_flow(std::filesystem::path const& file, Case const& input, FlowCase const& whole_case);

/// Approximate size of a checkpoint, without the rows of the history.
std::int64_t checkpoint_bytes(FlowCase const& flow_case);

}  // namespace karman::euler
