// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A process that runs an application: the part that every program with applications shares.
#pragma once

#include "command_line.hpp"
#include "common/run/run_options.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace karman::app {

/// Functions and texts of an application that a program needs.
struct Application {
  std::string_view name;
  int (*run)(RunOptions const&);
  std::string_view (*schema)();
  std::string_view (*example)();
  bool distributes = false;  ///< runs as several processes
  bool divides = false;      ///< on parts of a grid, whose needs --ranks prints
};

/// Writes a text to stdout as it is.
void print(std::string_view text);

/// Runs an application; returns its exit code. A signal too late for the application ends the run in one line. An
/// output folder without files is removed. Throws CannotRun for several processes and an application of one.
int run_application(Application const& application, RunOptions const& options);

/// Descriptors, plugins of HDF5 and limits of file sizes, before anything else.
void begin_process();

/// Settles the threads of the host, joins the processes of a launcher and executes a command. Turns any exception into
/// a line on stderr, and writes stdout. `called`: "karman wind". Returns the exit code of all processes.
int complete_process(std::string const& called, Command& command, char* const* argv,
                     std::function<int()> const& execute);

/// main() of a program of one application: `PROGRAM CASE.json [options]`, with the options of `karman wind` that all
/// applications have.
int application_main(Application const& application, char const* about, int argc, char** argv);

}  // namespace karman::app
