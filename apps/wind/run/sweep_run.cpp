// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sweep_run.hpp"

#include "announcement.hpp"
#include "common/checkpoint_support.hpp"
#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "wind/model/projection.hpp"
#include "wind/output/probe_output.hpp"
#include "wind/output/sweep_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace karman::wind {
namespace {

using app::formatted;

class SweepRun {
 public:
  SweepRun(app::RunOptions const& options, Case const& input, WindCase const& wind_case)
      : options_(options),
        input_(input),
        case_(wind_case),
        sweep_(*wind_case.sweep),
        folder_(app::output_folder(options)) {}

  int execute() {
    if (!options_.dry_run) prepare_folder();
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    backend_ = describe(backend);
    auto const need = announce(options_, case_, backend_);
    if (!need) return app::done;
    require_free_space(folder_, static_cast<std::uint64_t>(need->disk_bytes));
    if (!options_.restart.empty()) {
      std::string const note = load_sweep(options_.restart, input_, case_, state_);
      if (!note.empty()) std::fprintf(stderr, "karman wind: %s\n", note.c_str());
    }
    return solve_all(*make_wind_model(backend, case_));
  }

 private:
  void prepare_folder() {
    bool const goes_on = !options_.restart.empty();
    prepare_output_folder(folder_, goes_on ? Overwrite::yes : options_.overwrite);
    require_no_sweep_output(folder_, options_.overwrite);
  }

  int solve_all(WindModel& model) {
    StopSignals const signals;
    Progress progress(
        {.mode = options_.progress, .label = "sweep", .unit = "directions", .total = double(sweep_.sectors.size())});
    app::CheckpointClock checkpoint_clock(case_.solver.checkpoint_every);
    while (state_.directions.size() < sweep_.sectors.size()) {
      std::size_t const n = state_.directions.size();
      ProjectionEnd const end = solve(model, sweep_.sectors[n].direction);
      if (end == ProjectionEnd::interrupted) return interrupted();
      if (end == ProjectionEnd::not_finite) {
        std::fprintf(stderr, "karman wind: the divergence is not finite in direction %g; no results written\n",
                     sweep_.sectors[n].direction);
        return app::breakdown;
      }
      progress.update(double(n + 1), formatted("direction %g", sweep_.sectors[n].direction));
      if (checkpoint_clock.due()) {
        save_sweep(folder_ / sweep_checkpoint_file, case_, state_);
        checkpoint_clock.restart();
      }
    }
    progress.finish(double(state_.directions.size()));
    write_sweep(folder_, options_.overwrite, case_, state_, backend_);
    return report();
  }

  /// Solves one direction; appends it unless it was interrupted or broke down.
  ProjectionEnd solve(WindModel& model, double direction) {
    model.set_direction(direction);
    model.set_initial_field();
    ProjectionState state;
    ProjectionHooks hooks;
    hooks.checked = [](ProjectionState const&) { return stop_requested() == 0; };
    UniformGrid const& grid = case_.grid;
    ProjectionEnd const end = project(model, case_.solver, state, hooks, std::max({grid.nx(), grid.ny(), grid.nz()}));
    if (end == ProjectionEnd::interrupted || end == ProjectionEnd::not_finite) return end;
    SweptDirection swept;
    swept.iterations = state.iteration;
    swept.relative_divergence = state.history.empty() ? 0 : state.history.back().relative_divergence;
    swept.seconds = state.seconds;
    swept.converged = end == ProjectionEnd::converged;
    swept.ratio = speed_ratios(model);
    state_.directions.push_back(std::move(swept));
    return end;
  }

  std::vector<float> speed_ratios(WindModel& model) const {
    double const reference = case_.profile.speed_at(sweep_.reference_height);
    SampledProbe const plane = sample_probe(model, case_, plane_above_ground(sweep_.height));
    std::vector<float> ratios;
    ratios.reserve(plane.velocity.size());
    for (auto const& [u, v, w] : plane.velocity)
      ratios.push_back(static_cast<float>(std::sqrt(u * u + v * v + w * w) / reference));
    return ratios;
  }

  int interrupted() {
    save_sweep(folder_ / sweep_checkpoint_file, case_, state_);
    std::fprintf(stderr, "karman wind: stopped by a signal after %zu directions; continue with --restart %s\n",
                 state_.directions.size(), (folder_ / sweep_checkpoint_file).c_str());
    return 128 + stop_requested();
  }

  int report() const {
    double seconds = 0;
    int iterations = 0;
    std::size_t failed = 0;
    double worst = 0;
    for (SweptDirection const& swept : state_.directions) {
      seconds += swept.seconds;
      iterations += swept.iterations;
      failed += swept.converged ? 0 : 1;
      worst = std::max(worst, swept.relative_divergence);
    }
    std::printf("%zu directions, %d %s of %s in %s on %s (%s), relative divergence %.2e at most\n",
                state_.directions.size(), iterations, case_.solver.method == Method::sor ? "iterations" : "cycles",
                std::string(name(case_.solver.method)).c_str(), duration_text(seconds).c_str(),
                std::string(name(backend_.backend)).c_str(), backend_.device.c_str(), worst);
    std::printf("%s\n", (folder_ / sweep_file).c_str());
    if (failed == 0) return app::done;
    std::fprintf(stderr, "karman wind: NOT CONVERGED in %zu of %zu directions; see /directions in %s\n", failed,
                 state_.directions.size(), (folder_ / sweep_file).c_str());
    return app::not_converged;
  }

  app::RunOptions const& options_;
  Case const& input_;
  WindCase const& case_;
  Sweep const& sweep_;
  std::filesystem::path folder_;
  BackendInfo backend_;
  SweepState state_;
};

}  // namespace

int run_sweep(app::RunOptions const& options, Case const& input, WindCase const& wind_case) {
  return SweepRun(options, input, wind_case).execute();
}

}  // namespace karman::wind
