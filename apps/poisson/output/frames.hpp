// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Frames of a time-dependent problem, and the files that hold them before the run ends.
#pragma once

#include "common/fields/host_field.hpp"
#include "poisson/case/time_case.hpp"
#include <karman/io/hdf5_file.hpp>
#include <karman/io/shared_hdf5_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::poisson {

/// Figures of a frame. NaN: unknown.
struct FrameFacts {
  int step = 0;
  double time = 0;
  double mean = 0;  ///< over the volume
  double least = 0, most = 0;
  double balance_error = 0;  ///< (content - initial content - inflow) / (largest of these)
  double largest_error = 0;  ///< against the exact solution
};

// Several processes each have their cells. Facts and contents are of all cells, and all functions are collective.

/// Integral over the height, averaged over the columns.
double content(TimeCase const& time_case, CellValues const& values);

/// Facts of a state. `exact`: the exact solution, empty where it is unknown. `first_content`: of the start; `inflow`:
/// since then.
FrameFacts facts_of(TimeCase const& time_case, int step, CellValues const& values, CellValues const& exact,
                    double first_content, double inflow);

/// A frame in a file: its facts, and the hash of its values.
struct Frame {
  FrameFacts facts;
  std::uint64_t hash = 0;
};

/// A file with some of the frames of a run, in the order of their steps.
struct FrameSegment {
  std::filesystem::path file;
  std::vector<Frame> frames;
};

/// "column_diffusion.h5" and so on, in the output folder.
std::string fields_file_of(TimeCase const& time_case);
/// The name of the segment whose first frame is of that step.
std::string segment_file_of(TimeCase const& time_case, int first_step);

/// Writes a frame of values of the precision of the case as /frames/<step>; returns their hash, which is the same in
/// any number of parts. Throws FileError.
std::uint64_t write_frame(SharedHdf5File& file, TimeCase const& time_case, FrameFacts const& facts,
                          app::HostField const& values);

/// Reads a frame, in whatever parts it is, and compares its hash. Throws FileError.
void read_frame(Hdf5File const& file, TimeCase const& time_case, Frame const& frame, app::HostField& values);

/// Removes the segments of the case from a folder, by one process; one that cannot be removed stays. Not collective.
void remove_segments(std::filesystem::path const& folder, TimeCase const& time_case);

/// The dataset of a frame.
std::string frame_dataset(int step);

}  // namespace karman::poisson
