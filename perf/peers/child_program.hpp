// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A peer in a separate program. It starts once, takes requests as lines on its input, and answers in lines on its
/// output.
#pragma once

#include <string>
#include <vector>

namespace karman::perf {

/// Runs the program during its lifetime. The program's error output goes to ours. It may run on every processor of this
/// program, also where OpenMP has bound the thread that starts it to one.
class ChildProgram {
 public:
  /// It gets the environment of this program except for the variables in `without`. Throws std::runtime_error when it
  /// cannot be started.
  explicit ChildProgram(std::vector<std::string> const& command, std::vector<std::string> const& without = {});
  ~ChildProgram();
  ChildProgram(ChildProgram const&) = delete;
  ChildProgram& operator=(ChildProgram const&) = delete;

  /// Sends an empty line: the request for the next operation.
  void ask();
  /// The next line of its output. Throws std::runtime_error with the program's name when it has ended, or gives none
  /// for `seconds`; then it is ended.
  std::string answer(int seconds = 300);

 private:
  /// Ends it and the programs that it has started: by SIGTERM, and those that stay by SIGKILL.
  void stop();

  std::string name_;
  int process_ = -1;
  int input_ = -1, output_ = -1;
  std::string pending_;
};

/// Path of the running program.
std::string own_program();

/// Its folder, which contains its peers.
std::string own_folder();

}  // namespace karman::perf
