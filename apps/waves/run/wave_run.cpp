// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_run.hpp"

#include "common/checkpoint_support.hpp"
#include "common/kokkos_runtime.hpp"
#include "common/run_support.hpp"
#include "waves/case/wave_estimate.hpp"
#include "waves/model/wave_columns.hpp"
#include "waves/output/wave_checkpoint.hpp"
#include "waves/output/wave_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karman::waves {
namespace {

using app::Clock;
using app::formatted;
using app::measured_time_text;
using app::seconds_since;

/// The run of the process: options and state.
class Run {
 public:
  Run(app::RunOptions const& options, Case const& input, WaveCase const& wave_case, double case_seconds)
      : options_(options),
        input_(input),
        case_(wave_case),
        folder_(app::output_folder(options)),
        clock_(wave_case.checkpoint_every) {
    record_.case_seconds = case_seconds;
  }

  int execute() {
    if (!options_.dry_run) {
      bool const goes_on = !options_.restart.empty();
      lock_ = prepare_output_folder(folder_, goes_on ? Overwrite::yes : options_.overwrite);
      app::require_no_files(folder_, output_files, options_.overwrite);
    }
    Backend const backend = options_.backend.value_or(enabled_backends().front());
    app::KokkosRuntime const kokkos({backend});
    record_.backend = describe(backend);
    WaveEstimate const need = estimate(case_, backend);
    record_.nodes_per_wavelength = need.nodes_per_wavelength;
    std::printf("%s\n", case_.directions.c_str());
    for (std::string const& remark : case_.remarks) std::printf("%s\n", remark.c_str());
    if (std::string const warning = mesh_warning(need); !warning.empty())
      std::fprintf(stderr, "karman waves: %s\n", warning.c_str());
    // The needs of a case that does not fit are worth as much as those of one that does.
    if (options_.dry_run) std::fputs(dry_run_report(case_, need, record_.backend).c_str(), stdout);
    app::require_memory(need.device_bytes, need.host_bytes, record_.backend, describe(enabled_backends().back()));
    if (options_.dry_run) return app::done;
    require_free_space(folder_, static_cast<std::uint64_t>(need.disk_bytes));
    return solve();
  }

 private:
  int solve() {
    StopSignals const signals;  // from here on an exceeded file size limit is a write error
    Clock::time_point start = Clock::now();
    auto const model = make_wave_model(record_.backend.backend, case_.problem);
    record_.set_up_seconds = seconds_since(start);
    WaveOutput output(folder_, options_.overwrite, case_, record_.backend);
    if (!options_.restart.empty()) restore(*model, output);

    start_ = Clock::now();
    if (found_together(case_)) solve_together(*model, output);
    else solve_one_by_one(*model, output);
    if (stopped_) return report_stop(output);
    record_.solve_seconds = spent();
    record_.memory_bytes = model->memory_bytes();
    if (!breakdown_.empty() && solved(output) == 0) {
      std::fprintf(stderr, "karman waves: %s; no results written\n", breakdown_.c_str());
      return app::breakdown;
    }
    output.finish(record_);
    return conclude(output);
  }

  void solve_one_by_one(WaveModel& model, WaveOutput& output) {
    std::size_t const count = case_.components.size();
    bool const many = count > 1;
    Progress progress({.mode = options_.progress,
                       .label = many ? "waves" : "picard",
                       .unit = many ? "components" : "iterations",
                       .total = many ? double(count) : 0});
    for (std::size_t n = solved(output); n < count; ++n) {
      WaveComponent const& component = case_.components[n];
      auto const watch = [&](PicardSample const& sample) {
        iterations_ = sample.iteration;
        std::string const change = formatted("change of height %.1e", sample.change);
        if (many)
          progress.update(double(n),
                          formatted("T = %.4g s, iteration %d, ", component.period, sample.iteration) + change);
        else progress.update(iterations_, change);
      };
      if (!run(model, output, {component}, watch) || !keep(output, n, model.state(0))) break;
      if (n + 1 == count) break;
      iterations_ = 0;
      remember(model, output, n);
      stopped_ = stop_requested() != 0;
      if (stopped_ || clock_.due()) save(output);
      if (stopped_) break;
    }
    progress.finish(many ? double(solved(output)) : iterations_);
  }

  void solve_together(WaveModel& model, WaveOutput& output) {
    Progress progress({.mode = options_.progress, .label = "sea", .unit = "iterations"});
    auto const watch = [&](PicardSample const& sample) {
      iterations_ = sample.iteration;
      progress.update(iterations_, formatted("component %zu of %zu, change of height %.1e", sample.component + 1,
                                             case_.components.size(), sample.change));
    };
    bool const done = run(model, output, case_.components, watch);
    for (std::size_t n = 0; done && n < model.solved(); ++n) {
      if (!keep(output, n, model.state(n))) break;
    }
    progress.finish(iterations_);
  }

  /// Solves these components, from the state of a checkpoint where one was read; writes checkpoints on the way. Returns
  /// false where a signal stopped it.
  template <class Watch>
  bool run(WaveModel& model, WaveOutput const& output, std::vector<WaveComponent> const& components,
           Watch const& watch) {
    model.begin(components);
    if (progress_.at_work) resume(model);
    auto const monitor = [&](PicardSample const& sample) {
      watch(sample);
      return stop_requested() == 0 && !clock_.due();
    };
    while (!model.go_on(monitor)) {
      save_at_work(model, output);
      stopped_ = stop_requested() != 0;
      if (stopped_) return false;
    }
    // Where no other solve follows, the last iterate can still be continued.
    saved_at_limit_ = model.at_limit() && components.size() == case_.components.size();
    if (saved_at_limit_) save_at_work(model, output);
    return true;
  }

  /// Writes a checkpoint of the present solve.
  void save_at_work(WaveModel const& model, WaveOutput const& output) {
    progress_.at_work = model.snapshot();
    save(output);
    progress_.at_work.reset();
  }

  void save(WaveOutput const& output) {
    WaveProgress& progress = progress_;
    double const before = std::exchange(progress.seconds, spent());
    save_progress(folder_ / checkpoint_file, case_, output.record(), progress);
    progress.seconds = before;
    clock_.restart();
  }

  /// Reads the checkpoint and takes its finished components; run() takes the unfinished solve.
  void restore(WaveModel& model, WaveOutput& output) {
    LoadedWaves loaded = load_progress(options_.restart, input_, case_);
    if (!loaded.note.empty()) std::fprintf(stderr, "karman waves: %s\n", loaded.note.c_str());
    progress_ = std::move(loaded.progress);
    output.restore(std::move(loaded.output));
    KeptWaves const& kept = progress_.kept;
    for (std::size_t n = 0; n < kept.components.size(); ++n) {
      model.begin({case_.components[kept.components[n]]});
      take_from_checkpoint([&] { model.set_values(kept.values_of(n)); });
      WaveState state = model.state(0);
      state.report = kept.reports[n];
      output.keep(kept.components[n], std::move(state));
    }
  }

  void resume(WaveModel& model) {
    take_from_checkpoint([&] { model.restore(*progress_.at_work); });
    progress_.at_work.reset();
  }

  /// Reports sizes that the model refuses as an error of the file.
  template <class Take>
  void take_from_checkpoint(Take const& take) const {
    try {
      take();
    } catch (std::invalid_argument const& error) {
      throw FileError(options_.restart.string(), "restart from", app::reason_of(error));
    }
  }

  /// Keeps the values of an added component for the next checkpoint, if the output holds its fields.
  void remember(WaveModel const& model, WaveOutput const& output, std::size_t n) {
    KeptWaves& kept = progress_.kept;
    if (!keeps_all(case_)) {
      if (output.record().largest_component != n) return;
      kept = {};
    }
    kept.add(n, model.values(), last_report_, keeps_all(case_) ? case_.components.size() - 1 : 1);
  }

  /// Number of components in the output.
  static std::size_t solved(WaveOutput const& output) { return output.record().summary.size(); }

  double spent() const { return progress_.seconds + seconds_since(start_); }

  /// Adds a component to the output. Returns false if it broke down, so that no other follows.
  bool keep(WaveOutput& output, std::size_t n, WaveState state) {
    breakdown_ = breakdown_of(state, n);
    if (!breakdown_.empty()) return false;
    if (!state.report.converged) progress_.troubles.push_back({n, state.report.trouble});
    last_ = summary_of(state);
    last_report_ = state.report;
    output.add(std::move(state));
    return true;
  }

  /// Report lines of a single component.
  std::string summary_of(WaveState const& state) const {
    WaveReport const& r = state.report;
    return formatted("T = %.4g s: %zu %siteration%s; %s; largest height %.4g m\n", state.period, r.history.size(),
                     iterated_losses(), r.history.size() == 1 ? "" : "s", r.solver.c_str(),
                     *std::max_element(state.height.begin(), state.height.end())) +
           shares_of(state.energy) +
           (state.energy.incident > 0 ? formatted(", imbalance %.1e\n", state.energy.imbalance) : "\n");
  }

  /// "friction ": name of the losses that depend on the waves and require iteration.
  char const* iterated_losses() const {
    Dissipation const& d = case_.problem.dissipation;
    bool const friction = d.friction == FrictionLaw::quadratic || d.friction == FrictionLaw::rough;
    bool const breaking = d.breaking != BreakingLaw::none;
    if (case_.problem.amplitude_dispersion || (friction && breaking)) return "Picard ";
    return friction ? "friction " : breaking ? "breaking " : "";
  }

  /// Fractions of the incident energy.
  static std::string shares_of(EnergyBalance const& e) {
    std::string text = formatted("energy: %.4g W in", e.incident);
    auto const share = [&](char const* what, double power) {
      constexpr double shown = 5e-5;
      double const part = power / e.incident;
      if (std::abs(part) >= shown) text += formatted(", %.2f %% %s", 100 * part, what);
    };
    if (e.incident > 0) {
      share("reflected out", e.reflected);
      share("radiated", e.radiated);
      share("absorbed at the shore", e.absorbed);
      share("lost to friction", e.friction);
      share("lost to breaking", e.breaking);
    }
    return text;
  }

  /// The first value that is not finite, in words.
  std::string breakdown_of(WaveState const& state, std::size_t component) const {
    for (std::size_t n = 0; n < state.elevation.size(); ++n) {
      if (std::isfinite(state.elevation[n].real()) && std::isfinite(state.elevation[n].imag())) continue;
      auto const& node = case_.problem.mesh.nodes[n];
      return formatted(
          "the elevation is not finite at node %zu, (x, y) = (%.8g, %.8g), component %zu, T = %g s, iteration %zu", n,
          node[0], node[1], component, state.period, state.report.history.size());
    }
    return {};
  }

  int conclude(WaveOutput const& output) {
    report(output);
    std::string const file = folder_ / fields_file;
    if (!breakdown_.empty()) {
      std::fprintf(stderr, "karman waves: %s; components 0 to %zu are complete in %s\n", breakdown_.c_str(),
                   solved(output) - 1, file.c_str());
      return app::breakdown;
    }
    std::vector<WaveTrouble> const& troubles = progress_.troubles;
    if (troubles.empty()) return app::done;
    auto const& [component, trouble] = troubles.front();
    std::string const advice =
        saved_at_limit_ ? "; continue with " + app::continuation("waves", options_, folder_ / checkpoint_file,
                                                                 "/solver/picard/max_iterations", iterations_)
                        : "";
    std::fprintf(stderr, "karman waves: NOT CONVERGED: %zu of %zu components, first at T = %g s: %s%s\n",
                 troubles.size(), case_.components.size(), case_.components[component].period, trouble.c_str(),
                 advice.c_str());
    return app::not_converged;
  }

  int report_stop(WaveOutput const& output) const {
    std::size_t const count = case_.components.size(), done = solved(output);
    std::string where = formatted("after %d iteration%s", iterations_, iterations_ == 1 ? "" : "s");
    if (found_together(case_)) where = formatted("in iteration %d", iterations_);
    else if (count > 1)
      where = formatted("after %zu of %zu components", done, count) +
              (iterations_ > 0 ? formatted(" and %d iterations of the next", iterations_) : "");
    std::fprintf(stderr, "karman waves: stopped by a signal %s; continue with --restart %s\n", where.c_str(),
                 (folder_ / checkpoint_file).c_str());
    return 128 + stop_requested();
  }

  /// Powers of all components together.
  static EnergyBalance balance_of(OutputRecord const& record) {
    EnergyBalance sum;
    for (auto const& row : record.summary) {
      double const* const power = row.data() + summary_incident;
      sum.incident += power[0];
      sum.reflected += power[1];
      sum.radiated += power[2];
      sum.absorbed += power[3];
      sum.friction += power[4];
      sum.breaking += power[5];
      sum.imbalance = std::max(sum.imbalance, std::abs(row[summary_imbalance]));
    }
    return sum;
  }

  void report(WaveOutput const& output) const {
    if (case_.components.size() == 1) {
      std::fputs(last_.c_str(), stdout);
    } else {
      EnergyBalance const balance = balance_of(output.record());
      std::printf("%zu components", solved(output));
      if (found_together(case_))
        std::printf(", losses from their sum, %d iteration%s", iterations_, iterations_ == 1 ? "" : "s");
      std::printf(", largest energy imbalance %.1e\n", balance.imbalance);
      if (are_superposed(case_.set)) {
        std::printf("%s\n", shares_of(balance).c_str());
        auto const height = output.significant_height();
        std::printf("significant height: %.4g m incident, %.4g m maximum\n", significant_height(case_.components),
                    *std::max_element(height.begin(), height.end()));
      }
    }
    for (std::size_t g = 0; g < case_.gauges.size(); ++g) report_gauge(output, g);
    std::printf("solved in %s on %s (%s), %s\n%s\n", measured_time_text(record_.solve_seconds).c_str(),
                std::string(name(record_.backend.backend)).c_str(), record_.backend.device.c_str(),
                bytes_text(double(record_.memory_bytes)).c_str(), (folder_ / fields_file).c_str());
  }

  void report_gauge(WaveOutput const& output, std::size_t g) const {
    auto const& rows = output.readings();
    std::string const& name = case_.gauges[g].name;
    if (case_.set == WaveSet::period_scan) {
      std::size_t best = 0;
      for (std::size_t n = 1; n < rows.size(); ++n) {
        if (rows[n][g].amplification > rows[best][g].amplification) best = n;
      }
      std::printf("gauge %s: largest amplification %.3f at T = %.4g s\n", name.c_str(), rows[best][g].amplification,
                  case_.components[best].period);
      return;
    }
    double square = 0;
    for (auto const& row : rows) square += 0.5 * std::norm(row[g].elevation);
    if (rows.size() > 1) std::printf("gauge %s: significant height %.4g m\n", name.c_str(), 4 * std::sqrt(square));
    else
      std::printf("gauge %s: height %.4g m, %.3f times the incident\n", name.c_str(), rows[0][g].height,
                  rows[0][g].amplification);
  }

  app::RunOptions const& options_;
  Case const& input_;
  WaveCase const& case_;
  std::filesystem::path folder_;
  FolderLock lock_;
  app::CheckpointClock clock_;
  Clock::time_point start_ = Clock::now();  ///< of the solves of this process
  RunRecord record_;
  WaveProgress progress_;
  bool stopped_ = false;         ///< by a signal, after a checkpoint
  bool saved_at_limit_ = false;  ///< the checkpoint has an iterate at the limit of iterations
  int iterations_ = 0;           ///< of the running solve, or the last of a sea
  WaveReport last_report_;
  std::string last_, breakdown_;
};

}  // namespace

int run_waves(app::RunOptions const& options) {
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  WaveCase const wave_case = read_wave_case(input);
  return Run(options, input, wave_case, seconds_since(start)).execute();
}

}  // namespace karman::waves
