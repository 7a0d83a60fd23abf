// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of an unfinished run of `karman waves` on disk.
#pragma once

#include "wave_output.hpp"
#include "waves/model/wave_snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Values of finished components whose fields the output holds. WaveModel::set_values() restores the fields.
struct KeptWaves {
  std::vector<std::size_t> components;  ///< ascending
  WaveValues values;                    ///< one component after the other, `breaking` and `share` too
  std::vector<WaveReport> reports;      ///< only `converged` and `solver`

  /// Appends a component. `expected`: greatest number of components; the first call reserves memory for them.
  void add(std::size_t component, WaveValues const& one, WaveReport const& report, std::size_t expected);
  /// Values of components[n].
  WaveValues values_of(std::size_t n) const;
};

/// A component that did not converge.
struct WaveTrouble {
  std::size_t component = 0;
  std::string reason;
};

/// State of a run between two linear systems, beside the rows of its output.
struct WaveProgress {
  KeptWaves kept;
  std::vector<WaveTrouble> troubles;
  std::optional<WaveSnapshot> at_work;  ///< the unfinished solve: one component, or all of a sea
  double seconds = 0;                   ///< spent on solves
};

/// A state that was read, and one line for the user where the newest checkpoint was unusable.
struct LoadedWaves {
  OutputRecord output;
  WaveProgress progress;
  std::string note;
};

/// Writes the state of a run whose finished components are in `output`. Throws FileError.
void save_progress(std::filesystem::path const& file, WaveCase const& wave_case, OutputRecord const& output,
                   WaveProgress const& progress);

/// Reads the state for the same case; from the predecessor where the checkpoint is missing or damaged. Title, sections,
/// checkpoint_every, the limit of Picard iterations and outputs except /outputs/components may differ. Throws CaseError
/// with the first other difference, also for a mesh, depths or friction from a changed file. A limit must not lie
/// before the state. Throws FileError for a file that is no whole checkpoint of this program. WaveModel::restore()
/// checks the sizes that depend on the model.
LoadedWaves load_progress(std::filesystem::path const& file, Case const& input, WaveCase const& wave_case);

/// Approximate size of the largest checkpoint of a case; 0 where none is written. The run needs as much host memory.
std::int64_t checkpoint_bytes(WaveCase const& wave_case);

}  // namespace karman::waves
