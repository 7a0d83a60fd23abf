// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The command line of karman-perf.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace karman::perf {

/// Parsed command line.
struct Arguments {
  bool help = false;
  bool quick = false;
  bool list = false;                   ///< print the rows and end
  bool spoil_answers = false;          ///< alter every answer before its check
  int threads = 0;                     ///< of the host backends; 0: from the environment
  std::string serve;                   ///< row to measure for another karman-perf, see serve()
  double budget = 0;                   ///< seconds for the whole run; 0: no limit
  std::vector<std::string> families;   ///< empty: all
  std::vector<std::string> backends;   ///< empty: all
  std::vector<std::string> solvers;    ///< of the family "scaling"; empty: all
  int cells = 0;                       ///< of the family "scaling", along each axis; 0: chosen
  std::string transport;               ///< fastest way between devices; empty: any
  std::vector<std::string> benchmark;  ///< flags for Google Benchmark

  /// True where rows of several processes are asked for.
  bool scaling() const;
};

/// Invalid command line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws UsageError. `arguments` without the program's name.
Arguments parse_arguments(std::vector<std::string> const& arguments);

/// "60", "60s", "1.5m": seconds, positive. Throws UsageError.
double parse_duration(std::string const& text);

/// The text of --help.
std::string usage();

}  // namespace karman::perf
