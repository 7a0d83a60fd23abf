// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of a run from the command line, the same for every application.
#pragma once

#include "processes.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/progress.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace karman::app {

struct RunOptions {
  std::string program;  ///< as called, for an application of its own; empty: `karman`
  std::filesystem::path case_file;
  std::vector<std::string> overrides;  ///< "/pointer=value", in the order given
  std::optional<Backend> backend;      ///< empty: the fastest of this build
  std::filesystem::path output;        ///< empty: results/<name of the case>
  std::filesystem::path restart;       ///< checkpoint to continue from; empty: none
  ProgressMode progress = ProgressMode::automatic;
  Overwrite overwrite = Overwrite::no;
  bool share_devices = false;  ///< several processes may use one device
  bool dry_run = false;
  int ranks = 0;  ///< processes of which a dry run prints the needs; 0: the present ones
  /// Never null.
  std::shared_ptr<Processes> processes = std::make_shared<Processes>();
  /// `karman poisson`: compare the methods, each within this many seconds.
  std::optional<double> compare_budget;
};

inline constexpr double default_compare_budget = 20;

/// The output folder of a run.
inline std::filesystem::path output_folder(RunOptions const& options) {
  if (!options.output.empty()) return options.output;
  return std::filesystem::path("results") / options.case_file.stem();
}

}  // namespace karman::app
