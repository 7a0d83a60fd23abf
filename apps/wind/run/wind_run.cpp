// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_run.hpp"

#include "common/case/texts.hpp"
#include "common/run/divided_cells.hpp"
#include "common/run/run_context.hpp"
#include "sweep_run.hpp"
#include "wind/case/wind/read_sensors.hpp"
#include "wind/model/projection.hpp"
#include "wind/output/series_output.hpp"
#include "wind/output/sweep_output.hpp"
#include "wind/output/wind_checkpoint.hpp"
#include "wind/output/wind_output.hpp"
#include "wind_estimate.hpp"
#include <karman/io/communicator_files.hpp>
#include <karman/io/config.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace karman::wind {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// The run of this process, or of several processes with a part of the domain each: options and state.
class Run {
 public:
  Run(app::RunContext& context, Case const& input, WindCase const& wind_case)
      : context_(context),
        input_(input),
        case_(wind_case),
        files_(file_processes(context.communicator())),
        watch_(wind_case) {
    context.checkpoints().set(context.folder() / checkpoint_file, wind_case.solver.checkpoint_every);
  }

  /// `iterations`: as expected.
  int execute(std::int64_t iterations) {
    record_.backend = context_.backend();
    Clock::time_point start = Clock::now();
    std::unique_ptr<WindModel> const model = make_wind_model(record_.backend.backend, case_, context_.communicator());
    record_.set_up_seconds = seconds_since(start);
    if (auto const end = context_.stopped_in_set_up()) return *end;
    start = Clock::now();
    model->set_initial_field();
    model->keep_divergence_before();
    if (context_.restarts()) {
      context_.report().warn(load_state(files_, context_.options().restart, input_, case_, *model, state_, watch_));
    }
    record_.initial_field_seconds = seconds_since(start);
    if (auto const end = context_.stopped_in_set_up()) return *end;
    return solve(*model, iterations);
  }

 private:
  int solve(WindModel& model, std::int64_t iterations) {
    Progress progress({.mode = context_.options().progress,
                       .label = std::string(name(case_.solver.method)),
                       .total = double(iterations)});
    ProjectionHooks hooks;
    hooks.checked = [&](ProjectionState const& state) {
      progress.update(state.iteration, formatted("divergence %.2e", state.history.back().relative_divergence));
      // Within a pass, so that a restart with a higher limit continues to the bits of a run that had it from the start.
      saved_at_limit_ = state.in_pass && state.iteration >= case_.solver.max_iterations;
      // The clock of the first process counts.
      if (saved_at_limit_ || context_.communicator().broadcast(context_.checkpoints().due())) save(model, state);
      return !context_.all_must_stop();
    };
    if (case_.solver.automatic_tolerance) hooks.rounding = rounding_divergence(case_);
    if (watch_.active()) {
      hooks.watch_every = watch_.watch().every;
      hooks.watched = [&](ProjectionState const& state) { watch_.take(model, state.iteration); };
    }
    Clock::time_point const start = Clock::now();
    UniformGrid const& grid = case_.grid;
    record_.end = project(model, case_.solver, state_, hooks, std::max({grid.nx(), grid.ny(), grid.nz()}));
    record_.solve_seconds = seconds_since(start);
    progress.finish(state_.iteration, formatted("divergence %.2e", last_divergence()));
    return conclude(model);
  }

  void save(WindModel& model, ProjectionState const& state) {
    save_state(files_, context_.checkpoints().file(), case_, model, state, watch_);
    context_.checkpoints().note_written();
  }

  int conclude(WindModel& model) {
    if (record_.end == ProjectionEnd::interrupted) {
      save(model, state_);
      return context_.report().stopped(formatted("after %d iterations", state_.iteration), context_.continuation());
    }
    if (record_.end == ProjectionEnd::not_finite) return report_breakdown(model);
    bool const exhausted = record_.end == ProjectionEnd::iterations_exhausted;
    if (exhausted && !saved_at_limit_) save(model, state_);
    write_output(files_, context_.folder(), context_.options().overwrite, case_, model, state_, watch_, record_);
    report(model);
    if (record_.end == ProjectionEnd::rounding) report_rounding();
    if (is_done(record_.end)) return app::done;
    std::string const advice =
        record_.end == ProjectionEnd::stagnated && case_.solver.precision == Precision::f32
            ? "; single precision is exhausted: set /solver/precision to f64"
        : record_.end == ProjectionEnd::stagnated
            ? "; double precision is exhausted: raise /solver/tolerance"
            : std::string(case_.solver.method == Method::sor ? "; set /solver/method to mg_pcg or" : ";") +
                  " continue with " + context_.continuation("/solver/max_iterations", state_.iteration);
    return context_.report().not_converged(formatted(" after %d iterations: relative divergence %.2e, tolerance %.2e",
                                                     state_.iteration, last_divergence(), case_.solver.tolerance) +
                                           advice);
  }

  int report_breakdown(WindModel& model) {
    model.store_correction();
    for (ModelField field : {ModelField::u, ModelField::v, ModelField::w, ModelField::lambda, ModelField::correction}) {
      if (auto const cell = model.find_not_finite(field)) {
        auto const [k, j, i] = *cell;
        return context_.report().broken_down(
            std::string(name(field)) +
            formatted(" is not finite at (k, j, i) = (%d, %d, %d), iteration %d; no results written", k, j, i,
                      state_.iteration));
      }
    }
    return context_.report().broken_down(
        formatted("the divergence is not finite, iteration %d; no results written", state_.iteration));
  }

  /// "at the limit of single precision: max |div u| dx / U is 3.1e-07, estimated limit 4.8e-07".
  void report_rounding() const {
    UniformGrid const& grid = case_.grid;
    double const scale = std::min(grid.dx(), grid.dy()) / largest_speed(case_);
    std::printf(
        "tolerance %.1e not reached, at the limit of %s precision: max |div u| dx / U is %.2e, estimated limit "
        "%.2e\n",
        case_.solver.tolerance, case_.solver.precision == Precision::f32 ? "single" : "double",
        last_divergence() * state_.initial_divergence * scale, rounding_divergence(case_) * scale);
  }

  void report(WindModel const& model) const {
    std::string const method(name(case_.solver.method));
    std::string const factor = case_.solver.method == Method::sor ? formatted(", omega %.4f", model.omega()) : "";
    std::printf("%d %s of %s in %s%s, relative divergence %.2e\n", state_.iteration,
                case_.solver.method == Method::sor ? "iterations" : "cycles", method.c_str(),
                context_.time_words(duration_text(state_.seconds)).c_str(), factor.c_str(), last_divergence());
    std::printf("%s\n", (context_.folder() / fields_file).c_str());
  }

  double last_divergence() const { return state_.history.empty() ? 0 : state_.history.back().relative_divergence; }

  app::RunContext& context_;
  Case const& input_;
  WindCase const& case_;
  FileProcesses files_;
  RunRecord record_;
  ProjectionState state_;
  WatchRecord watch_;
  bool saved_at_limit_ = false;  ///< the checkpoint has the last iteration, within its pass
};

/// Throws CannotRun for a domain that so many processes cannot divide.
void require_parts(int processes, WindCase const& wind_case) {
  std::array<int, 3> const cells = wind_case.grid.global_cells();
  if (processes > 1 && !app::divided_cells(cells, processes)) throw app::not_divided(cells, processes);
}

}  // namespace

int run_wind(app::RunOptions const& options) {
  app::RunContext context("wind", options);
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  int const processes = context.announced_processes();
  WindCase const wind_case = read_wind_case(input, processes);
  context.require_same_case(wind_case.text);
  if (divides_domain(wind_case)) require_parts(processes, wind_case);
  if (auto const end = context.prepare({output_files(wind_case)})) return *end;
  std::printf("%s\n", wind_case.wind_text.c_str());
  std::string const map = place_text(wind_case.place, turns_readings(input));
  if (!map.empty()) std::printf("%s\n", map.c_str());
  for (std::string const& warning : wind_case.warnings) context.report().warn(warning);
  WindEstimate const need = estimate(wind_case, context.backend().backend, context.copy_rate(), processes);
  if (auto const end = context.open(need)) return *end;
  if (wind_case.sweep || wind_case.series) return run_sweep(context, input, wind_case);
  return Run(context, input, wind_case).execute(need.iterations);
}

}  // namespace karman::wind
