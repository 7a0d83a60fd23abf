// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A peer in a program of its own: started once, asked by lines on its input, answering by lines on its output.
#pragma once

#include <string>
#include <vector>

namespace karman::perf {

/// The program runs as long as this object lives. Its error output goes to ours.
class ChildProgram {
 public:
  /// Throws std::runtime_error when it cannot be started.
  explicit ChildProgram(std::vector<std::string> const& command);
  ~ChildProgram();
  ChildProgram(ChildProgram const&) = delete;
  ChildProgram& operator=(ChildProgram const&) = delete;

  /// Sends an empty line: the next operation is asked for.
  void ask();
  /// The next line of its output. Throws std::runtime_error, naming the program, when it ended instead.
  std::string answer();

 private:
  std::string name_;
  int process_ = -1;
  int input_ = -1, output_ = -1;
  std::string pending_;
};

/// The folder of the program that is running: its peers lie beside it.
std::string own_folder();

}  // namespace karman::perf
