// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a run: turbulence.h5, turbulence.xdmf, history.csv, spectra.csv, histogram.csv; frames.xdmf and
/// frames/.
#pragma once

#include "common/fields/frame_files.hpp"
#include "history.hpp"
#include "mean_spectra.hpp"
#include "turbulence/case/turbulence_case.hpp"
#include "turbulence/model/turbulence_model.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::turbulence {

inline constexpr std::array output_files{"turbulence.h5", "turbulence.xdmf", "history.csv",           "spectra.csv",
                                         "histogram.csv", "frames.xdmf",     "frames/frame_000000.h5"};
/// Files that a run writes at its end; those after them belong to its frames.
inline constexpr std::size_t final_files = 5;
inline constexpr char const* fields_file = output_files[0];
inline constexpr char const* checkpoint_file = "turbulence.checkpoint";

/// vorticity, points, density: the histogram of the vorticity.
std::vector<std::string> const& histogram_columns();

/// Result of the run beside the flow.
struct RunRecord {
  BackendInfo backend;
  double case_seconds = 0, set_up_seconds = 0, march_seconds = 0;
  std::int64_t memory_bytes = 0;
};

/// Writes the frames as they come, each in a file of its own, and the other files at the end. docs/turbulence.md lists
/// their content. Throws FileError.
class TurbulenceOutput {
 public:
  TurbulenceOutput(std::filesystem::path const& folder, Overwrite overwrite, TurbulenceCase const& turbulence_case,
                   BackendInfo const& backend);

  /// Writes the flow as the next frame, and the list of all.
  void add_frame(VorticityMoment const& moment, TurbulenceModel& model);
  app::FrameFiles& frames() { return frames_; }
  app::FrameFiles const& frames() const { return frames_; }

  void finish(RunRecord const& record, History const& history, MeanSpectra const& means, TurbulenceModel& model) const;

 private:
  std::filesystem::path folder_;
  Overwrite overwrite_;
  TurbulenceCase const& case_;
  BackendInfo backend_;
  app::FrameFiles frames_;
};

}  // namespace karman::turbulence
