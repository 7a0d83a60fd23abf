// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_run.hpp"

#include "common/checkpoint_support.hpp"
#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "poisson/case/step_check.hpp"
#include "poisson/model/time_model.hpp"
#include "poisson/output/time_checkpoint.hpp"
#include "poisson/output/time_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace karman::poisson {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

using MakeModel = std::function<std::unique_ptr<TimeModel>(Backend)>;
using ModelBytes = std::function<std::int64_t(Backend)>;
using MakeCheck = std::function<std::unique_ptr<StepCheck>()>;

/// Values that a step moves per cell: two passes of a factored tridiagonal solve, or the sweeps of two directions.
constexpr double values_a_step = 10;

class TimeRun {
 public:
  TimeRun(app::RunOptions const& options, Case const& input, TimeCase const& time_case)
      : options_(options),
        input_(input),
        case_(time_case),
        folder_(app::output_folder(options)),
        checkpoint_(folder_ / (time_case.problem + ".checkpoint")) {}

  int execute(ModelBytes const& model_bytes, MakeModel const& make_model, MakeCheck const& make_check) {
    std::string const fields = fields_file_of(case_);
    std::string const xdmf = xdmf_file_of(case_);
    // Created before the first file: a later signal finds a state to write.
    std::optional<StopSignals> signals;
    if (!options_.dry_run) {
      signals.emplace();
      bool const goes_on = !options_.restart.empty();
      lock_ = prepare_output_folder(folder_, goes_on ? Overwrite::yes : options_.overwrite);
      app::require_no_files(folder_, std::array{fields.c_str(), xdmf.c_str(), "history.csv"}, options_.overwrite);
    }
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    backend_ = describe(backend);
    model_bytes_ = model_bytes(backend);
    std::int64_t const cells = case_.grid.cell_count();
    std::int64_t const frame = cells * app::real_size(case_.precision);
    std::int64_t const frames = case_.frames_every > 0 ? case_.steps / case_.frames_every + 2 : 2;
    std::int64_t const host_bytes = 8 * cells * (case_.exact ? 8 : 7) + frame;
    // Each frame is a dataset with attributes, a grid of the XDMF file and a row of two tables.
    constexpr std::int64_t text_of_frame = 3000;
    constexpr std::size_t facts = 7;
    std::int64_t const grid_lines = 8 * (case_.grid.nx() + case_.grid.ny() + case_.grid.nz() + 3);
    std::int64_t const tables = app::hdf5_table_bytes(double(frames), facts) + app::csv_bytes(double(frames), facts);
    std::int64_t const texts = frames * text_of_frame + 4 * (std::int64_t(case_.text.size()) + app::hdf5_overhead);
    // After a checkpoint, frames lie in files of their own until they are joined.
    std::int64_t const copies = case_.checkpoint_every > 0 && case_.frames_every > 0 ? 2 : 1;
    std::int64_t const disk_bytes = copies * (frames * frame + texts + grid_lines) + 2 * frame + tables;
    BackendInfo const host = describe(enabled_backends().back());
    auto const announce = [&] {
      double const rate = app::quick_copy_rate(backend_.backend);
      report_needs(host_bytes, disk_bytes, case_.steps * values_a_step * static_cast<double>(frame) / rate);
    };
    bool const fits = app::fits_memory(model_bytes_, host_bytes, backend_, host);
    if (options_.dry_run && (cells > quick_cells || !fits)) {
      // The needs of a case that does not fit are worth as much as those of one that does.
      announce();
      std::fputs(app::sampled_values_line, stdout);
      app::require_memory(model_bytes_, host_bytes, backend_, host);
      return app::done;
    }
    app::require_memory(model_bytes_, host_bytes, backend_, host);
    if (!options_.dry_run) require_free_space(folder_, static_cast<std::uint64_t>(disk_bytes));

    CellValues const initial = cell_values(input_, case_.initial, case_.grid);
    auto const model = make_model(backend_.backend);
    if (options_.dry_run) {
      announce();
      return app::done;
    }
    check_ = make_check();
    return go(*model, initial);
  }

 private:
  void report_needs(std::int64_t host_bytes, std::int64_t disk_bytes, double seconds) const {
    UniformGrid const& grid = case_.grid;
    if (!case_.title.empty()) std::printf("%s\n", case_.title.c_str());
    std::printf(
        "problem     %s\ncells       %d x %d x %d = %lld\nsteps       %d of %g\nbackend     %s, %s\n"
        "precision   %s\nmemory      about %s, plus %s on the host; free %s\ndisk        %s at most\n"
        "time        about %s\n",
        case_.problem.c_str(), grid.nx(), grid.ny(), grid.nz(), static_cast<long long>(grid.cell_count()), case_.steps,
        case_.step, std::string(name(backend_.backend)).c_str(), backend_.device.c_str(),
        std::string(name(case_.precision)).c_str(), app::need_text(model_bytes_).c_str(),
        app::need_text(host_bytes).c_str(), bytes_text(double(backend_.free_memory_bytes)).c_str(),
        app::need_text(disk_bytes).c_str(), duration_text(seconds).c_str());
  }

  int go(TimeModel& model, CellValues const& initial) {
    TimeOutput output(folder_, options_.overwrite, case_, backend_);
    if (options_.restart.empty()) {
      state_.values = app::HostField(case_.precision, ArrayExtents(case_.grid.extents(Location::cell)), initial);
      state_.first_content = content(initial);
    } else {
      restore(output);
    }
    model.set(std::as_const(state_.values).array());
    Progress progress(
        {.mode = options_.progress, .label = case_.problem, .unit = "steps", .total = double(case_.steps)});
    if (lacks_frame(output) && !keep_frame(output)) return report_breakdown();
    double seconds = 0;
    app::CheckpointClock checkpoint_clock(case_.checkpoint_every);
    while (state_.step < case_.steps) {
      int const next = next_frame();
      bool due = false;
      Clock::time_point const start = Clock::now();
      if (state_.step + 1 == next) before_ = state_.values.in_double();
      while (state_.step < next && !due && stop_requested() == 0) {
        if (state_.step + 1 == next && before_.empty()) {
          model.copy(state_.values.array());
          before_ = state_.values.in_double();
        }
        double const time = state_.step * case_.step;
        model.advance(time);
        state_.inflow += model.inflow() * case_.step;
        ++state_.step;
        due = checkpoint_clock.due();
      }
      model.copy(state_.values.array());
      seconds += seconds_since(start);
      progress.update(state_.step);
      if (lacks_frame(output) && !keep_frame(output)) return report_breakdown();
      judge_step(next);
      if (stop_requested() != 0) return stopped(output);
      if (due) {
        save(output);
        checkpoint_clock.restart();
      }
    }
    progress.finish(state_.step);
    output.finish({seconds, model.memory_bytes(), model.algorithm(), state_.excess <= 1});
    report(model, seconds);
    if (state_.excess <= 1) return app::done;
    std::fprintf(stderr, "karman poisson: NOT CONVERGED: the residual of a step is %.2g times the round-off of %s%s\n",
                 state_.excess, std::string(name(case_.precision)).c_str(),
                 case_.precision == Precision::f32 ? "; set /precision to f64 or scale the case" : "");
    return app::not_converged;
  }

  /// Checks the step that led to a frame, where the state before it is known.
  void judge_step(int frame) {
    if (state_.step == frame && !before_.empty())
      state_.excess =
          std::fmax(state_.excess, check_->excess((frame - 1) * case_.step, before_, state_.values.in_double()));
    before_.clear();
  }

  /// Takes state and frames from a checkpoint.
  void restore(TimeOutput& output) {
    LoadedState loaded = load_time_state(options_.restart, input_, case_);
    state_ = std::move(loaded.state);
    if (state_.step > case_.steps) {
      throw input_.error("/time/steps", "expected at least " + std::to_string(state_.step) + ", the step of " +
                                            options_.restart.string());
    }
    for (std::string const& note : {loaded.note, output.attach(state_.frames)}) {
      if (!note.empty()) std::fprintf(stderr, "karman poisson: %s\n", note.c_str());
    }
    if (auto const last = output.last()) last_ = *last;
  }

  int next_frame() const {
    if (case_.frames_every <= 0) return case_.steps;
    return std::min(case_.steps, (state_.step / case_.frames_every + 1) * case_.frames_every);
  }

  /// True if the output should keep the present state and lacks it.
  bool lacks_frame(TimeOutput const& output) const {
    bool const kept = state_.step == 0 || state_.step == case_.steps ||
                      (case_.frames_every > 0 && state_.step % case_.frames_every == 0);
    auto const last = output.last();
    return kept && (!last || last->step < state_.step);
  }

  void save(TimeOutput& output) {
    state_.frames = output.secure();
    save_time_state(checkpoint_, case_, state_);
  }

  int stopped(TimeOutput& output) {
    save(output);
    std::fprintf(stderr, "karman poisson: stopped by a signal after %d steps; continue with --restart %s\n",
                 state_.step, checkpoint_.c_str());
    return 128 + stop_requested();
  }

  /// Integral over the height, averaged over the columns.
  double content(CellValues const& values) const {
    UniformGrid const& grid = case_.grid;
    std::size_t const plane = static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny());
    double sum = 0;
    for (int k = 0; k < grid.nz(); ++k) {
      double layer = 0;
      for (std::size_t n = 0; n < plane; ++n) layer += values[static_cast<std::size_t>(k) * plane + n];
      sum += layer * grid.dz(k);
    }
    return sum / static_cast<double>(plane);
  }

  /// Checks the state and writes it; false when a value is not finite.
  bool keep_frame(TimeOutput& output) {
    CellValues const values = state_.values.in_double();
    auto const wrong = std::find_if_not(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (wrong != values.end()) {
      bad_cell_ = wrong - values.begin();
      return false;
    }
    FrameFacts facts;
    facts.step = state_.step;
    facts.time = state_.step * case_.step;
    auto const [least, most] = std::minmax_element(values.begin(), values.end());
    facts.least = *least;
    facts.most = *most;
    double const now = content(values);
    UniformGrid const& grid = case_.grid;
    facts.mean = now / (grid.z_face(grid.nz()) - grid.z_face(0));
    double const scale = std::max({std::abs(now), std::abs(state_.first_content), std::abs(state_.inflow)});
    facts.balance_error = scale > 0 ? (now - state_.first_content - state_.inflow) / scale : state_.inflow;
    facts.largest_error = std::numeric_limits<double>::quiet_NaN();
    if (case_.exact) {
      CellValues const exact = cell_values(input_, *case_.exact, grid, false, facts.time);
      facts.largest_error = 0;
      for (std::size_t n = 0; n < values.size(); ++n)
        facts.largest_error = std::max(facts.largest_error, std::abs(values[n] - exact[n]));
    }
    last_ = facts;
    output.add(facts, state_.values);
    return true;
  }

  int report_breakdown() const {
    std::int64_t const nx = case_.grid.nx();
    std::int64_t const ny = case_.grid.ny();
    std::fprintf(
        stderr,
        "karman poisson: the field is not finite at (k, j, i) = (%lld, %lld, %lld), step %d; no results written\n",
        static_cast<long long>(bad_cell_ / nx / ny), static_cast<long long>(bad_cell_ / nx % ny),
        static_cast<long long>(bad_cell_ % nx), state_.step);
    return app::breakdown;
  }

  void report(TimeModel const& model, double seconds) const {
    double const updates = static_cast<double>(case_.grid.cell_count()) * case_.steps;
    std::printf("%d steps in %s on %s (%s), %s, %.3g million cells per second\n", state_.step,
                app::measured_time_text(seconds).c_str(), std::string(name(backend_.backend)).c_str(),
                backend_.device.c_str(), model.algorithm().c_str(), updates / seconds * 1e-6);
    std::printf("mean %.6g, range %.6g to %.6g", last_.mean, last_.least, last_.most);
    if (std::isfinite(last_.balance_error)) std::printf("; error of content minus inflow %.1e", last_.balance_error);
    if (std::isfinite(last_.largest_error)) std::printf("; largest error %.3e", last_.largest_error);
    std::printf("\n%s\n", (folder_ / fields_file_of(case_)).c_str());
  }

  app::RunOptions const& options_;
  Case const& input_;
  TimeCase const& case_;
  std::int64_t model_bytes_ = 0;
  std::filesystem::path folder_, checkpoint_;
  FolderLock lock_;
  BackendInfo backend_;
  TimeState state_;
  std::unique_ptr<StepCheck> check_;
  CellValues before_;  ///< the state one step before a frame; empty: unknown
  FrameFacts last_;
  std::int64_t bad_cell_ = 0;
};

}  // namespace

int run_columns(app::RunOptions const& options, Case const& input) {
  ColumnCase const column_case = read_column_case(input);
  return TimeRun(options, input, column_case)
      .execute([&](Backend) { return column_model_bytes(column_case); },
               [&](Backend backend) { return make_column_model(backend, input, column_case); },
               [&] { return std::make_unique<ColumnStepCheck>(input, column_case); });
}

int run_heat(app::RunOptions const& options, Case const& input) {
  HeatCase const heat_case = read_heat_case(input);
  // Made after the check of the memory, and before the model.
  LinearSystem steady;
  return TimeRun(options, input, heat_case)
      .execute([&](Backend backend) { return heat_model_bytes(backend, heat_case); },
               [&](Backend backend) {
                 steady = make_linear_system(input, heat_case.steady);
                 return make_heat_model(backend, heat_case, steady);
               },
               [&] { return std::make_unique<HeatStepCheck>(heat_case, steady); });
}

}  // namespace karman::poisson
