// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman euler CASE.json`.
#pragma once

#include "common/run/run_context.hpp"
#include "common/run/run_options.hpp"
#include "euler/case/flow_case.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace karman::euler {

/// End of a march.
struct FlowEnd {
  int exit_code = 0;
  std::int64_t steps = 0;
  double residual = 0;                              ///< over the largest one
  double seconds = 0;                               ///< of the march
  std::vector<std::array<double, 3>> coefficients;  ///< drag, lift and moment of each group of forces; empty: none yet
};

/// Start of the flow of a run, by its options.
inline FlowStart start_of(app::RunContext const& context) {
  return context.restarts() ? FlowStart::of_checkpoint : FlowStart::of_case;
}

/// Runs a flow that was read from a case, from prepare() to its files. `case_seconds`: spent on the case. Prints
/// nothing as a member of another run.
FlowEnd run_flow(app::RunContext& context, Case const& input, FlowCase flow_case, double case_seconds);

/// Runs a case from the checks to the output; returns the exit code. Initialises Kokkos itself, at most once per
/// process. Throws CaseError and FileError, and CannotRun for a machine that cannot run the case (exit code 2).
int run_euler(app::RunOptions const& options);

}  // namespace karman::euler
