// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The iteration from the initial field to the mass-consistent one: passes, convergence, interruption.
#pragma once

#include "wind_model.hpp"

#include <functional>
#include <vector>

namespace karman::wind {

/// One check of the divergence.
struct DivergenceSample {
  int iteration = 0;
  double relative_divergence = 0;  ///< max |div u| over max |div u0|, fluid cells
  double seconds = 0;              ///< since the start of the solve, earlier runs included
};

/// State of the iteration. Together with the fields u, v, w, lambda and correction it suffices for a restart.
struct ProjectionState {
  bool first_guess = false;  ///< lambda of the model is one, for a fresh start
  int iteration = 0;
  int passes = 0;                 ///< finished passes
  bool in_pass = false;           ///< stopped within a pass: `correction` is part of the state
  double initial_divergence = 0;  ///< max |div u0|, 1/s
  double pass_divergence = 0;     ///< the same at the start of the present pass
  int idle_passes = 0;            ///< number of last successive passes that hardly lowered the divergence
  bool wall_law = false;          ///< the wall law has been applied
  int pass_start = 0;             ///< iteration at which the present pass, or the last one, began
  double seconds = 0;
  std::vector<DivergenceSample> history;
};

/// The state to save. A whole pass of multigrid is not part of it: the iteration continues from the start of that pass,
/// and so gives the same bits.
ProjectionState resumable(ProjectionState state);

/// Outcome of a projection.
enum class ProjectionEnd {
  converged,
  rounding,  ///< at the limit of the precision, where ProjectionHooks::rounding accepts it
  iterations_exhausted,
  stagnated,    ///< further passes do not lower the divergence: limit of the precision
  interrupted,  ///< stopped by the caller; with over-relaxation the model is within a pass
  not_finite    ///< the divergence is NaN or infinite
};

/// Whether a field may be used: its divergence is at the tolerance or at the accepted rounding.
constexpr bool is_done(ProjectionEnd end) { return end == ProjectionEnd::converged || end == ProjectionEnd::rounding; }

/// Settings of the iteration by its caller, and callbacks; empty functions are skipped.
struct ProjectionHooks {
  /// Called after every check of the divergence; false stops.
  std::function<bool(ProjectionState const&)> checked;
  /// Called every `watch_every` iterations, beginning with the first guess.
  std::function<void(ProjectionState const&)> watched;
  int watch_every = 0;
  /// max |div u| that rounding leaves, 1/s (rounding_divergence()). The iteration ends there as well as at the
  /// tolerance, or within ten times that where it stagnates. 0: at the tolerance only.
  double rounding = 0;
};

/// Projects the initial field of `model`, or the fields of `state` when that has begun. Stops when max |div u| of the
/// velocities themselves is at most settings.tolerance times that of the initial field, or hooks.rounding. A field of
/// exactly zero divergence remains unchanged, to the last bit. Checks of the divergence come at multiples of
/// settings.check_every, so that an interrupted run continues to the same bits. With a first guess, the first pass
/// begins with its gradient; the tolerance refers to the initial field without it. A model with a wall law gets it once
/// it has converged, and is then projected again, to the same divergence.
ProjectionEnd project(WindModel& model, SolverSettings const& settings, ProjectionState& state,
                      ProjectionHooks const& hooks, int largest_extent);

}  // namespace karman::wind
