// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "turbulence_run.hpp"

#include "common/kokkos_runtime.hpp"
#include "common/marching_run.hpp"
#include "common/run_support.hpp"
#include "turbulence/case/step_limits.hpp"
#include "turbulence/case/turbulence_estimate.hpp"
#include "turbulence/output/turbulence_checkpoint.hpp"
#include "turbulence/output/turbulence_output.hpp"
#include "turbulence/run/result_checks.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cmath>
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

class Run {
 public:
  /// `outline`: of a case that is not yet evaluated.
  Run(app::RunOptions const& options, Case const& input, TurbulenceCase outline, double case_seconds)
      : options_(options),
        input_(input),
        case_(std::move(outline)),
        folder_(app::output_folder(options)),
        checkpoints_(options, folder_ / checkpoint_file, case_.checkpoint_every) {
    record_.case_seconds = case_seconds;
  }

  int execute() {
    std::optional<StopSignals> signals;
    if (!options_.dry_run) {
      signals.emplace();
      lock_ = app::prepare_marching_folder(folder_, options_, output_files, final_files);
    }
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    record_.backend = describe(backend);
    BackendInfo const host = describe(enabled_backends().back());
    for (std::string const& remark : case_.remarks) std::printf("%s\n", remark.c_str());
    double const copy_rate = options_.dry_run ? app::quick_copy_rate(backend) : 0;
    std::int64_t const model_bytes = turbulence_model_bytes(backend, case_.problem);
    TurbulenceEstimate need = estimate(case_, model_bytes, copy_rate);
    bool const fits = app::fits_memory(need.device_bytes, need.host_bytes, record_.backend, host);
    // The needs of a case that does not fit are worth as much as those of one that does.
    bool const evaluated = fits && (!options_.dry_run || is_quick());
    if (evaluated) {
      Clock::time_point const begin = Clock::now();
      case_ = read_turbulence_case(input_);
      record_.case_seconds += seconds_since(begin);
      need = estimate(case_, model_bytes, copy_rate);
    }
    if (options_.dry_run) std::fputs(dry_run_report(case_, need, record_.backend, evaluated).c_str(), stdout);
    app::require_memory(need.device_bytes, need.host_bytes, record_.backend, host);
    if (options_.dry_run) return app::done;
    require_free_space(folder_, static_cast<std::uint64_t>(need.disk_bytes));
    Clock::time_point const start = Clock::now();
    // Ends before Kokkos does, however this ends.
    std::unique_ptr<TurbulenceModel> const model = make_turbulence_model(backend, case_.problem);
    model_ = model.get();
    record_.set_up_seconds = seconds_since(start);
    record_.memory_bytes = model_->memory_bytes();
    return march();
  }

 private:
  /// Whether a dry run evaluates start and forcing.
  bool is_quick() const {
    auto const [nx, ny] = case_.problem.setup.points;
    return double(nx) * ny <= quick_points;
  }

  int march() {
    TurbulenceOutput output(folder_, checkpoints_.goes_on() ? Overwrite::yes : options_.overwrite, case_,
                            record_.backend);
    if (checkpoints_.goes_on()) restore(output);
    else begin(output);
    start_ = Clock::now();
    Progress progress({.mode = options_.progress, .label = "turbulence", .unit = "s", .total = case_.end});
    VorticityFigures now = model_->diagnostics();
    // A checkpoint has its last row.
    if (history_.rows().empty()) history_.add(now);
    while (is_sound(now) && now.moment.time < case_.end) {
      double const next = output.frames().next_time(case_.end, case_.frames), last = now.moment.time;
      if (case_.limits_steps) model_->set_dt_max(least_limit(case_.problem.control.dt_max, now));
      model_->set_end(next);
      model_->advance(steps_to(next, now));
      now = model_->diagnostics();
      history_.add(now);
      progress.update(now.moment.time,
                      formatted("step %lld, energy %.4g", static_cast<long long>(now.moment.steps), now.energy));
      if (!is_sound(now)) break;
      if (last >= case_.averages_from) means_.add(model_->spectra(), now.moment.time - last);
      if (now.moment.time >= next) output.add_frame(now.moment, *model_);
      if (now.moment.time >= case_.end) break;
      if (stop_requested() != 0) {
        save(output, now);
        return checkpoints_.report_stop("turbulence", now.moment.steps, now.moment.time);
      }
      if (checkpoints_.due()) save(output, now);
    }
    record_.march_seconds = spent_ + seconds_since(start_);
    if (!is_sound(now)) return report_breakdown(now);
    progress.finish(now.moment.time);
    output.finish(record_, history_, means_, *model_);
    return conclude(now);
  }

  void begin(TurbulenceOutput& output) {
    InitialState const& initial = case_.initial;
    if (initial.modes.empty()) model_->start(initial.values);
    else model_->restart(initial.modes, {});
    output.add_frame({}, *model_);
  }

  void restore(TurbulenceOutput& output) {
    LoadedTurbulence loaded = load_turbulence(options_.restart, input_, case_);
    if (!loaded.note.empty()) std::fprintf(stderr, "karman turbulence: %s\n", loaded.note.c_str());
    TurbulenceState& state = loaded.state;
    if (state.moment.time > case_.end) {
      throw input_.error("/time/end", formatted("expected at least %.10g, the time of ", state.moment.time) +
                                          options_.restart.string());
    }
    model_->restart(state.modes, state.moment);
    history_.restore(state.history);
    means_ = state.means;
    spent_ = state.seconds;
    output.frames().attach(options_.restart, state.frame_times);
    if (output.frames().times().empty()) output.add_frame(state.moment, *model_);
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

  void save(TurbulenceOutput const& output, VorticityFigures const& now) {
    TurbulenceState state;
    state.moment = now.moment;
    model_->copy_modes(state.modes);
    state.means = means_;
    state.history = history_.values();
    state.frame_times = output.frames().times();
    state.seconds = spent_ + seconds_since(start_);
    save_turbulence(checkpoints_.file(), case_, state);
    checkpoints_.note_written();
  }

  static bool is_sound(VorticityFigures const& now) { return now.breakdown.empty() && std::isfinite(now.enstrophy); }

  int conclude(VorticityFigures const& now) {
    auto const steps = static_cast<double>(std::max<std::int64_t>(now.moment.steps, 1));
    std::printf("%lld steps to %.6g s in %s on %s (%s), %s a step, %s\n", static_cast<long long>(now.moment.steps),
                now.moment.time, app::measured_time_text(record_.march_seconds).c_str(),
                std::string(name(record_.backend.backend)).c_str(), record_.backend.device.c_str(),
                app::measured_time_text(record_.march_seconds / steps).c_str(),
                bytes_text(double(record_.memory_bytes)).c_str());
    std::printf("energy %.8g, enstrophy %.8g, palinstrophy %.8g\n", now.energy, now.enstrophy, now.palinstrophy);
    std::printf("balance of energy to %.1e, of enstrophy to %.1e\n", std::abs(history_.relative_imbalance(0)),
                std::abs(history_.relative_imbalance(1)));
    std::printf("%s\n", (folder_ / fields_file).c_str());
    ResultChecks const found = check_result(case_.problem, history_, model_->spectra());
    for (std::string const& warning : found.warnings) {
      std::fprintf(stderr, "karman turbulence: warning: %s\n", warning.c_str());
    }
    if (found.wrong.empty()) return app::done;
    std::fprintf(stderr, "karman turbulence: NOT RIGHT: %s\n", found.wrong.c_str());
    return app::not_converged;
  }

  int report_breakdown(VorticityFigures const& now) const {
    std::string const reason = now.breakdown.empty() ? "the vorticity is not finite" : std::string(now.breakdown);
    bool const fixed = case_.problem.control.cfl == 0;
    bool const bounded = now.moment.dt < case_.problem.control.dt_min;
    std::fprintf(stderr, "karman turbulence: %s, step %lld, time %.6g s, dt %.4g s%s; try a smaller /time/%s\n",
                 reason.c_str(), static_cast<long long>(now.moment.steps), now.moment.time, now.moment.dt,
                 checkpoints_.last_good().c_str(),
                 bounded ? "dt_min"
                 : fixed ? "dt"
                         : "cfl");
    return app::breakdown;
  }

  app::RunOptions const& options_;
  Case const& input_;
  TurbulenceCase case_;
  std::filesystem::path folder_;
  FolderLock lock_;
  TurbulenceModel* model_ = nullptr;
  History history_;
  MeanSpectra means_;
  app::MarchCheckpoints checkpoints_;
  Clock::time_point start_ = Clock::now();  ///< of the march of this process
  double spent_ = 0;                        ///< s, before this process
  RunRecord record_;
};

}  // namespace

int run_turbulence(app::RunOptions const& options) {
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  return Run(options, input, read_turbulence_outline(input), seconds_since(start)).execute();
}

}  // namespace karman::turbulence
