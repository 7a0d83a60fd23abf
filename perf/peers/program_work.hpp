// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of a solver in a separate program, see child_program.hpp. The program solves once and prints
///
///   ready <seconds of the set-up> <iterations> <relative residual>
///
/// and then, for every line of its input, the seconds of one operation.
#pragma once

#include "../row.hpp"

#include <memory>
#include <string>
#include <vector>

namespace karman::perf {

/// Words of a command, and variables of the environment that it does not get.
struct ProgramCommand {
  std::vector<std::string> words;
  std::vector<std::string> without{};
};

/// Starts the command. The check compares the residual that the program computes with the tolerance; messages contain
/// `peer`.
std::unique_ptr<Work> program_work(std::string const& peer, ProgramCommand const& command, double tolerance);

/// True if a program of that name lies in the folder of this one.
bool has_program(std::string const& name);

/// A number as an argument of such a program.
std::string digits(double value);

}  // namespace karman::perf
