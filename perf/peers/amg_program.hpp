// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arguments and answers of a program that solves the problem of amg_source.hpp by algebraic multigrid:
///
///   PROGRAM setup|solve CELLS SHUFFLED HEIGHT VARIANT TOLERANCE [SETTING...]
///
/// Prints "ready", the seconds of the set-up, the iterations and |residual| / |b|. Then, for every line of input, it
/// sets up or solves once more and prints the seconds. It ends with its input. Norms are Euclidean.
#pragma once

#include "../amg_source.hpp"
#include "program_answers.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace karman::perf {

struct AmgTask {
  std::string operation;  ///< "setup" or "solve"
  AmgGrid grid;
  std::string variant;
  double tolerance;
  std::vector<std::string> settings;

  SolverRun run() const { return {tolerance, operation == "setup"}; }
};

/// Arguments of a program; `variant` and `settings` describe its own. Throws std::runtime_error for wrong ones.
inline AmgTask amg_task(std::string const& program, std::string const& variant, std::string const& settings,
                        std::size_t most_settings, int argc, char** argv) {
  std::vector<std::string> const words(argv + 1, argv + argc);
  if (words.size() < 6 || words.size() > 6 + most_settings || (words[0] != "setup" && words[0] != "solve")) {
    throw std::runtime_error("usage: " + program + " setup|solve CELLS SHUFFLED HEIGHT " + variant + " TOLERANCE " +
                             settings);
  }
  AmgTask task{words[0],
               {number_of<int>("CELLS", words[1]), number_of<int>("SHUFFLED", words[2]) != 0,
                number_of<double>("HEIGHT", words[3])},
               words[4],
               number_of<double>("TOLERANCE", words[5]),
               {words.begin() + 6, words.end()}};
  if (!(task.grid.cells > 0 && task.grid.height > 0 && task.tolerance > 0))
    throw std::runtime_error("CELLS, HEIGHT and TOLERANCE must be positive");
  return task;
}

}  // namespace karman::perf
