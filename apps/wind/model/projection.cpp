// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "projection.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>

namespace karman::wind {
namespace {

using Clock = std::chrono::steady_clock;

/// A pass aims a little below the tolerance, because its correction of the velocity adds rounding errors.
constexpr double aim_below = 0.9;
/// A pass counts as idle when it leaves more than this fraction of its initial divergence.
constexpr double progress_factor = 0.98;
/// Limit of successive checks without a new lowest divergence, after which a pass ends. A slow method lowers it a
/// little from check to check, rounding not at all. The same number of idle passes ends the iteration.
constexpr std::size_t most_idle_samples = 10;
constexpr int most_idle_passes = 3;
/// Stagnation at so many times the estimated rounding is still the limit of the precision: the estimate leaves out
/// vertical wind and the correction.
constexpr double stagnant_rounding = 10;

double epsilon(Precision precision) {
  return precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                     : std::numeric_limits<double>::epsilon();
}

/// Largest reduction of the divergence by one pass: beyond it, round-off dominates the residual.
double most_reduction(Precision precision) { return 1e4 * epsilon(precision); }

/// Limit of the cycles of multigrid in one pass. With this many it has met a problem that another pass may start
/// afresh.
constexpr int most_cycles = 200;

/// The smallest multiple of `every` beyond `iteration`.
int next_multiple(int iteration, int every) { return (iteration / every + 1) * every; }

class Iteration {
 public:
  Iteration(WindModel& model, SolverSettings const& settings, ProjectionState& state, ProjectionHooks const& hooks,
            int largest_extent)
      : model_(model),
        settings_(settings),
        state_(state),
        hooks_(hooks),
        settling_(2 * largest_extent),
        start_(Clock::now()),
        earlier_seconds_(state.seconds) {}

  ProjectionEnd run() {
    bool resume = state_.in_pass;
    // A first guess may need no pass: the velocity after the wall law is then no initial field.
    bool const after_guess = state_.wall_law && state_.initial_divergence > 0;
    bool const fresh = state_.passes == 0 && !resume && !after_guess;
    double present = model_.update_divergence();
    if (fresh) state_.initial_divergence = present;
    if (!std::isfinite(present) || !std::isfinite(state_.initial_divergence)) return ProjectionEnd::not_finite;
    if (fresh && state_.history.empty()) add_sample(present);
    if (fresh && state_.first_guess && present > 0) {
      model_.apply_first_guess();
      state_.first_guess = false;
      present = model_.update_divergence();
      if (!std::isfinite(present)) return ProjectionEnd::not_finite;
      state_.history.pop_back();
      add_sample(present);
    }
    for (;;) {
      if (!resume) {
        if (present <= settings_.tolerance * state_.initial_divergence) return ProjectionEnd::converged;
        if (present <= hooks_.rounding) return ProjectionEnd::rounding;
        bool const idle = state_.idle_passes >= most_idle_passes;
        if (idle && present <= stagnant_rounding * hooks_.rounding) return ProjectionEnd::rounding;
        if (state_.iteration >= settings_.max_iterations) {
          state_.pass_start = state_.iteration;  // a restart begins the pass that does not begin here
          return ProjectionEnd::iterations_exhausted;
        }
        if (idle) return ProjectionEnd::stagnated;
        state_.pass_divergence = present;
        state_.pass_start = state_.iteration;
        if (!model_.has_whole_passes()) begin_pass(fresh);
      } else {
        model_.resume_pass();
        resume = false;
      }
      ProjectionEnd const end = model_.has_whole_passes() ? whole_pass() : sweep();
      if (end != ProjectionEnd::converged) return end;
      if (!model_.has_whole_passes()) model_.end_pass();
      state_.in_pass = false;
      ++state_.passes;
      present = model_.update_divergence();
      if (!std::isfinite(present)) return ProjectionEnd::not_finite;
      state_.idle_passes = present > progress_factor * state_.pass_divergence ? state_.idle_passes + 1 : 0;
      // The divergence of the velocities replaces the solver's own figure for the same iteration.
      if (state_.history.back().iteration == state_.iteration) state_.history.pop_back();
      add_sample(present);
    }
  }

 private:
  void add_sample(double divergence) {
    state_.seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - start_).count();
    double const relative = state_.initial_divergence > 0 ? divergence / state_.initial_divergence : 0;
    state_.history.push_back({state_.iteration, relative, state_.seconds});
  }

  void begin_pass(bool fresh) {
    state_.in_pass = true;
    model_.begin_pass();
    if (fresh && state_.iteration == 0 && hooks_.watched && hooks_.watch_every > 0) hooks_.watched(state_);
  }

  /// Divergence at which a pass ends.
  double target() const {
    return std::max(aim_below * std::max(settings_.tolerance * state_.initial_divergence, hooks_.rounding),
                    most_reduction(settings_.precision) * state_.pass_divergence);
  }

  /// The cycles of one pass of multigrid. `converged` refers to this pass.
  ProjectionEnd whole_pass() {
    WholePass pass;
    pass.target = target();
    pass.start = state_.pass_divergence;
    pass.first_iteration = state_.iteration;
    pass.last_iteration = std::min(settings_.max_iterations, state_.iteration + most_cycles);
    pass.checked = [this](int iteration, double remaining) {
      state_.iteration = iteration;
      add_sample(remaining);
      return !hooks_.checked || hooks_.checked(state_);
    };
    if (model_.solve_pass(pass) == WholePassEnd::done) return ProjectionEnd::converged;
    state_ = resumable(std::move(state_));
    return ProjectionEnd::interrupted;
  }

  /// The sweeps of one pass. `converged` refers to this pass, not to the whole iteration.
  ProjectionEnd sweep() {
    double const target = this->target();
    find_samples_of_pass();
    while (state_.iteration < settings_.max_iterations) {
      int const check = std::min(next_multiple(state_.iteration, settings_.check_every), settings_.max_iterations);
      int next = check;
      if (hooks_.watch_every > 0) next = std::min(next, next_multiple(state_.iteration, hooks_.watch_every));
      model_.iterate(next - state_.iteration);
      state_.iteration = next;
      if (hooks_.watch_every > 0 && next % hooks_.watch_every == 0 && hooks_.watched) hooks_.watched(state_);
      if (next < check) continue;
      double const remaining = model_.remaining_divergence();
      add_sample(remaining);
      if (!std::isfinite(remaining)) return ProjectionEnd::not_finite;
      if (remaining <= target || idle()) break;
      if (hooks_.checked && !hooks_.checked(state_)) return ProjectionEnd::interrupted;
    }
    return ProjectionEnd::converged;
  }

  /// Checks of a pass continued from a checkpoint count like those made here.
  void find_samples_of_pass() {
    auto const& history = state_.history;
    auto const first = std::find_if(history.begin(), history.end(), [this](DivergenceSample const& sample) {
      return sample.iteration > state_.pass_start;
    });
    earlier_samples_end_ = static_cast<std::size_t>(first - history.begin());
    least_earlier_ = std::numeric_limits<double>::infinity();
  }

  /// True if the divergence has not fallen over the last checks of this pass. The beginning of a pass does not count:
  /// over-relaxation raises the divergence at first, while the corrections cross the domain.
  bool idle() {
    auto const& history = state_.history;
    for (; earlier_samples_end_ + most_idle_samples < history.size(); ++earlier_samples_end_)
      least_earlier_ = std::min(least_earlier_, history[earlier_samples_end_].relative_divergence);
    if (state_.iteration - state_.pass_start < settling_) return false;
    return std::all_of(history.begin() + static_cast<std::ptrdiff_t>(earlier_samples_end_), history.end(),
                       [this](DivergenceSample const& sample) { return sample.relative_divergence >= least_earlier_; });
  }

  WindModel& model_;
  SolverSettings const& settings_;
  ProjectionState& state_;
  ProjectionHooks const& hooks_;
  int settling_;
  Clock::time_point start_;
  double earlier_seconds_;
  /// Checks of the present pass before the last `most_idle_samples`: the index beyond them, and the least divergence.
  std::size_t earlier_samples_end_ = 0;
  double least_earlier_ = 0;
};

}  // namespace

ProjectionState resumable(ProjectionState state) {
  if (state.in_pass) return state;
  state.iteration = state.pass_start;
  while (!state.history.empty() && state.history.back().iteration > state.iteration) state.history.pop_back();
  return state;
}

ProjectionEnd project(WindModel& model, SolverSettings const& settings, ProjectionState& state,
                      ProjectionHooks const& hooks, int largest_extent) {
  ProjectionEnd const end = Iteration(model, settings, state, hooks, largest_extent).run();
  if (!is_done(end) || state.wall_law || !model.has_wall_law()) return end;
  model.apply_wall_law();
  state.wall_law = true;
  state.idle_passes = 0;
  return Iteration(model, settings, state, hooks, largest_extent).run();
}

}  // namespace karman::wind
