// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Output files of a run: euler.h5, euler.xdmf, history.csv, walls.csv, gauges.csv; frames.xdmf and frames/.
#pragma once

#include "common/fields/frame_files.hpp"
#include "euler/case/flow_case.hpp"
#include "euler/model/flow_model.hpp"
#include "history.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace karman::euler {

inline constexpr std::array output_files{"euler.h5",   "euler.xdmf",  "history.csv",    "walls.csv",
                                         "gauges.csv", "frames.xdmf", "frames/mesh.h5", "frames/frame_000000.h5"};
/// Files of these that a run writes at its end.
inline constexpr std::size_t final_files = 5;
inline constexpr char const* fields_file = output_files[0];
inline constexpr char const* checkpoint_file = "euler.checkpoint";

/// Result of the run beside the flow.
struct RunRecord {
  BackendInfo backend;
  double case_seconds = 0, set_up_seconds = 0, march_seconds = 0;
  std::int64_t memory_bytes = 0;
  int motion_iterations = 0;  ///< to set up the motion of the mesh
  bool converged = true;      ///< of a steady case
};

/// Coordinates of the nodes.
using Points = std::vector<std::array<double, 2>>;

/// Means over time.
struct FlowAverages {
  double seconds = 0;  ///< 0: none
  app::HostField sums;
};

/// Writes the frames as they come, each in a file of its own, and the other files at the end. docs/euler.md lists their
/// content. Throws FileError.
class FlowOutput {
 public:
  FlowOutput(std::filesystem::path const& folder, Overwrite overwrite, FlowCase const& flow_case,
             BackendInfo const& backend);

  /// Writes the mesh of the frames. Once, before the first frame.
  void begin_frames() const;
  /// Writes the next frame, and the list of all.
  void add_frame(std::int64_t step, double time, Points const& points, std::vector<Conservative> const& states);
  app::FrameFiles& frames() { return frames_; }
  app::FrameFiles const& frames() const { return frames_; }

  void finish(RunRecord const& record, History const& history, Points const& points,
              std::vector<Conservative> const& states, FlowAverages const& averages) const;

 private:
  void write_tables(History const& history, MeshData const& mesh, std::vector<Conservative> const& states) const;

  std::filesystem::path folder_;
  Overwrite overwrite_;
  FlowCase const& case_;
  BackendInfo backend_;
  app::FrameFiles frames_;
};

}  // namespace karman::euler
