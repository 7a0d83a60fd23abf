// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Command line of `karman`.
#pragma once

#include "common/run/run_options.hpp"

#include <optional>
#include <string>

namespace karman::app {

/// Parsed command line.
struct Command {
  enum class Action {
    finish,   ///< nothing more: help or version was printed, or the arguments were wrong; see exit_code and line
    run,      ///< run `application` with `options`
    example,  ///< print the starting case, or the shipped case `example_name`
    schema,   ///< print the JSON Schema
    import,   ///< convert the project `import_path` to a case and print it
    info,
    list
  };
  Action action = Action::finish;
  int exit_code = 0;
  std::string line;         ///< about wrong arguments, to report; else empty
  std::string application;  ///< also "info" and "list"
  std::string example_name;
  std::string import_path;
  bool json = false;
  int threads = 0;  ///< of the host backends; 0: from the environment
  RunOptions options;
};

/// Parses the command line. Requested help goes to stdout, the help of a bare `karman` to stderr. Wrong arguments:
/// Command::line.
Command parse_command_line(int argc, char const* const* argv);

}  // namespace karman::app
