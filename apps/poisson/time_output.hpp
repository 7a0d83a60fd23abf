// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that a problem in time leaves: <problem>.h5 with its frames, <problem>.xdmf, history.csv.
#pragma once

#include "time_case.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::poisson {

/// What is known of a frame. NaN: not known.
struct FrameFacts {
  int step = 0;
  double time = 0;
  double mean = 0;  ///< over the volume
  double least = 0, most = 0;
  double balance_error = 0;  ///< (content - content at first - what flowed in) / (largest of these)
  double largest_error = 0;  ///< against the exact solution
};

/// "column_diffusion.h5" and so on, in the output folder.
std::string fields_file_of(TimeCase const& time_case);
std::string xdmf_file_of(TimeCase const& time_case);

/// Writes frames as they come; the files appear at finish().
class TimeOutput {
 public:
  TimeOutput(std::filesystem::path const& folder, Overwrite overwrite, TimeCase const& time_case,
             BackendInfo const& backend);
  /// A frame of values of the precision of the case.
  void add(FrameFacts const& facts, std::vector<std::byte> const& values);
  void finish(double solve_seconds, std::int64_t memory_bytes, std::string const& algorithm);

 private:
  std::filesystem::path folder_;
  Overwrite overwrite_;
  TimeCase const& case_;
  Hdf5File file_;
  XdmfDocument xdmf_;
  std::vector<FrameFacts> frames_;
};

}  // namespace karman::poisson
