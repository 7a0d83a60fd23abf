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

/// The Picard iteration over one component, or over several that are at sea together. Keeps their waves and fields for
/// the next call.
template <ExecutionSpace Exec, class Real>
class PicardIteration {
 public:
  using Member = WaveMember<Exec, Real>;

  /// Problem, boundary and system must outlive it; the system is that of the problem. Waits.
  PicardIteration(Exec const& space, WaveProblem const& problem, BoundaryTable const& boundary,
                  MildSlopeSystem<Exec, Real>& system);

  /// Members for these components, at least one, without waves. Waits.
  void prepare(Exec const& space, std::vector<WaveComponent> const& components);

  /// Iterates over the members; once for a linear problem. Systems with changing losses are solved only to the
  /// accuracy of the change; converged ones are solved to the requested tolerance. The members' reports
  /// have the outcome. Returns false if the monitor stopped it; the next call continues. Waits.
  bool run(Exec const& space, Monitor const& monitor);

  /// Number of components that have a solution, counted from the first.
  std::size_t solved() const { return position_.iteration > 1 ? members_.size() : position_.component; }

  /// A component with its fields filled for it, also those that it has in common with others. Asynchronous.
  Member const& member(Exec const& space, std::size_t number) const;

  /// Values from which all fields of the members follow. Waits.
  WaveValues values(Exec const& space) const;
  /// Restores them into prepared members. Waits. Throws std::invalid_argument for other sizes.
  void set_values(Exec const& space, WaveValues const& values);

  /// State between two linear systems, from which run() goes on. Waits.
  WaveSnapshot snapshot(Exec const& space) const;
  /// Restores it into prepared members. Waits. Throws std::invalid_argument for sizes or a position that do not fit.
  void restore(Exec const& space, WaveSnapshot const& snapshot);

  std::int64_t bytes() const;

 private:
  /// One Picard iteration, or the rest of one: a pass over the components.
  struct Pass {
    HeightChange heights;
    double change = 0;    ///< see PicardSample
    bool go_on = true;    ///< result of the monitor
    std::string stalled;  ///< message on an unsolved linear system
  };

  /// Do the systems depend on the waves?
  bool nonlinear() const { return depends_on_height(problem_.dissipation) || problem_.amplitude_dispersion; }

  /// Are the losses part of the values, because they depend on the iteration?
  bool keeps_losses() const { return several() || depends_on_height(problem_.dissipation); }

  /// True for superposed components.
  bool several() const { return members_.size() > 1; }

  /// One member works with what is there, several have each their own waves and friction.
  void resize(Exec const& space, std::size_t count);

  /// The coefficients of a component's system, `part` of the way to what the waves ask for as they are. Asynchronous.
  void renew(Exec const& space, Member const& m, bool first, double part);

  /// Solves the systems of all components once, from the position on, with the losses of the waves of the pass before.
  /// Waits.
  Pass pass_over(Exec const& space, Stopwatch const& watch, Monitor const& monitor);

  /// Moves the position to the next pass; `change`: of the heights in this pass.
  void advance(double change);

  WaveProblem const& problem_;
  BoundaryTable const& boundary_;
  MildSlopeSystem<Exec, Real>& system_;
  DissipationLaw law_;
  Elevation<Exec, Real> elevation_;  ///< of a single component
  WaveFields<Exec> fields_;          ///< of a single component; most of them in common to several
  std::vector<Member> members_;
  PicardPosition position_;
  SeaField<Exec> sea_ = SeaField<Exec>(), sea_before_ = SeaField<Exec>();  ///< of the pass at work, and of the last
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class PicardIteration<Exec, float>; \
  extern template class PicardIteration<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
