// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_run.hpp"

#include "common/case/texts.hpp"
#include "common/run/march.hpp"
#include "poisson/model/step_check.hpp"
#include "poisson/model/time_model.hpp"
#include "poisson/output/time_checkpoint.hpp"
#include "poisson/output/time_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
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

/// Upper bounds, and the lines of a dry run.
app::Needs needs_of(TimeCase const& time_case, std::int64_t model_bytes, double copy_rate) {
  UniformGrid const& grid = time_case.grid;
  std::int64_t const cells = grid.cell_count(), frame = cells * app::real_size(time_case.precision);
  std::int64_t const frames = time_case.frames_every > 0 ? time_case.steps / time_case.frames_every + 2 : 2;
  // Each frame is a dataset with attributes, a grid of the XDMF file and a row of two tables.
  constexpr std::int64_t text_of_frame = 3000;
  constexpr std::size_t facts = 7;
  std::int64_t const grid_lines = 8 * (grid.nx() + grid.ny() + grid.nz() + 3);
  std::int64_t const tables = app::hdf5_table_bytes(double(frames), facts) + app::csv_bytes(double(frames), facts);
  std::int64_t const texts = frames * text_of_frame + 4 * (std::int64_t(time_case.text.size()) + app::hdf5_overhead);
  // After a checkpoint, frames lie in files of their own until they are joined.
  std::int64_t const copies = time_case.checkpoint_every > 0 && time_case.frames_every > 0 ? 2 : 1;
  app::Needs needs;
  needs.title = time_case.title;
  needs.lines =
      formatted("problem     %s\ncells       %d x %d x %d = %lld\nsteps       %d of %g\n", time_case.problem.c_str(),
                grid.nx(), grid.ny(), grid.nz(), static_cast<long long>(cells), time_case.steps, time_case.step);
  needs.precision = time_case.precision;
  needs.device_bytes = model_bytes;
  needs.host_bytes = 8 * cells * (time_case.exact ? 8 : 7) + frame;
  needs.disk_bytes = copies * (frames * frame + texts + grid_lines) + 2 * frame + tables;
  needs.is_large = cells > quick_cells;
  if (copy_rate > 0) needs.seconds = time_case.steps * values_a_step * static_cast<double>(frame) / copy_rate;
  return needs;
}

/// The march of the process: field, frames. See app::march().
class TimeRun {
 public:
  TimeRun(app::RunContext& context, Case const& input, TimeCase const& time_case)
      : context_(context), input_(input), case_(time_case) {
    context.checkpoints().set(context.folder() / (time_case.problem + ".checkpoint"), time_case.checkpoint_every);
  }

  int execute(ModelBytes const& model_bytes, MakeModel const& make_model, MakeCheck const& make_check) {
    if (auto const end = context_.prepare({{fields_file_of(case_), xdmf_file_of(case_), "history.csv"}})) return *end;
    Backend const backend = context_.backend().backend;
    app::Needs needs = needs_of(case_, model_bytes(backend), context_.copy_rate());
    CellValues initial;
    if (context_.evaluates(needs)) {
      initial = cell_values(input_, case_.initial, case_.grid);
      // A model checks its terms.
      model_ = make_model(backend);
      needs.is_large = false;
    }
    if (auto const end = context_.open(needs)) return *end;
    check_ = make_check();
    output_.emplace(context_.folder(), context_.options().overwrite, case_, context_.backend());
    if (context_.restarts()) {
      restore();
    } else {
      state_.values = app::HostField(case_.precision, ArrayExtents(case_.grid.extents(Location::cell)), initial);
      state_.first_content = content(initial);
    }
    model_->set(std::as_const(state_.values).array());
    if (auto const end = context_.stopped_in_set_up()) return *end;
    find_bad_cell();
    if (is_sound()) record();
    if (auto const end =
            march(context_, {.label = case_.problem, .unit = "steps", .total = double(case_.steps)}, *this))
      return *end;
    return finish();
  }

  bool is_sound() const { return bad_cell_ < 0; }
  bool has_ended() const { return state_.step >= case_.steps; }

  /// Steps to the next frame, or until a checkpoint or a signal is due.
  void advance() {
    int const next = next_frame();
    Clock::time_point const start = Clock::now();
    if (state_.step + 1 == next) before_ = state_.values.in_double();
    bool pause = false;
    while (state_.step < next && !pause) {
      if (state_.step + 1 == next && before_.empty()) {
        model_->copy(state_.values.array());
        before_ = state_.values.in_double();
      }
      model_->advance(state_.step * case_.step);
      state_.inflow += model_->inflow() * case_.step;
      ++state_.step;
      pause = context_.checkpoints().due() || stop_requested() != 0;
    }
    model_->copy(state_.values.array());
    seconds_ += seconds_since(start);
    find_bad_cell();
    if (is_sound()) judge_step(next);
  }

  /// Writes the state where the output should keep it and lacks it.
  void record() {
    bool const kept = state_.step == 0 || state_.step == case_.steps ||
                      (case_.frames_every > 0 && state_.step % case_.frames_every == 0);
    auto const last = output_->last();
    if (kept && (!last || last->step < state_.step)) add_frame();
  }

  void save() {
    state_.frames = output_->secure();
    save_time_state(context_.checkpoints().file(), case_, state_);
  }

  double position() const { return state_.step; }
  std::string note() const { return {}; }
  std::string where() const { return formatted("after %d steps", state_.step); }

  int report_breakdown() const {
    std::int64_t const nx = case_.grid.nx();
    std::int64_t const ny = case_.grid.ny();
    return context_.report().broken_down(
        formatted("the field is not finite at (k, j, i) = (%lld, %lld, %lld), step %d; no results written",
                  static_cast<long long>(bad_cell_ / nx / ny), static_cast<long long>(bad_cell_ / nx % ny),
                  static_cast<long long>(bad_cell_ % nx), state_.step));
  }

 private:
  /// Checks the step that led to a frame, where the state before it is known.
  void judge_step(int frame) {
    if (state_.step == frame && !before_.empty())
      state_.excess =
          std::fmax(state_.excess, check_->excess((frame - 1) * case_.step, before_, state_.values.in_double()));
    before_.clear();
  }

  /// Takes state and frames from a checkpoint.
  void restore() {
    auto const& file = context_.options().restart;
    LoadedState loaded = load_time_state(file, input_, case_);
    state_ = std::move(loaded.state);
    if (state_.step > case_.steps) {
      throw input_.error("/time/steps",
                         "expected at least " + std::to_string(state_.step) + ", the step of " + file.string());
    }
    context_.report().warn(loaded.note);
    context_.report().warn(output_->attach(state_.frames));
    if (auto const last = output_->last()) last_ = *last;
  }

  int next_frame() const {
    if (case_.frames_every <= 0) return case_.steps;
    return std::min(case_.steps, (state_.step / case_.frames_every + 1) * case_.frames_every);
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

  /// Notes the first cell whose value is not finite.
  void find_bad_cell() {
    CellValues const values = state_.values.in_double();
    auto const wrong = std::find_if_not(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (wrong != values.end()) bad_cell_ = wrong - values.begin();
  }

  void add_frame() {
    CellValues const values = state_.values.in_double();
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
    output_->add(facts, state_.values);
  }

  int finish() {
    output_->finish({seconds_, model_->memory_bytes(), model_->algorithm(), state_.excess <= 1});
    report();
    if (state_.excess <= 1) return app::done;
    return context_.report().not_converged(
        formatted(": the residual of a step is %.2g times the round-off of %s%s", state_.excess,
                  std::string(name(case_.precision)).c_str(),
                  case_.precision == Precision::f32 ? "; set /precision to f64 or scale the case" : ""));
  }

  void report() const {
    double const updates = static_cast<double>(case_.grid.cell_count()) * case_.steps;
    std::printf("%d steps in %s on %s (%s), %s, %.3g million cells per second\n", state_.step,
                app::measured_time_text(seconds_).c_str(), std::string(name(context_.backend().backend)).c_str(),
                context_.backend().device.c_str(), model_->algorithm().c_str(), updates / seconds_ * 1e-6);
    std::printf("mean %.6g, range %.6g to %.6g", last_.mean, last_.least, last_.most);
    if (std::isfinite(last_.balance_error)) std::printf("; error of content minus inflow %.1e", last_.balance_error);
    if (std::isfinite(last_.largest_error)) std::printf("; largest error %.3e", last_.largest_error);
    std::printf("\n%s\n", (context_.folder() / fields_file_of(case_)).c_str());
  }

  app::RunContext& context_;
  Case const& input_;
  TimeCase const& case_;
  std::unique_ptr<TimeModel> model_;
  std::optional<TimeOutput> output_;
  TimeState state_;
  std::unique_ptr<StepCheck> check_;
  CellValues before_;  ///< the state one step before a frame; empty: unknown
  FrameFacts last_;
  std::int64_t bad_cell_ = -1;  ///< negative: none
  double seconds_ = 0;          ///< of the steps
};

}  // namespace

int run_columns(app::RunContext& context, Case const& input) {
  ColumnCase const column_case = read_column_case(input);
  return TimeRun(context, input, column_case)
      .execute([&](Backend) { return column_model_bytes(column_case); },
               [&](Backend backend) { return make_column_model(backend, input, column_case); },
               [&] { return std::make_unique<ColumnStepCheck>(input, column_case); });
}

int run_heat(app::RunContext& context, Case const& input) {
  HeatCase const heat_case = read_heat_case(input);
  // Made after the check of the memory, and before the model.
  LinearSystem steady;
  return TimeRun(context, input, heat_case)
      .execute([&](Backend backend) { return heat_model_bytes(backend, heat_case); },
               [&](Backend backend) {
                 steady = make_linear_system(input, heat_case.steady);
                 return make_heat_model(backend, heat_case, steady);
               },
               [&] { return std::make_unique<HeatStepCheck>(heat_case, steady); });
}

}  // namespace karman::poisson
