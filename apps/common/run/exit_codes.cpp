// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exit_codes.hpp"

#include <karman/io/signals.hpp>

#include <cstdio>

namespace karman::app {

void ExitReport::warn(std::string const& line) const {
  if (lines_ != nullptr && !line.empty()) lines_->push_back(line);
  if (reports_ && !line.empty()) std::fprintf(stderr, "karman %s: %s\n", application_.c_str(), line.c_str());
}

int ExitReport::stopped(std::string const& where, std::string const& command, std::string const& how) const {
  warn("stopped by a signal " + where + "; continue " + how + "with " + command);
  return 128 + stop_requested();
}

int ExitReport::stopped_in_set_up() const {
  if (reports_) std::fprintf(stderr, "%s\n", set_up_line().c_str());
  return 128 + stop_requested();
}

std::string ExitReport::set_up_line() const {
  return "karman " + application_ + ": stopped by a signal during the set-up; no results and no checkpoint written";
}

int ExitReport::stopped_at_end() const {
  warn("stopped by a signal at the end of the run; its results are complete");
  return 128 + stop_requested();
}

int ExitReport::not_converged(std::string const& text) const {
  warn("NOT CONVERGED" + text);
  return app::not_converged;
}

int ExitReport::broken_down(std::string const& text) const {
  warn(text);
  return breakdown;
}

}  // namespace karman::app
