// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picard_iteration.hpp"

#include "complex_values.hpp"
#include <karman/core/host_copy.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace karman::waves {
namespace {

/// Tolerance of a first solution, which serves to compute the losses; and of later ones relative to the change of the
/// heights.
constexpr double first_tolerance = 1e-4, share_of_change = 1e-3;

template <ExecutionSpace Exec, class Real>
Elevation<Exec, Real> still_water(Exec const& space, std::size_t nodes) {
  return Elevation<Exec, Real>(Kokkos::view_alloc(space, std::string("karman::waves::elevation")), nodes);
}

template <ExecutionSpace Exec>
SeaField<Exec> still_sea(Exec const& space, char const* label, std::size_t nodes) {
  return SeaField<Exec>(Kokkos::view_alloc(space, std::string(label)), nodes);
}

constexpr std::size_t sea_values = 7;
static_assert(sizeof(LocalSea) == sea_values * sizeof(double) && std::is_trivially_copyable_v<LocalSea>);

void append(std::vector<double>& all, std::vector<double> const& some) {
  all.insert(all.end(), some.begin(), some.end());
}

template <ExecutionSpace Exec, class Real>
std::vector<double> parts_of(Exec const& space, Elevation<Exec, Real> const& elevation) {
  std::vector<double> parts;
  parts.reserve(2 * elevation.size());
  for (std::complex<double> const& value : host_copy<std::complex<double>>(space, elevation))
    parts.insert(parts.end(), {value.real(), value.imag()});
  return parts;
}

template <ExecutionSpace Exec>
std::vector<double> numbers_of(Exec const& space, SeaField<Exec> const& sea) {
  std::vector<LocalSea> const values = host_copy<LocalSea>(space, sea);
  std::vector<double> numbers(sea_values * values.size());
  if (!values.empty()) std::memcpy(numbers.data(), values.data(), numbers.size() * sizeof(double));
  return numbers;
}

/// Values of one of `count` members of a snapshot. Throws std::invalid_argument for any other number of values.
std::vector<double> part_of(std::vector<double> const& all, std::size_t number, std::size_t count, std::size_t values,
                            char const* what) {
  require(all.size() == count * values, "wave snapshot: " + std::to_string(all.size()) + " values of " + what +
                                            ", expected " + std::to_string(count * values));
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(number * values);
  return {begin, begin + static_cast<std::ptrdiff_t>(values)};
}

template <ExecutionSpace Exec>
void upload_sea(Exec const& space, std::vector<double> const& numbers, SeaField<Exec> const& sea) {
  std::vector<double> const all = part_of(numbers, 0, 1, sea_values * sea.extent(0), "a sea");
  std::vector<LocalSea> values(sea.extent(0));
  std::memcpy(static_cast<void*>(values.data()), all.data(), all.size() * sizeof(double));
  copy_to_device(space, values, sea);
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
  copy_to_device(space, problem.depth, fields_.depth);
  std::vector<double> const& friction = problem.dissipation.friction_at_nodes;
  if (friction.empty()) Kokkos::deep_copy(space, fields_.friction_value, friction_everywhere(problem.dissipation));
  else copy_to_device(space, friction, fields_.friction_value);
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::prepare(Exec const& space, std::vector<WaveComponent> const& components) {
  if (members_.size() != components.size()) resize(space, components.size());
  for (std::size_t n = 0; n < components.size(); ++n) {
    Member& m = members_[n];
    m.period = components[n].period;
    m.omega = angular_frequency(m.period);
    m.incident = incident_field(problem_, boundary_, m.omega, components[n].waves);
    m.edges = device_copy(space, m.incident.edges, "karman::waves::incident");
    m.report = {};
    clear(space, m.fields);
    Kokkos::deep_copy(space, m.elevation, Kokkos::complex<Real>(0));
  }
  if (several()) Kokkos::deep_copy(space, sea_, LocalSea{});
  system_.start(members_.front().omega);
  position_ = {};
  position_.tolerance = nonlinear() ? first_tolerance : system_.tolerance();
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
void PicardIteration<Exec, Real>::update_coefficients(Exec const& space, Member const& m, bool first, double part) {
  bool const by_amplitude = problem_.amplitude_dispersion;
  if (by_amplitude && !first) update_amplitude(space, part, m.elevation, m.fields);
  if (several() || by_amplitude || first) set_dispersion(space, m.omega, m.fields);
  if (several()) update_sea_friction(space, law_, m.omega, part, sea_before_, m.elevation, m.fields);
  else update_losses(space, law_, m.omega, part, m.elevation, m.fields);
}

template <ExecutionSpace Exec, class Real>
typename PicardIteration<Exec, Real>::Pass PicardIteration<Exec, Real>::pass_over(Exec const& space,
                                                                                  Stopwatch const& watch,
                                                                                  Monitor const& monitor) {
  PicardPosition& at = position_;
  double const seconds_before = at.seconds;
  Pass pass;
  pass.change = at.change;
  if (several() && at.component == 0) {
    std::swap(sea_, sea_before_);
    Kokkos::deep_copy(space, sea_, LocalSea{});
    update_sea_breaking(space, law_, at.part, sea_before_, fields_);
  }
  while (at.component < members_.size()) {
    Member& m = members_[at.component];
    Stopwatch const own;
    update_coefficients(space, m, at.iteration == 1, at.part);
    system_.set_frequency(m);
    int const counted = m.report.linear_iterations;
    double reached = at.tolerance;
    LinearOutcome linear = system_.solve(space, m, reached);
    if (linear.converged && linear.iterations == 0 && reached > system_.tolerance()) {
      // The last solution, or the direct solver, meets the reduced tolerance already. Without a new solution the
      // heights would seem to converge.
      reached = system_.tolerance();
      linear = system_.solve_again(space, m, reached);
    }
    at.loosest = std::fmax(at.loosest, reached);
    if (several()) add_to_sea(space, m.omega, m.elevation, m.fields, sea_);
    if (++at.component == members_.size()) {
      pass.heights = several() ? take_sea_heights(space, sea_, fields_) : take_heights(space, m.elevation, m.fields);
      // Change of a whole step: a step with a part of the new losses shows only that part.
      HeightChange const& h = pass.heights;
      pass.change = h.highest == 0 ? 0 : (at.iteration == 1 ? 1 : h.change / h.highest / at.part);
    }
    at.seconds = seconds_before + watch.seconds();
    m.report.seconds += own.seconds();
    m.report.history.push_back({at.iteration, pass.change, m.report.linear_iterations - counted, linear.residual,
                                at.seconds, at.component - 1});
    pass.go_on = !monitor || monitor(m.report.history.back());
    if (!linear.converged) {
      pass.stalled = (several() ? "component " + std::to_string(at.component - 1) + ", " : std::string()) +
                     "iteration " + std::to_string(at.iteration) + ": the linear solver did not converge (" +
                     linear.trouble + ")";
    }
    if (!linear.converged || !pass.go_on) break;
  }
  for (std::size_t n = 0; n < at.component; ++n) members_[n].report.history.back().change = pass.change;
  return pass;
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::advance(double change) {
  bool const small = position_.iteration > 1 && change <= problem_.picard.tolerance;
  position_.part = position_.iteration == 1 ? 1 : problem_.picard.relaxation;
  position_.tolerance = small ? system_.tolerance()
                              : std::fmax(system_.tolerance(), std::fmin(first_tolerance, change * share_of_change));
  position_.change = change;
  position_.loosest = 0;
  position_.component = 0;
  ++position_.iteration;
}

template <ExecutionSpace Exec, class Real>
bool PicardIteration<Exec, Real>::run(Exec const& space, Monitor const& monitor) {
  PicardSettings const& picard = problem_.picard;
  WaveReport end;  // of all components
  at_limit_ = false;
  for (;;) {
    int const iteration = position_.iteration;
    Stopwatch const watch;
    Pass const pass = pass_over(space, watch, monitor);
    bool const whole = position_.component == members_.size();
    bool const small = iteration > 1 && pass.change <= picard.tolerance;
    bool const settled = whole && (!nonlinear() || (small && position_.loosest == system_.tolerance()));
    if (pass.heights.wrong > 0) {
      end.trouble = "the elevation is NaN at " + std::to_string(pass.heights.wrong) + " nodes";
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
    if (whole && iteration == picard.max_iterations) {
      end.trouble = "the Picard iteration did not converge: the heights still change by " +
                    std::to_string(pass.change) + " of the largest after " + std::to_string(iteration) + " iterations";
      at_limit_ = true;
      advance(pass.change);  // a snapshot continues there
      break;
    }
    if (whole) advance(pass.change);
    if (!pass.go_on) {
      end.stopped = true;
      end.trouble = "stopped after iteration " + std::to_string(iteration);
      break;
    }
  }
  for (Member& m : members_) {
    m.report.converged = end.converged;
    m.report.stopped = end.stopped;
    m.report.trouble = end.trouble;
    m.report.solver = system_.solver_name();
  }
  return !end.stopped;
}

template <ExecutionSpace Exec, class Real>
WaveMember<Exec, Real> const& PicardIteration<Exec, Real>::member(Exec const& space, std::size_t number) const {
  Member const& m = members_[number];
  if (several()) set_dispersion(space, m.omega, m.fields);
  return m;
}

template <ExecutionSpace Exec, class Real>
WaveValues PicardIteration<Exec, Real>::values(Exec const& space) const {
  WaveValues all;
  std::size_t const count = members_.size() * elevation_.size();
  all.elevation.reserve(2 * count);
  if (keeps_losses()) all.friction.reserve(count);
  if (problem_.amplitude_dispersion) all.amplitude.reserve(count);
  for (Member const& m : members_) {
    append(all.elevation, parts_of<Exec, Real>(space, m.elevation));
    if (keeps_losses()) append(all.friction, host_copy<double>(space, m.fields.friction));
    if (problem_.amplitude_dispersion) append(all.amplitude, host_copy<double>(space, m.fields.amplitude));
  }
  if (!keeps_losses()) return all;
  all.breaking = host_copy<double>(space, fields_.breaking);
  all.share = host_copy<double>(space, fields_.share);
  return all;
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::set_values(Exec const& space, WaveValues const& values) {
  std::size_t const nodes = elevation_.size(), count = members_.size();
  for (std::size_t n = 0; n < count; ++n) {
    Member const& m = members_[n];
    copy_to_device(
        space,
        complex_values<Real>(part_of(values.elevation, n, count, 2 * nodes, "the elevation"), nodes, "elevations"),
        m.elevation);
    if (problem_.amplitude_dispersion)
      copy_to_device(space, part_of(values.amplitude, n, count, nodes, "the amplitude"), m.fields.amplitude);
    if (keeps_losses()) copy_to_device(space, part_of(values.friction, n, count, nodes, "friction"), m.fields.friction);
  }
  if (keeps_losses()) {
    copy_to_device(space, part_of(values.breaking, 0, 1, nodes, "breaking"), fields_.breaking);
    copy_to_device(space, part_of(values.share, 0, 1, nodes, "the breaking share"), fields_.share);
  }
  // Losses that are independent of the waves are not in the values: the first iteration sets them.
  Member const& m = members_.front();
  set_dispersion(space, m.omega, m.fields);
  if (!keeps_losses()) update_losses(space, law_, m.omega, 1, m.elevation, m.fields);
}

template <ExecutionSpace Exec, class Real>
WaveSnapshot PicardIteration<Exec, Real>::snapshot(Exec const& space) const {
  WaveSnapshot snapshot;
  snapshot.values = values(space);
  snapshot.height = host_copy<double>(space, fields_.height);
  snapshot.sea = numbers_of<Exec>(space, sea_);
  snapshot.sea_before = numbers_of<Exec>(space, sea_before_);
  snapshot.position = position_;
  system_.save(snapshot);
  for (Member const& m : members_) snapshot.reports.push_back(m.report);
  return snapshot;
}

template <ExecutionSpace Exec, class Real>
void PicardIteration<Exec, Real>::restore(Exec const& space, WaveSnapshot const& snapshot) {
  PicardPosition const& at = snapshot.position;
  bool fits = snapshot.reports.size() == members_.size() && at.iteration >= 1 &&
              at.iteration <= problem_.picard.max_iterations && at.component < members_.size();
  for (std::size_t n = 0; fits && n < at.component; ++n) fits = !snapshot.reports[n].history.empty();
  require(fits, "wave snapshot: iteration " + std::to_string(at.iteration) + ", component " +
                    std::to_string(at.component) + " of " + std::to_string(snapshot.reports.size()) +
                    " does not exist in the problem");
  set_values(space, snapshot.values);
  copy_to_device(space, part_of(snapshot.height, 0, 1, elevation_.size(), "the height"), fields_.height);
  if (several()) {
    upload_sea<Exec>(space, snapshot.sea, sea_);
    upload_sea<Exec>(space, snapshot.sea_before, sea_before_);
  }
  for (std::size_t n = 0; n < members_.size(); ++n) members_[n].report = snapshot.reports[n];
  system_.restore(space, snapshot);
  position_ = at;
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
