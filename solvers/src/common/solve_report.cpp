// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/solvers/solve_report.hpp>

#include <cstdio>

namespace karman {

std::string summary(SolveReport const& report) {
  char const* const ending = report.converged ? "converged" : report.stopped ? "stopped" : "DID NOT CONVERGE";
  char line[160];
  std::snprintf(line, sizeof line, "%s after %d iterations, relative residual %.3e", ending, report.iterations,
                report.residual);
  std::string text = line;
  if (!report.breakdown.empty()) text += ": " + std::string(report.breakdown);
  return text;
}

}  // namespace karman
