// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wind_run.hpp"

#include "announcement.hpp"
#include "common/checkpoint_support.hpp"
#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "sweep_run.hpp"
#include "wind/model/projection.hpp"
#include "wind/output/wind_checkpoint.hpp"
#include "wind/output/wind_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace karman::wind {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// The run of the process: options and state.
class Run {
 public:
  Run(app::RunOptions const& options, Case const& input, WindCase const& wind_case)
      : options_(options), input_(input), case_(wind_case), folder_(app::output_folder(options)), watch_(wind_case) {}

  int execute() {
    if (!options_.dry_run) prepare_folder();
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    record_.backend = describe(backend);
    auto const need = announce(options_, case_, record_.backend);
    if (int const code = stopped_in_set_up()) return code;
    if (!need) return app::done;
    require_free_space(folder_, static_cast<std::uint64_t>(need->disk_bytes));

    Clock::time_point const start = Clock::now();
    std::unique_ptr<WindModel> const model = make_wind_model(record_.backend.backend, case_);
    record_.set_up_seconds = seconds_since(start);
    if (int const code = stopped_in_set_up()) return code;
    return solve(*model, *need);
  }

 private:
  void prepare_folder() {
    bool const goes_on = !options_.restart.empty();
    lock_ = prepare_output_folder(folder_, goes_on ? Overwrite::yes : options_.overwrite);
    require_no_output(folder_, options_.overwrite, case_.outputs);
  }

  int solve(WindModel& model, WindEstimate const& need) {
    Clock::time_point start = Clock::now();
    model.set_initial_field();
    model.keep_divergence_before();
    if (!options_.restart.empty()) {
      std::string const note = load_state(options_.restart, input_, case_, model, state_, watch_);
      if (!note.empty()) std::fprintf(stderr, "karman wind: %s\n", note.c_str());
    }
    record_.initial_field_seconds = seconds_since(start);
    if (int const code = stopped_in_set_up()) return code;

    Progress progress(
        {.mode = options_.progress, .label = std::string(name(case_.solver.method)), .total = double(need.iterations)});
    ProjectionHooks hooks;
    app::CheckpointClock checkpoint_clock(case_.solver.checkpoint_every);
    hooks.checked = [&](ProjectionState const& state) {
      progress.update(state.iteration, formatted("divergence %.2e", state.history.back().relative_divergence));
      // Within a pass, so that a restart with a higher limit continues to the bits of a run that had it from the start.
      saved_at_limit_ = state.in_pass && state.iteration >= case_.solver.max_iterations;
      if (saved_at_limit_ || checkpoint_clock.due()) {
        save_state(folder_ / checkpoint_file, case_, model, state, watch_);
        checkpoint_clock.restart();
      }
      return stop_requested() == 0;
    };
    if (case_.solver.automatic_tolerance) hooks.rounding = rounding_divergence(case_);
    if (watch_.active()) {
      hooks.watch_every = watch_.watch().every;
      hooks.watched = [&](ProjectionState const& state) { watch_.take(model, state.iteration); };
    }
    start = Clock::now();
    UniformGrid const& grid = case_.grid;
    record_.end = project(model, case_.solver, state_, hooks, std::max({grid.nx(), grid.ny(), grid.nz()}));
    record_.solve_seconds = seconds_since(start);
    progress.finish(state_.iteration, formatted("divergence %.2e", last_divergence()));
    return conclude(model);
  }

  int conclude(WindModel& model) {
    if (record_.end == ProjectionEnd::interrupted) {
      save_state(folder_ / checkpoint_file, case_, model, state_, watch_);
      std::fprintf(stderr, "karman wind: stopped by a signal after %d iterations; continue with --restart %s\n",
                   state_.iteration, (folder_ / checkpoint_file).c_str());
      return 128 + stop_requested();
    }
    if (record_.end == ProjectionEnd::not_finite) return report_breakdown(model);
    bool const exhausted = record_.end == ProjectionEnd::iterations_exhausted;
    if (exhausted && !saved_at_limit_) save_state(folder_ / checkpoint_file, case_, model, state_, watch_);
    write_output(folder_, options_.overwrite, case_, model, state_, watch_, record_);
    report(model);
    if (record_.end == ProjectionEnd::rounding) report_rounding();
    if (is_done(record_.end)) return app::done;
    std::string const advice =
        record_.end == ProjectionEnd::stagnated && case_.solver.precision == Precision::f32
            ? "; single precision is exhausted: set /solver/precision to f64"
        : record_.end == ProjectionEnd::stagnated
            ? "; double precision is exhausted: raise /solver/tolerance"
            : std::string(case_.solver.method == Method::sor ? "; set /solver/method to mg_pcg or" : ";") +
                  " continue with " +
                  app::continuation("wind", options_, folder_ / checkpoint_file, "/solver/max_iterations",
                                    state_.iteration);
    std::fprintf(stderr, "karman wind: NOT CONVERGED after %d iterations: relative divergence %.2e, tolerance %.2e%s\n",
                 state_.iteration, last_divergence(), case_.solver.tolerance, advice.c_str());
    return app::not_converged;
  }

  int report_breakdown(WindModel& model) {
    model.store_correction();
    for (ModelField field : {ModelField::u, ModelField::v, ModelField::w, ModelField::lambda, ModelField::correction}) {
      if (auto const cell = model.find_not_finite(field)) {
        auto const [k, j, i] = *cell;
        std::fprintf(stderr,
                     "karman wind: %s is not finite at (k, j, i) = (%d, %d, %d), iteration %d; no results written\n",
                     std::string(name(field)).c_str(), k, j, i, state_.iteration);
        return app::breakdown;
      }
    }
    std::fprintf(stderr, "karman wind: the divergence is not finite, iteration %d; no results written\n",
                 state_.iteration);
    return app::breakdown;
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
    std::printf("%d %s of %s in %s on %s (%s)%s, relative divergence %.2e\n", state_.iteration,
                case_.solver.method == Method::sor ? "iterations" : "cycles", method.c_str(),
                duration_text(state_.seconds).c_str(), std::string(name(record_.backend.backend)).c_str(),
                record_.backend.device.c_str(), factor.c_str(), last_divergence());
    std::printf("%s\n", (folder_ / fields_file).c_str());
  }

  double last_divergence() const { return state_.history.empty() ? 0 : state_.history.back().relative_divergence; }

  app::RunOptions const& options_;
  Case const& input_;
  WindCase const& case_;
  std::filesystem::path folder_;
  FolderLock lock_;
  RunRecord record_;
  ProjectionState state_;
  WatchRecord watch_;
  bool saved_at_limit_ = false;  ///< the checkpoint has the last iteration, within its pass
};

}  // namespace

int run_wind(app::RunOptions const& options) {
  StopSignals const signals;
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  WindCase const wind_case = read_wind_case(input);
  if (int const code = stopped_in_set_up()) return code;
  if (wind_case.sweep || wind_case.series) return run_sweep(options, input, wind_case);
  return Run(options, input, wind_case).execute();
}

}  // namespace karman::wind
