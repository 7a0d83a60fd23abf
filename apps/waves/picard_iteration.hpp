// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The iteration over what depends on the waves themselves: friction, breaking, dispersion by amplitude.
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

  /// Iterates over the members; once for a linear problem. Systems whose losses are still to change are solved only so
  /// far as the change deserves; what is taken for converged was solved to the tolerance that was asked. Says in their
  /// reports how it went, and returns how many components have a solution. Waits.
  std::size_t run(Exec const& space, Monitor const& monitor);

  /// A component with its fields filled for it, also those that it has in common with others. Asynchronous.
  Member const& member(Exec const& space, std::size_t number) const;

  std::int64_t bytes() const;

 private:
  /// One Picard iteration: a pass over the components.
  struct Pass {
    std::size_t done = 0;  ///< components whose systems were solved
    HeightChange heights;
    double change = 0;    ///< see PicardSample
    double loosest = 0;   ///< tolerance to which a system was solved
    bool go_on = true;    ///< says the monitor
    std::string stalled;  ///< what is said of a linear system that was not solved
  };

  /// Do components come together?
  bool several() const { return members_.size() > 1; }

  /// One member works with what is there, several have each their own waves and friction.
  void resize(Exec const& space, std::size_t count);

  /// The coefficients of a component's system, `part` of the way to what the waves ask for as they are. Asynchronous.
  void renew(Exec const& space, Member const& m, bool first, double part);

  /// Solves the systems of all components once, with the losses of the waves of the pass before. Waits.
  Pass pass_over(Exec const& space, int iteration, double part, double tolerance, double change_before,
                 Stopwatch const& watch, Monitor const& monitor);

  WaveProblem const& problem_;
  BoundaryTable const& boundary_;
  MildSlopeSystem<Exec, Real>& system_;
  DissipationLaw law_;
  Elevation<Exec, Real> elevation_;  ///< of a single component
  WaveFields<Exec> fields_;          ///< of a single component; most of them in common to several
  std::vector<Member> members_;
  SeaField<Exec> sea_ = SeaField<Exec>(), sea_before_ = SeaField<Exec>();  ///< of the pass at work, and of the last
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class PicardIteration<Exec, float>; \
  extern template class PicardIteration<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::waves
