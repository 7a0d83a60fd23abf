// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Picard iteration over friction, breaking and amplitude dispersion.
#pragma once

#include "boundary_table.hpp"
#include "mild_slope_system.hpp"
#include "stopwatch.hpp"
#include "wave_member.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace karman::waves {

/// The Picard iteration over one component, or over several superposed ones. Keeps their waves and fields for the next
/// call.
template <ExecutionSpace Exec, class Real>
class PicardIteration {
 public:
  using Member = WaveMember<Exec, Real>;

  /// Problem, boundary and system must outlive it; the system is that of the problem. Waits.
  PicardIteration(Exec const& space, WaveProblem const& problem, BoundaryTable const& boundary,
                  MildSlopeSystem<Exec, Real>& system);

  /// Makes members for these components, at least one, without waves. Waits.
  void prepare(Exec const& space, std::vector<WaveComponent> const& components);

  /// Iterates over the members; once for a linear problem. Systems with changing losses are solved to the accuracy of
  /// the change; converged ones to the requested tolerance. The members' reports have the outcome. Returns false if the
  /// monitor stopped it; the next call continues. Waits.
  bool run(Exec const& space, Monitor const& monitor);

  /// True after a run() that ended, not converged, at its largest number of iterations.
  bool at_limit() const { return at_limit_; }

  /// Number of components that have a solution, counted from the first.
  std::size_t solved() const { return position_.iteration > 1 ? members_.size() : position_.component; }

  /// A component with all its fields filled, also those shared with others. Asynchronous.
  Member const& member(Exec const& space, std::size_t number) const;

  /// Values from which all fields of the members follow. Waits.
  WaveValues values(Exec const& space) const;
  /// Restores them into prepared members. Waits. Throws std::invalid_argument for other sizes.
  void set_values(Exec const& space, WaveValues const& values);

  /// State between two linear systems, from which run() continues. Waits.
  WaveSnapshot snapshot(Exec const& space) const;
  /// Restores it into prepared members. Waits. Throws std::invalid_argument for sizes or a position that do not fit.
  void restore(Exec const& space, WaveSnapshot const& snapshot);

  std::int64_t bytes() const;

 private:
  /// One Picard iteration, or the rest of an interrupted one: a pass over the components.
  struct Pass {
    HeightChange heights;
    double change = 0;    ///< see PicardSample
    bool go_on = true;    ///< result of the monitor
    std::string stalled;  ///< message about a linear system that was not solved
  };

  /// True if the systems depend on the waves.
  bool nonlinear() const { return depends_on_height(problem_.dissipation) || problem_.amplitude_dispersion; }

  /// True if the losses are part of the values, because they depend on the iteration.
  bool keeps_losses() const { return several() || depends_on_height(problem_.dissipation); }

  /// True for superposed components.
  bool several() const { return members_.size() > 1; }

  /// One member uses the shared fields; several have their own waves and friction.
  void resize(Exec const& space, std::size_t count);

  /// Updates the coefficients of a component's system by the fraction `part` towards the coefficients of the present
  /// waves. Asynchronous.
  void update_coefficients(Exec const& space, Member const& m, bool first, double part);

  /// Solves the systems of all components once, from the present position on, with the losses of the previous pass's
  /// waves. Waits.
  Pass pass_over(Exec const& space, Stopwatch const& watch, Monitor const& monitor);

  /// Moves the position to the next pass; `change` is that of the heights in this pass.
  void advance(double change);

  WaveProblem const& problem_;
  BoundaryTable const& boundary_;
  MildSlopeSystem<Exec, Real>& system_;
  DissipationLaw law_;
  Elevation<Exec, Real> elevation_;  ///< of a single component
  WaveFields<Exec> fields_;          ///< of a single component; most of them shared by several
  std::vector<Member> members_;
  PicardPosition position_;
  bool at_limit_ = false;
  SeaField<Exec> sea_ = SeaField<Exec>(), sea_before_ = SeaField<Exec>();  ///< of the present pass, and of the last
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class PicardIteration<Exec, float>; \
  extern template class PicardIteration<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
