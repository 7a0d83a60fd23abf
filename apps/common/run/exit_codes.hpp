// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How a run of the `karman` command ends: exit codes and the lines on stderr that go with them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace karman::app {

/// Exit codes of the `karman` command, as in docs/command.md. karman/io/error.hpp defines the codes of bad cases (2)
/// and of file trouble (4). cannot_run.hpp defines the code of cases that this machine cannot run (2). A run that a
/// signal stopped ends with 128 + its number.
enum ExitCode {
  done = 0,
  failed = 1,  ///< an error of the program itself
  usage = 2,
  not_converged = 3,
  breakdown = 5,       ///< a value that is not finite
  machine_failed = 5,  ///< memory that ran out during the run, a device that failed
};

/// Lines of one application on stderr. Those about an end return its exit code.
class ExitReport {
 public:
  /// `reports`: false for a process whose lines another one writes.
  explicit ExitReport(std::string application, bool reports = true)
      : application_(std::move(application)), reports_(reports) {}
  /// Appends its lines to `lines`, for the report of a run that this one is a member of.
  ExitReport(std::string application, std::vector<std::string>& lines)
      : application_(std::move(application)), reports_(false), lines_(&lines) {}

  std::string const& application() const { return application_; }

  /// "karman wind: LINE"; nothing where it is empty.
  void warn(std::string const& line) const;
  /// "karman wind: stopped by a signal WHERE; continue HOW with COMMAND". `how`: "from iteration 8 ", or empty.
  int stopped(std::string const& where, std::string const& command, std::string const& how = {}) const;
  /// "karman wind: stopped by a signal during the set-up; no results and no checkpoint written".
  int stopped_in_set_up() const;
  /// That line.
  std::string set_up_line() const;
  /// "karman wind: stopped by a signal at the end of the run; its results are complete".
  int stopped_at_end() const;
  /// "karman wind: NOT CONVERGED TEXT".
  int not_converged(std::string const& text) const;
  /// "karman wind: TEXT", about a value that is not finite.
  int broken_down(std::string const& text) const;

 private:
  std::string application_;
  bool reports_;
  std::vector<std::string>* lines_ = nullptr;
};

}  // namespace karman::app
