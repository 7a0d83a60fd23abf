// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The iteration from the initial field to the mass-consistent one: passes, convergence, interruption.
#pragma once

#include "wind_model.hpp"

#include <functional>
#include <vector>

namespace karman::wind {

/// One look at the divergence.
struct DivergenceSample {
  int iteration = 0;
  double relative_divergence = 0;  ///< max |div u| over max |div u0|, fluid cells
  double seconds = 0;              ///< since the start of the solve, earlier runs included
};

/// State of the iteration; with the fields u, v, w, lambda and correction it is all that a restart needs.
struct ProjectionState {
  int iteration = 0;
  int passes = 0;                 ///< finished ones
  bool in_pass = false;           ///< stopped within a pass: `correction` counts
  double initial_divergence = 0;  ///< max |div u0|, 1/s
  double pass_divergence = 0;     ///< the same at the start of the pass under way
  int idle_passes = 0;            ///< last passes in a row that hardly lowered the divergence
  int pass_start = 0;             ///< iteration at which the pass under way began
  double seconds = 0;
  std::vector<DivergenceSample> history;
};

/// How a projection ended.
enum class ProjectionEnd {
  converged,
  iterations_exhausted,
  stagnated,    ///< further passes do not lower the divergence: the precision is at its end
  interrupted,  ///< the caller asked; the model is within a pass
  not_finite    ///< the divergence is NaN or infinite
};

/// Callbacks of the iteration; empty functions are not called.
struct ProjectionHooks {
  /// After every look at the divergence; false asks to stop.
  std::function<bool(ProjectionState const&)> checked;
  /// Every `watch_every` iterations, beginning with the first guess.
  std::function<void(ProjectionState const&)> watched;
  int watch_every = 0;
};

/// Projects the field of `model`, which has its initial field, or the fields of `state` when that is not at its
/// beginning. Stops when max |div u| of the velocities themselves is at most settings.tolerance times that of the
/// initial field. A field whose divergence is exactly zero is left as it is, to the last bit. The looks at the
/// divergence come at multiples of settings.check_every, so that an interrupted run goes on to the same bits.
ProjectionEnd project(WindModel& model, SolverSettings const& settings, ProjectionState& state,
                      ProjectionHooks const& hooks, int largest_extent);

}  // namespace karman::wind
