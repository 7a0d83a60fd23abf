// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep_run.hpp"

#include "common/case/texts.hpp"
#include "common/run/clock.hpp"
#include "common/run/member_rounds.hpp"
#include "wind/model/host_field.hpp"
#include "wind/model/projection.hpp"
#include "wind/output/probe_output.hpp"
#include "wind/output/series_output.hpp"
#include "wind/output/wind_output.hpp"
#include <karman/io/communicator_files.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace karman::wind {
namespace {

using app::formatted;

class SweepRun {
 public:
  SweepRun(app::RunContext& context, Case const& input, WindCase const& wind_case)
      : context_(context),
        input_(input),
        case_(wind_case),
        is_series_(wind_case.series.has_value()),
        is_chain_(is_series_ && wind_case.series->from_previous),
        divides_(divides_domain(wind_case)),
        part_(wind_case, divides_ ? context.processes() : 1, divides_ ? context.communicator().rank() : 0),
        count_(is_series_ ? wind_case.series->times.size() : wind_case.sweep->sectors.size()) {
    context.checkpoints().set(context.folder() / (is_series_ ? series_checkpoint_file : sweep_checkpoint_file),
                              wind_case.solver.checkpoint_every);
  }

  int execute() {
    if (context_.restarts()) {
      context_.report().warn(load_sweep(file_processes(context_.communicator()), context_.options().restart, input_,
                                        case_, part_, state_));
      if (is_chain_) discard_from(next_open(0));
      restarted_ = !state_.directions.empty();
    }
    std::unique_ptr<WindModel> const model =
        make_wind_model(context_.backend().backend, case_, divides_ ? context_.communicator() : Communicator());
    if (auto const end = context_.stopped_in_set_up()) return *end;
    return solve_all(*model);
  }

 private:
  char const* result_file() const { return is_series_ ? series_file : sweep_file; }

  /// Of this process, or of all that divide the domain.
  void save() {
    note_time();
    FileProcesses const processes = divides_ ? file_processes(context_.communicator()) : FileProcesses();
    save_sweep(processes, context_.checkpoints().file(), case_, part_, state_);
    context_.checkpoints().note_written();
  }

  /// Collective.
  void save_together() {
    if (divides_) save();
    else context_.by_first([this] { save(); });
  }

  /// Whether this process is to take part in saving. The clock of the first one counts.
  bool must_save() {
    if (divides_) return context_.communicator().broadcast(context_.checkpoints().due());
    return context_.is_first() && context_.checkpoints().due();
  }

  /// Adds the time since the last call to the elapsed time of the solves.
  void note_time() { state_.seconds += app::seconds_since(std::exchange(counted_until_, app::Clock::now())); }

  int solve_all(WindModel& model) {
    counted_until_ = app::Clock::now();
    Progress progress({.mode = context_.options().progress,
                       .label = is_series_ ? "series" : "sweep",
                       .unit = noun(),
                       .total = double(count_)});
    std::vector<std::size_t> const open = open_members();
    int const at_once = divides_ ? 1 : context_.processes();
    std::printf("%s", app::idle_processes(at_once, open.size(), counted(open.size())).c_str());
    for (auto const& round : app::member_rounds(open, at_once)) {
      for (Member& member : solve_round(model, round)) {
        if (member.end == ProjectionEnd::interrupted) return interrupted();
        if (member.end == ProjectionEnd::not_finite) {
          return context_.report().broken_down("the divergence is not finite in " + step_name(member.n) +
                                               "; no results written");
        }
        if (member.n < state_.directions.size()) state_.directions[member.n] = std::move(member.swept);
        else state_.directions.push_back(std::move(member.swept));
      }
      progress.update(double(round.back() + 1), step_name(round.back()));
      if (must_save()) save();
    }
    note_time();
    progress.finish(double(state_.directions.size()));
    if (ended_at_limit()) save_together();
    context_.by_first([this] { write_files(); });
    return report();
  }

  void write_files() {
    auto const write = is_series_ ? write_series : write_sweep;
    write(context_.folder(), context_.options().overwrite, case_, state_, context_.backend());
    remove_earlier_results(context_.folder(), output_files(case_), context_.options().overwrite);
  }

  /// A direction or time and the end of its solve.
  struct Member {
    std::size_t n;
    ProjectionEnd end;
    SweptDirection swept;
  };

  /// Numbers of a solve, as they travel between processes.
  struct MemberRow {
    ProjectionEnd end = ProjectionEnd::converged;
    int signal = 0;
    int iterations = 0;
    bool converged = false;
    double relative_divergence = 0, seconds = 0;
  };

  /// Solves these members: one in all processes, or each in one process, the first one in the first. All processes get
  /// the numbers, the first process the maps, too. Collective.
  std::vector<Member> solve_round(WindModel& model, std::span<std::size_t const> members) {
    std::size_t const rank = divides_ ? 0 : static_cast<std::size_t>(context_.communicator().rank());
    SweptDirection own;
    MemberRow row;
    if (rank < members.size()) row.end = solve(model, members[rank], own);
    std::vector<Member> all;
    if (divides_ || context_.processes() == 1) {
      all.push_back({members[0], row.end, std::move(own)});
      return all;
    }
    row.signal = stop_requested();
    row.iterations = own.iterations;
    row.converged = own.converged;
    row.relative_divergence = own.relative_divergence;
    row.seconds = own.seconds;
    auto const rows = context_.communicator().all_gather(row);
    auto maps = context_.communicator().gather_arrays(std::span<float const>(own.ratio));
    auto samples = context_.communicator().gather_arrays(std::span<float const>(own.samples));
    for (std::size_t r = 0; r < members.size(); ++r) {
      MemberRow const& other = rows[r];
      if (stop_requested() == 0 && other.signal != 0) request_stop(other.signal);
      SweptDirection swept{other.iterations, other.relative_divergence, other.seconds, other.converged, {}, {}};
      if (context_.is_first()) {
        swept.ratio = std::move(maps[r]);
        swept.samples = std::move(samples[r]);
      }
      all.push_back({members[r], other.end, std::move(swept)});
    }
    return all;
  }

  /// All that are not solved yet.
  std::vector<std::size_t> open_members() const {
    std::vector<std::size_t> open;
    for (std::size_t n = next_open(0); n < count_; n = next_open(n + 1)) open.push_back(n);
    return open;
  }

  /// The first direction or time from n on that is not solved yet. Those that ended unconverged at a lower limit of
  /// iterations count as such.
  std::size_t next_open(std::size_t n) const {
    auto const& all = state_.directions;
    while (n < all.size() && (all[n].converged || all[n].iterations >= case_.solver.max_iterations)) ++n;
    return n;
  }

  /// Discards a time and those after it, whose first guesses come from it. The first guess of that time itself is lost.
  void discard_from(std::size_t n) {
    if (n >= state_.directions.size()) return;
    state_.directions.resize(n);
    state_.lambda = {};
  }

  /// True if the limit of iterations ended one of them, so that a higher limit continues.
  bool ended_at_limit() const {
    return std::any_of(state_.directions.begin(), state_.directions.end(), [this](SweptDirection const& swept) {
      return !swept.converged && swept.iterations >= case_.solver.max_iterations;
    });
  }

  char const* noun() const { return is_series_ ? "times" : "directions"; }

  /// "1 time", "2 directions".
  std::string counted(std::size_t count) const {
    std::string const plural = noun();
    return std::to_string(count) + ' ' + (count == 1 ? plural.substr(0, plural.size() - 1) : plural);
  }

  std::string step_name(std::size_t n) const {
    return is_series_ ? formatted("time %g h", case_.series->times[n].time)
                      : formatted("direction %g", case_.sweep->sectors[n].direction);
  }

  /// The initial field of one direction, or of one time. True where lambda of the previous time is the first guess.
  bool set_initial_field(WindModel& model, std::size_t n) {
    if (!is_series_) {
      model.set_direction(case_.sweep->sectors[n].direction);
      model.set_initial_field();
      return false;
    }
    set_wind_of_time(*case_.series, n, present_);
    model.set_wind(present_);
    if (!is_chain_) {
      model.set_initial_field();
      return false;
    }
    bool const restarted = std::exchange(restarted_, false);
    if (n == 0 || (restarted && state_.lambda.empty())) {
      model.set_initial_field();
      return false;
    }
    if (restarted) model.restore(ModelField::lambda, std::as_const(state_.lambda).array());
    model.set_initial_field_keeping_lambda();
    return true;
  }

  /// Lambda on the host, for a checkpoint: a solve that a signal stops has changed that of the model.
  void keep_lambda(WindModel& model) {
    state_.lambda = {};  // its memory first
    state_.lambda = copy_to_host(model, ModelField::lambda, case_);
  }

  /// Solves one direction or time; `swept` is complete unless it was interrupted or broke down.
  ProjectionEnd solve(WindModel& model, std::size_t n, SweptDirection& swept) {
    app::Clock::time_point const start = app::Clock::now();
    ProjectionState state;
    state.first_guess = set_initial_field(model, n);
    ProjectionHooks hooks;
    hooks.checked = [this](ProjectionState const&) {
      return divides_ ? !context_.all_must_stop() : !context_.must_stop();
    };
    if (case_.solver.automatic_tolerance) hooks.rounding = rounding_divergence(present_);
    UniformGrid const& grid = case_.grid;
    ProjectionEnd const end = project(model, case_.solver, state, hooks, std::max({grid.nx(), grid.ny(), grid.nz()}));
    if (end == ProjectionEnd::interrupted || end == ProjectionEnd::not_finite) return end;
    swept.iterations = state.iteration;
    swept.relative_divergence = state.history.empty() ? 0 : state.history.back().relative_divergence;
    swept.converged = is_done(end);
    swept.ratio = speed_ratios(model);
    if (is_series_) swept.samples = probe_velocities(model);
    if (divides_ && !context_.is_first()) swept.ratio = swept.samples = {};
    if (is_chain_ && n + 1 < count_) keep_lambda(model);
    else state_.lambda = {};
    swept.seconds = app::seconds_since(start);
    return end;
  }

  /// Velocities at the samples of all probes.
  std::vector<float> probe_velocities(WindModel& model) const {
    std::vector<float> values(static_cast<std::size_t>(3 * probe_samples(present_)));
    float* at = values.data();
    for (Probe const& probe : present_.outputs.probes) {
      sample_in_batches(model, present_, probe, [at](std::size_t n, std::array<double, 3> const& velocity) {
        for (std::size_t c = 0; c < 3; ++c) at[3 * n + c] = static_cast<float>(velocity[c]);
      });
      at += 3 * probe.count(present_.grid);
    }
    return values;
  }

  std::vector<float> speed_ratios(WindModel& model) const {
    double const reference = is_series_ ? 1 : case_.profile.speed_at(case_.sweep->reference_height);
    Probe const plane = plane_above_ground(is_series_ ? case_.series->height : case_.sweep->height);
    std::vector<float> ratios(static_cast<std::size_t>(plane.count(case_.grid)));
    sample_in_batches(model, present_, plane, [&](std::size_t n, std::array<double, 3> const& velocity) {
      auto const [u, v, w] = velocity;
      ratios[n] = static_cast<float>(std::sqrt(u * u + v * v + w * w) / reference);
    });
    return ratios;
  }

  int interrupted() {
    save_together();
    return context_.report().stopped("after " + counted(state_.directions.size()), context_.continuation());
  }

  int report() const {
    int iterations = 0;
    std::size_t failed = 0, at_rounding = 0;
    double worst = 0, worst_at_rounding = 0;
    for (SweptDirection const& swept : state_.directions) {
      iterations += swept.iterations;
      failed += swept.converged ? 0 : 1;
      worst = std::max(worst, swept.relative_divergence);
      // Done above the tolerance: the solve ended at the rounding.
      if (!swept.converged || swept.relative_divergence <= case_.solver.tolerance) continue;
      ++at_rounding;
      worst_at_rounding = std::max(worst_at_rounding, swept.relative_divergence);
    }
    // One divided domain has one solve at a time.
    std::string const time = divides_ ? context_.time_words(duration_text(state_.seconds))
                                      : context_.time_words(state_.seconds, summed_seconds(state_), noun());
    std::printf("%s, %d %s of %s in %s, relative divergence %.2e at most\n", counted(state_.directions.size()).c_str(),
                iterations, case_.solver.method == Method::sor ? "iterations" : "cycles",
                std::string(name(case_.solver.method)).c_str(), time.c_str(), worst);
    std::string const file = context_.folder() / result_file();
    std::printf("%s\n", file.c_str());
    if (at_rounding > 0) {
      std::printf(
          "tolerance %.1e not reached in %zu of %s, at the limit of %s precision: relative divergence %.2e "
          "at most\n",
          case_.solver.tolerance, at_rounding, counted(state_.directions.size()).c_str(),
          case_.solver.precision == Precision::f32 ? "single" : "double", worst_at_rounding);
    }
    if (failed == 0) return app::done;
    std::string const advice =
        ended_at_limit()
            ? "; continue with " + context_.continuation("/solver/max_iterations", case_.solver.max_iterations)
            : "";
    return context_.report().not_converged(
        formatted(" in %zu of %zu %s; see /%s in ", failed, state_.directions.size(), noun(), noun()) + file + advice);
  }

  app::RunContext& context_;
  Case const& input_;
  WindCase const& case_;
  bool is_series_;
  bool is_chain_;           // lambda of each time is the first guess of the next
  bool divides_;            // all processes solve each of them together
  DomainPart part_;         // of this process
  bool restarted_ = false;  // lambda of the finished times is that of the checkpoint
  std::size_t count_;
  SweepState state_;
  app::Clock::time_point counted_until_;  // by the elapsed time of the state
  WindCase present_ = case_;              // with the wind of the present time
};

}  // namespace

int run_sweep(app::RunContext& context, Case const& input, WindCase const& wind_case) {
  return SweepRun(context, input, wind_case).execute();
}

}  // namespace karman::wind
