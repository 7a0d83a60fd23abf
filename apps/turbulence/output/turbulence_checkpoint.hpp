// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of an unfinished run of `karman turbulence` on disk.
#pragma once

#include "mean_spectra.hpp"
#include "turbulence/case/turbulence_case.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::turbulence {

/// A run between two steps.
struct TurbulenceState {
  VorticityMoment moment;
  app::HostField modes;  ///< (ny, nx / 2 + 1, 2), of the precision of the case
  MeanSpectra means;
  std::vector<double> history;      ///< rows, one after the other
  std::vector<double> frame_times;  ///< of the frames in the folder of the checkpoint
  double seconds = 0;               ///< spent on the march
};

/// A state that was read, and one line for the user where the newest checkpoint was unusable.
struct LoadedTurbulence {
  TurbulenceState state;
  std::string note;
};

/// Writes a state. Throws FileError.
void save_turbulence(std::filesystem::path const& file, TurbulenceCase const& turbulence_case,
                     TurbulenceState const& state);

/// Reads the state for the same case; from the predecessor where the checkpoint is missing or damaged. Title, outputs,
/// end, frames and checkpoint_every may differ. Throws CaseError with the first other difference. Throws FileError for
/// a file that is no whole checkpoint of this program.
LoadedTurbulence load_turbulence(std::filesystem::path const& file, Case const& input,
                                 TurbulenceCase const& turbulence_case);

/// Approximate size of a checkpoint, without the rows of the history.
std::int64_t checkpoint_bytes(TurbulenceCase const& turbulence_case);

}  // namespace karman::turbulence
