// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_run.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/case/texts.hpp"
#include "common/run/march.hpp"
#include "turbulence/case/step_limits.hpp"
#include "turbulence/output/result_checks.hpp"
#include "turbulence/output/turbulence_checkpoint.hpp"
#include "turbulence/output/turbulence_output.hpp"
#include "turbulence_estimate.hpp"
#include "turbulence_study.hpp"
#include <karman/io/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace karman::turbulence {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// The march of the process: flow, history, output. See app::march().
class Run {
 public:
  /// `outline`: of a case that is not yet evaluated.
  Run(app::RunContext& context, Case const& input, TurbulenceCase outline, double case_seconds)
      : context_(context), input_(input), case_(std::move(outline)) {
    context.checkpoints().set(context.folder() / checkpoint_file, case_.checkpoint_every);
    record_.case_seconds = case_seconds;
  }

  int execute() {
    if (auto const end = context_.prepare({{output_files.begin(), output_files.end()}, final_files})) return *end;
    record_.backend = context_.backend();
    Backend const backend = record_.backend.backend;
    if (!context_.is_member()) {
      for (std::string const& remark : case_.remarks) std::printf("%s\n", remark.c_str());
    }
    std::int64_t const model_bytes = turbulence_model_bytes(backend, case_.problem);
    TurbulenceEstimate need = estimate(case_, model_bytes, context_.copy_rate());
    if (context_.evaluates(need)) {
      Clock::time_point const start = Clock::now();
      case_ = read_turbulence_case(input_);
      record_.case_seconds += seconds_since(start);
      need = estimate(case_, model_bytes, context_.copy_rate());
    }
    if (auto const end = context_.open(need)) return *end;
    Clock::time_point const start = Clock::now();
    model_ = make_turbulence_model(backend, case_.problem);
    record_.set_up_seconds = seconds_since(start);
    record_.memory_bytes = model_->memory_bytes();
    if (auto const end = context_.stopped_in_set_up()) return *end;
    output_.emplace(context_.folder(), context_.overwrite_frames(), case_, record_.backend);
    if (context_.restarts()) restore();
    else begin();
    start_ = Clock::now();
    now_ = model_->diagnostics();
    // A checkpoint has its last row.
    if (history_.rows().empty()) history_.add(now_);
    if (auto const end = march(context_, {.label = "turbulence", .unit = "s", .total = case_.end}, *this)) return *end;
    record_.march_seconds = spent_ + seconds_since(start_);
    output_->finish(record_, history_, means_, *model_);
    return conclude();
  }

  /// The last row of the history, and the time of the march; after execute().
  app::MemberEnd end(int exit_code) const {
    app::MemberEnd result{.exit_code = exit_code};
    if (!history_.rows().empty()) result.figures = history_.rows().back();
    result.seconds = spent_ + seconds_since(start_);
    return result;
  }

  bool is_sound() const { return now_.breakdown.empty() && std::isfinite(now_.enstrophy); }
  bool has_ended() const { return now_.moment.time >= case_.end; }

  void advance() {
    last_ = now_.moment.time;
    double const next = next_frame();
    if (case_.limits_steps) model_->set_dt_max(least_limit(case_.problem.control.dt_max, now_));
    model_->set_end(next);
    model_->advance(steps_to(next, now_));
    now_ = model_->diagnostics();
    history_.add(now_);
  }

  void record() {
    if (last_ >= case_.averages_from) means_.add(model_->spectra(), now_.moment.time - last_);
    if (now_.moment.time >= next_frame()) output_->add_frame(now_.moment, *model_);
  }

  void save() const {
    TurbulenceState state;
    state.moment = now_.moment;
    model_->copy_modes(state.modes);
    state.means = means_;
    state.history = history_.values();
    state.frame_times = output_->frames().times();
    state.seconds = spent_ + seconds_since(start_);
    save_turbulence(context_.checkpoints().file(), case_, state);
  }

  double position() const { return now_.moment.time; }
  std::string note() const {
    return formatted("step %lld, energy %.4g", static_cast<long long>(now_.moment.steps), now_.energy);
  }

  std::string where() const {
    return formatted("at step %lld, time %.6g s", static_cast<long long>(now_.moment.steps), now_.moment.time);
  }

  int report_breakdown() const {
    std::string const reason = now_.breakdown.empty() ? "the vorticity is not finite" : std::string(now_.breakdown);
    return context_.report().broken_down(reason +
                                         formatted(", step %lld, time %.6g s, dt %.4g s",
                                                   static_cast<long long>(now_.moment.steps), now_.moment.time,
                                                   now_.moment.dt) +
                                         context_.checkpoints().last_good() + "; try a smaller /time/" +
                                         (now_.moment.dt < case_.problem.control.dt_min ? "dt_min"
                                          : case_.problem.control.cfl == 0              ? "dt"
                                                                                        : "cfl"));
  }

 private:
  double next_frame() const { return output_->frames().next_time(case_.end, case_.frames); }

  void begin() {
    InitialState const& initial = case_.initial;
    if (initial.modes.empty()) model_->start(initial.values);
    else model_->restart(initial.modes, {});
    output_->add_frame({}, *model_);
  }

  void restore() {
    auto const& file = context_.options().restart;
    LoadedTurbulence loaded = load_turbulence(file, input_, case_);
    context_.report().warn(loaded.note);
    TurbulenceState& state = loaded.state;
    app::require_within(state.moment.time, case_.end, "time", "/time/end", input_, file);
    model_->restart(state.modes, state.moment);
    history_.restore(state.history);
    means_ = state.means;
    spent_ = state.seconds;
    output_->frames().attach(file, state.frame_times);
    if (output_->frames().times().empty()) output_->add_frame(state.moment, *model_);
  }

  /// Steps up to the next row: those beyond the time of the frame would be idle. The balance needs rows between which
  /// the losses change little.
  int steps_to(double next, VorticityFigures const& now) const {
    constexpr double most_change = 0.2;
    double const dt = now.moment.dt, rate = history_.rate_of_losses();
    if (!(dt > 0 && std::isfinite(rate))) return 1;
    double const left = std::ceil((next - now.moment.time) / dt * (1 - 1e-12));
    double const smooth = rate > 0 ? most_change / (rate * dt) : left;
    return static_cast<int>(std::clamp(std::fmin(left, smooth), 1.0, static_cast<double>(case_.history_every)));
  }

  int conclude() const {
    if (!context_.is_member()) print();
    ResultChecks const found = check_result(case_.problem, history_, model_->spectra());
    for (std::string const& warning : found.warnings) context_.report().warn("warning: " + warning);
    if (found.wrong.empty()) return app::done;
    context_.report().warn("NOT RIGHT: " + found.wrong);
    return app::not_converged;
  }

  void print() const {
    VorticityFigures const& now = now_;
    auto const steps = static_cast<double>(std::max<std::int64_t>(now.moment.steps, 1));
    std::printf("%lld steps to %.6g s in %s on %s (%s), %s a step, %s\n", static_cast<long long>(now.moment.steps),
                now.moment.time, app::measured_time_text(record_.march_seconds).c_str(),
                std::string(name(record_.backend.backend)).c_str(), record_.backend.device.c_str(),
                app::measured_time_text(record_.march_seconds / steps).c_str(),
                bytes_text(double(record_.memory_bytes)).c_str());
    std::printf("energy %.8g, enstrophy %.8g, palinstrophy %.8g\n", now.energy, now.enstrophy, now.palinstrophy);
    std::printf("balance of energy to %.1e, of enstrophy to %.1e\n", std::abs(history_.relative_imbalance(0)),
                std::abs(history_.relative_imbalance(1)));
    std::printf("%s\n", (context_.folder() / fields_file).c_str());
  }

  app::RunContext& context_;
  Case const& input_;
  TurbulenceCase case_;
  std::unique_ptr<TurbulenceModel> model_;
  std::optional<TurbulenceOutput> output_;
  History history_;
  MeanSpectra means_;
  VorticityFigures now_;
  double last_ = 0;                         ///< time of the row before
  Clock::time_point start_ = Clock::now();  ///< of the march of this process
  double spent_ = 0;                        ///< s, before this process
  RunRecord record_;
};

}  // namespace

app::MemberEnd run_flow(app::RunContext& context, Case const& input, TurbulenceCase outline, double case_seconds) {
  Run run(context, input, std::move(outline), case_seconds);
  int const exit_code = run.execute();
  return run.end(exit_code);
}

int run_turbulence(app::RunOptions const& options) {
  app::RunContext context("turbulence", options);
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  if (input.has("/study")) return run_turbulence_study(context, input);
  context.require_one_process("a case without a study");
  TurbulenceCase outline = read_turbulence_outline(input);
  return run_flow(context, input, std::move(outline), seconds_since(start)).exit_code;
}

}  // namespace karman::turbulence
