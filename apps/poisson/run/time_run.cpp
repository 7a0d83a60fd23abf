// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "time_run.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/case/texts.hpp"
#include "common/case/work_in_all.hpp"
#include "common/run/divided_cells.hpp"
#include "common/run/march.hpp"
#include "poisson/model/residual_check.hpp"
#include "poisson/model/step_check.hpp"
#include "poisson/model/time_model.hpp"
#include "poisson/output/time_checkpoint.hpp"
#include "poisson/output/time_output.hpp"
#include "poisson_estimate.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace karman::poisson {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// The parts of a run that differ between the problems.
struct Parts {
  std::function<std::int64_t(Backend, int processes)> model_bytes;
  std::function<std::int64_t(int processes)> sent_bytes;
  std::function<std::unique_ptr<TimeModel>(Backend)> make_model;
  std::function<std::unique_ptr<StepCheck>()> make_check;
};

/// Gives this process its cells. Throws CannotRun where the announced number of processes does not divide the columns.
void divide(app::RunContext const& context, TimeCase& time_case, char const* pointer) {
  int const announced = context.announced_processes();
  auto const cells = time_case.whole.global_cells();
  if (announced == 1) return;
  auto const boxes = app::divided_cells(cells, announced);
  if (!boxes) throw app::not_divided(cells, announced, {}, pointer);
  if (context.processes() != announced) return;  // a dry run, which evaluates no cell
  time_case.communicator = context.communicator();
  time_case.grid = boxes->part(time_case.whole, time_case.communicator.rank());
}

/// The march of the process: field, frames. See app::march().
class TimeRun {
 public:
  TimeRun(app::RunContext& context, Case const& input, TimeCase const& time_case)
      : context_(context), input_(input), case_(time_case) {
    context.checkpoints().set(context.folder() / (time_case.problem + ".checkpoint"), time_case.checkpoint_every);
  }

  int execute(Parts const& parts) {
    if (auto const end = context_.prepare({{fields_file_of(case_), xdmf_file_of(case_), "history.csv"}})) return *end;
    Backend const backend = context_.backend().backend;
    int const processes = context_.announced_processes();
    app::Needs needs = estimate(case_, parts.model_bytes(backend, processes), parts.sent_bytes(processes),
                                context_.copy_rate(), processes);
    CellValues initial;
    if (context_.evaluates(needs)) {
      initial = evaluated(case_.initial, 0);
      // A model checks its terms.
      model_ = parts.make_model(backend);
      needs.is_large = false;
    }
    if (auto const end = context_.open(needs)) return *end;
    check_ = parts.make_check();
    output_.emplace(context_.folder(), context_.options().overwrite, case_, context_.backend());
    if (context_.restarts()) {
      restore();
    } else {
      state_.values = app::HostField(case_.precision, ArrayExtents(case_.grid.extents(Location::cell)), initial);
      state_.first_content = content(case_, initial);
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

  bool is_sound() const { return !bad_cell_; }
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
      pause = context_.all_must_pause();
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
    auto const [k, j, i] = *bad_cell_;
    return context_.report().broken_down(formatted(
        "the field is not finite at (k, j, i) = (%d, %d, %d), step %d; no results written", k, j, i, state_.step));
  }

 private:
  /// A quantity in the cells of this process. Throws in all processes.
  CellValues evaluated(Quantity const& quantity, double time) const {
    CellValues values;
    app::work_in_all(case_.communicator, [&] { values = cell_values(input_, quantity, case_.grid, false, time); });
    return values;
  }

  void find_bad_cell() { bad_cell_ = find_not_finite(case_.communicator, case_.grid, state_.values.in_double()); }

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
    app::require_within(state_.step, case_.steps, "step", "/time/steps", input_, file);
    context_.report().warn(loaded.note);
    context_.report().warn(output_->attach(state_.frames));
    if (auto const last = output_->last()) last_ = *last;
  }

  int next_frame() const {
    if (case_.frames_every <= 0) return case_.steps;
    return std::min(case_.steps, (state_.step / case_.frames_every + 1) * case_.frames_every);
  }

  void add_frame() {
    CellValues const values = state_.values.in_double();
    double const time = state_.step * case_.step;
    CellValues const exact = case_.exact ? evaluated(*case_.exact, time) : CellValues();
    last_ = facts_of(case_, state_.step, values, exact, state_.first_content, state_.inflow);
    output_->add(last_, state_.values);
  }

  int finish() {
    std::int64_t const memory = case_.communicator.sum(model_->memory_bytes());
    output_->finish({seconds_, memory, model_->algorithm(), state_.excess <= 1});
    report();
    if (state_.excess <= 1) return app::done;
    return context_.report().not_converged(
        formatted(": the residual of a step is %.2g times the round-off of %s%s", state_.excess,
                  std::string(name(case_.precision)).c_str(),
                  case_.precision == Precision::f32 ? "; set /precision to f64 or scale the case" : ""));
  }

  void report() const {
    double const updates = static_cast<double>(case_.whole.cell_count()) * case_.steps;
    std::printf("%d steps in %s, %s, %.3g million cells per second\n", state_.step,
                context_.time_words(app::measured_time_text(seconds_)).c_str(), model_->algorithm().c_str(),
                updates / seconds_ * 1e-6);
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
  std::optional<std::array<int, 3>> bad_cell_;  ///< the first one whose value is not finite
  double seconds_ = 0;                          ///< of the steps
};

}  // namespace

int run_columns(app::RunContext& context, Case const& input) {
  ColumnCase column_case = read_column_case(input);
  divide(context, column_case, "/columns");
  return TimeRun(context, input, column_case)
      .execute({[&](Backend backend, int processes) { return column_model_bytes(backend, column_case, processes); },
                [](int) { return std::int64_t{0}; },
                [&](Backend backend) { return make_column_model(backend, input, column_case); },
                [&] { return std::make_unique<ColumnStepCheck>(input, column_case); }});
}

int run_heat(app::RunContext& context, Case const& input) {
  HeatCase heat_case = read_heat_case(input);
  divide(context, heat_case, "/domain");
  // Made after the check of the memory, and before the model.
  LinearSystem steady;
  return TimeRun(context, input, heat_case)
      .execute({[&](Backend backend, int processes) { return heat_model_bytes(backend, heat_case, processes); },
                [&](int processes) { return sent_bytes(heat_case, processes); },
                [&](Backend backend) {
                  steady = make_linear_system(input, heat_case.steady, heat_case.communicator);
                  return make_heat_model(backend, heat_case, steady);
                },
                [&] { return std::make_unique<HeatStepCheck>(heat_case, steady); }});
}

}  // namespace karman::poisson
