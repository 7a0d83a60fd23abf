// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picard_iteration.hpp"

#include "transfer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace karman::waves {
namespace {

/// Of a first solution that serves to find the losses, and of later ones relative to the change of the heights.
constexpr double first_tolerance = 1e-4, share_of_change = 1e-3;

template <ExecutionSpace Exec, class Real>
Elevation<Exec, Real> still_water(Exec const& space, std::size_t nodes) {
  return Elevation<Exec, Real>(Kokkos::view_alloc(space, std::string("karman::waves::elevation")), nodes);
}

template <ExecutionSpace Exec>
SeaField<Exec> still_sea(Exec const& space, char const* label, std::size_t nodes) {
  return SeaField<Exec>(Kokkos::view_alloc(space, std::string(label)), nodes);
}

}  // namespace

template <ExecutionSpace Exec, class Real>
PicardIteration<Exec, Real>::PicardIteration(Exec const& space, WaveProblem const& problem,
                                             BoundaryTable const& boundary, MildSlopeSystem<Exec, Real>& system)
    : problem_(problem),
      boundary_(boundary),
      system_(system),
      law_(problem.dissipation),
      elevation_(still_water<Exec, Real>(space, problem.mesh.nodes.size())),
      fields_(space, system.mesh().node_count(), problem.extended) {
  upload(space, problem.depth, fields_.depth);
  std::vector<double> const& friction = problem.dissipation.friction_at_nodes;
  if (friction.empty()) Kokkos::deep_copy(space, fields_.friction_value, friction_everywhere(problem.dissipation));
  else upload(space, friction, fields_.friction_value);
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::prepare(Exec const& space, std::vector<WaveComponent> const& components) {
  if (members_.size() != components.size()) resize(space, components.size());
  for (std::size_t n = 0; n < components.size(); ++n) {
    Member& m = members_[n];
    m.period = components[n].period;
    m.omega = angular_frequency(m.period);
    m.incident = incident_field(problem_, boundary_, m.omega, components[n].waves);
    m.edges = uploaded(space, m.incident.edges, "karman::waves::incident");
    m.report = {};
    clear(space, m.fields);
    Kokkos::deep_copy(space, m.elevation, Kokkos::complex<Real>(0));
  }
  if (several()) Kokkos::deep_copy(space, sea_, LocalSea{});
  system_.start(members_.front().omega);
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::resize(Exec const& space, std::size_t count) {
  std::size_t const nodes = elevation_.size();
  members_.clear();
  sea_ = sea_before_ = SeaField<Exec>();
  if (count == 1) {
    members_.push_back({elevation_, fields_});
    return;
  }
  for (std::size_t n = 0; n < count; ++n) {
    members_.push_back(
        {still_water<Exec, Real>(space, nodes), fields_of_component(space, fields_, problem_.amplitude_dispersion)});
  }
  sea_ = still_sea(space, "karman::waves::sea", nodes);
  sea_before_ = still_sea(space, "karman::waves::sea_before", nodes);
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::renew(Exec const& space, Member const& m, bool first, double part) {
  bool const by_amplitude = problem_.amplitude_dispersion;
  if (by_amplitude && !first) update_amplitude(space, part, m.elevation, m.fields);
  if (several() || by_amplitude || first) set_dispersion(space, m.omega, m.fields);
  if (several()) update_sea_friction(space, law_, m.omega, part, sea_before_, m.elevation, m.fields);
  else update_losses(space, law_, m.omega, part, m.elevation, m.fields);
}

template <ExecutionSpace Exec, class Real>
typename PicardIteration<Exec, Real>::Pass PicardIteration<Exec, Real>::pass_over(Exec const& space, int iteration,
                                                                                  double part, double tolerance,
                                                                                  double change_before,
                                                                                  Stopwatch const& watch,
                                                                                  Monitor const& monitor) {
  Pass pass;
  pass.change = change_before;
  if (several()) {
    std::swap(sea_, sea_before_);
    Kokkos::deep_copy(space, sea_, LocalSea{});
    update_sea_breaking(space, law_, part, sea_before_, fields_);
  }
  for (Member& m : members_) {
    Stopwatch const own;
    renew(space, m, iteration == 1, part);
    system_.turn_to(m);
    int const counted = m.report.linear_iterations;
    double reached = tolerance;
    LinearOutcome linear = system_.solve(space, m, reached);
    if (linear.converged && linear.iterations == 0 && reached > system_.tolerance()) {
      // What the last system gave, or a direct solver, is good enough already. To stay there would look as if nothing
      // changed any more.
      reached = system_.tolerance();
      linear = system_.solve_again(space, m, reached);
    }
    pass.loosest = std::fmax(pass.loosest, reached);
    if (several()) add_to_sea(space, m.omega, m.elevation, m.fields, sea_);
    if (++pass.done == members_.size()) {
      pass.heights = several() ? take_sea_heights(space, sea_, fields_) : take_heights(space, m.elevation, m.fields);
      // What a whole step would have changed: of one with a part of the new losses only that part shows.
      HeightChange const& h = pass.heights;
      pass.change = h.highest == 0 ? 0 : (iteration == 1 ? 1 : h.change / h.highest / part);
    }
    m.report.seconds += own.seconds();
    m.report.history.push_back({iteration, pass.change, m.report.linear_iterations - counted, linear.residual,
                                watch.seconds(), pass.done - 1});
    pass.go_on = !monitor || monitor(m.report.history.back());
    if (!linear.converged) {
      pass.stalled = (several() ? "component " + std::to_string(pass.done - 1) + ", " : std::string()) + "iteration " +
                     std::to_string(iteration) + ": the linear solver did not converge (" + linear.trouble + ")";
    }
    if (!linear.converged || !pass.go_on) break;
  }
  for (std::size_t n = 0; n < pass.done; ++n) members_[n].report.history.back().change = pass.change;
  return pass;
}

template <ExecutionSpace Exec, class Real>
std::size_t PicardIteration<Exec, Real>::run(Exec const& space, Monitor const& monitor) {
  Stopwatch const watch;
  PicardSettings const& picard = problem_.picard;
  bool const nonlinear = depends_on_height(problem_.dissipation) || problem_.amplitude_dispersion;
  double part = 1;  // of the losses that the last solution asks for
  double tolerance = nonlinear ? first_tolerance : system_.tolerance();
  double change = 1;
  std::size_t solved = 0;
  WaveReport end;  // of all components
  for (int iteration = 1; iteration <= picard.max_iterations; ++iteration) {
    Pass const pass = pass_over(space, iteration, part, tolerance, change, watch, monitor);
    change = pass.change;
    solved = std::max(solved, pass.done);
    bool const whole = pass.done == members_.size();
    bool const small = iteration > 1 && change <= picard.tolerance;
    bool const settled = whole && (!nonlinear || (small && pass.loosest == system_.tolerance()));
    if (pass.heights.wrong > 0) {
      end.trouble = "the elevation is not a number at " + std::to_string(pass.heights.wrong) + " nodes";
      break;
    }
    if (!pass.stalled.empty()) {
      end.trouble = pass.stalled;
      break;
    }
    if (settled) {
      end.converged = true;
      break;
    }
    if (!pass.go_on) {
      end.stopped = true;
      end.trouble = "stopped after iteration " + std::to_string(iteration);
      break;
    }
    if (iteration == picard.max_iterations) {
      end.trouble =
          "the iteration over what depends on the waves themselves did not converge: the heights still "
          "change by " +
          std::to_string(change) + " of the largest after " + std::to_string(iteration) + " iterations";
      break;
    }
    part = iteration == 1 ? 1 : picard.relaxation;
    tolerance = small ? system_.tolerance()
                      : std::fmax(system_.tolerance(), std::fmin(first_tolerance, change * share_of_change));
  }
  for (Member& m : members_) {
    m.report.converged = end.converged;
    m.report.stopped = end.stopped;
    m.report.trouble = end.trouble;
    m.report.solver = system_.solver_name();
  }
  return solved;
}

template <ExecutionSpace Exec, class Real>
WaveMember<Exec, Real> const& PicardIteration<Exec, Real>::member(Exec const& space, std::size_t number) const {
  Member const& m = members_[number];
  if (several()) set_dispersion(space, m.omega, m.fields);
  return m;
}

template <ExecutionSpace Exec, class Real>
std::int64_t PicardIteration<Exec, Real>::bytes() const {
  return static_cast<std::int64_t>(elevation_.size() * sizeof(Kokkos::complex<Real>)) + fields_.bytes() +
         (several() ? sea_bytes(problem_, members_.size()) : 0);
}

#define KARMAN_INSTANTIATE(Exec)               \
  template class PicardIteration<Exec, float>; \
  template class PicardIteration<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::waves
