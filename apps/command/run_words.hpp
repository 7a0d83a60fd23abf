// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The arguments that all applications share.
#pragma once

#include "command_line.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace karman::app {

/// Arguments of every application.
struct RunWords {
  std::string case_file, backend, output, restart, progress = "auto";
  std::vector<std::string> set, example;
  bool share_devices = false, dry_run = false, overwrite = false, schema = false;
  int threads = 0, ranks = 0;
};

/// About --restart, where it takes checkpoints alone.
inline constexpr char const* restart_about = "Continue from a checkpoint of the same case";

/// Adds --threads.
void add_threads(CLI::App& command, int& threads);

/// Adds all arguments but --restart.
void add_run_options(CLI::App& application, RunWords& words);

/// Command of these arguments. Throws CLI::Error.
Command application_command(CLI::App const& application, RunWords const& words);

/// Command of a command line that ends here.
Command finished(int exit_code);
/// The same after CLI11: help and version go to stdout. An error is the line of the command, as of `called`.
Command ended(CLI::App const& app, CLI::Error const& error, std::string const& called);

}  // namespace karman::app
