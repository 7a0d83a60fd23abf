// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_run.hpp"

#include "common/case/texts.hpp"
#include "common/run/member_rounds.hpp"
#include "common/run/run_context.hpp"
#include "shared_waves.hpp"
#include "wave_estimate.hpp"
#include "waves/model/wave_columns.hpp"
#include "waves/model/wave_model.hpp"
#include "waves/output/wave_checkpoint.hpp"
#include "waves/output/wave_output.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karman::waves {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

/// The run of the process: options and state.
class Run {
 public:
  Run(app::RunContext& context, Case const& input, WaveCase const& wave_case, double case_seconds)
      : context_(context), input_(input), case_(wave_case) {
    context.checkpoints().set(context.folder() / checkpoint_file, wave_case.checkpoint_every);
    record_.case_seconds = case_seconds;
  }

  int execute() {
    context_.require_same_case(case_.text);
    if (found_together(case_)) context_.require_one_process("a sea whose components share their losses");
    if (case_.components.size() == 1) context_.require_one_process("a case of one component");
    if (auto const end = context_.prepare({{output_files.begin(), output_files.end()}})) return *end;
    record_.backend = context_.backend();
    WaveEstimate need = estimate(case_, record_.backend.backend);
    if (context_.processes() > 1)
      need.host_bytes += SharedWaves::bytes(case_.problem.mesh.nodes.size(), context_.processes());
    record_.nodes_per_wavelength = need.nodes_per_wavelength;
    std::printf("%s\n", case_.directions.c_str());
    for (auto const* lines : {&case_.remarks, &case_.boundary_list}) {
      for (std::string const& line : *lines) std::printf("%s\n", line.c_str());
    }
    context_.report().warn(mesh_warning(need));
    if (auto const end = context_.open(need)) return *end;
    Clock::time_point const start = Clock::now();
    auto const model = make_wave_model(record_.backend.backend, case_.problem);
    record_.set_up_seconds = seconds_since(start);
    if (context_.processes() > 1) return execute_distributed(*model);
    WaveOutput output(context_.folder(), context_.options().overwrite, case_, record_.backend);
    if (context_.restarts()) restore(*model, output);
    if (auto const end = context_.stopped_in_set_up()) return *end;
    return solve(*model, output);
  }

 private:
  /// Components in rounds of one per process. The first process has the output and the checkpoints.
  int execute_distributed(WaveModel& model) {
    std::optional<WaveOutput> output;
    std::size_t next = 0;
    context_.by_first([&] {
      output.emplace(context_.folder(), context_.options().overwrite, case_, record_.backend);
      if (context_.restarts()) restore(model, *output);
      next = solved(*output);
    });
    if (auto const end = context_.stopped_in_set_up()) return *end;
    start_ = Clock::now();
    solve_rounds(model, output ? &*output : nullptr, context_.communicator().broadcast(next));
    int exit_code = app::done;
    context_.by_first([&] { exit_code = stopped_ ? report_stop(*output) : finish(model, *output); });
    return context_.communicator().broadcast(exit_code);
  }

  /// Solves the components from `first` on. `output`: of the first process, otherwise null. Collective.
  void solve_rounds(WaveModel& model, WaveOutput* output, std::size_t first) {
    Communicator const& all = context_.communicator();
    std::size_t const count = case_.components.size();
    auto const processes = static_cast<std::size_t>(all.size()), rank = static_cast<std::size_t>(all.rank());
    std::size_t const left = count - first;
    std::printf(
        "%s", app::idle_processes(all.size(), left, formatted("%zu component%s", left, left == 1 ? "" : "s")).c_str());
    Progress progress(
        {.mode = context_.options().progress, .label = "waves", .unit = "components", .total = double(count)});
    for (; first < count; first += processes) {
      std::size_t const own = first + rank, last = std::min(first + processes, count);
      std::optional<SolvedWaves> mine;
      bool const interrupted = own < count && !solve_member(model, case_.components[own], mine);
      SharedWaves const shared(all, mine ? &*mine : nullptr);
      if (output != nullptr) keep_round(model, *output, first, last, shared);
      if (all.broadcast(!breakdown_.empty())) break;
      bool const any_interrupted = !all.agree(!interrupted), signal = context_.all_must_stop();
      stopped_ = any_interrupted || (signal && last < count);
      if (output != nullptr) {
        progress.update(double(solved(*output)));
        if (stopped_ || (last < count && context_.checkpoints().due())) save(*output);
      }
      if (stopped_) break;
    }
    if (output != nullptr) progress.finish(double(solved(*output)));
  }

  /// Solves a component. False where a signal stopped it: its state is lost.
  bool solve_member(WaveModel& model, WaveComponent const& component, std::optional<SolvedWaves>& result) {
    model.begin({component});
    if (progress_.at_work) resume(model);
    if (!model.go_on([this](PicardSample const&) { return !context_.must_stop(); })) return false;
    result.emplace();
    result->values = model.values();
    result->report = model.state(0).report;
    return true;
  }

  /// Adds the components `first` to `last` - 1 in order, up to one that was stopped or broke down.
  void keep_round(WaveModel& model, WaveOutput& output, std::size_t first, std::size_t last,
                  SharedWaves const& shared) {
    for (std::size_t n = first; n < last && shared.has(n - first); ++n) {
      SolvedWaves solved = shared.of(n - first);
      model.begin({case_.components[n]});
      model.set_values(solved.values);
      WaveState state = model.state(0);
      state.report = std::move(solved.report);
      if (!keep(output, n, std::move(state))) return;
      if (n + 1 < case_.components.size()) remember(model, output, n);
    }
  }

  int solve(WaveModel& model, WaveOutput& output) {
    start_ = Clock::now();
    if (found_together(case_)) solve_together(model, output);
    else solve_one_by_one(model, output);
    return stopped_ ? report_stop(output) : finish(model, output);
  }

  /// Writes the results of a run that was not stopped, and reports.
  int finish(WaveModel const& model, WaveOutput& output) {
    record_.solve_seconds = spent();
    record_.memory_bytes = model.memory_bytes();
    if (!breakdown_.empty() && solved(output) == 0) {
      return context_.report().broken_down(breakdown_ + "; no results written");
    }
    output.finish(record_);
    return conclude(output);
  }

  void solve_one_by_one(WaveModel& model, WaveOutput& output) {
    std::size_t const count = case_.components.size();
    bool const many = count > 1;
    Progress progress({.mode = context_.options().progress,
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
      if (stopped_ || context_.checkpoints().due()) save(output);
      if (stopped_) break;
    }
    progress.finish(many ? double(solved(output)) : iterations_);
  }

  void solve_together(WaveModel& model, WaveOutput& output) {
    Progress progress({.mode = context_.options().progress, .label = "sea", .unit = "iterations"});
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
      return stop_requested() == 0 && !context_.checkpoints().due();
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
    save_progress(context_.checkpoints().file(), case_, output.record(), progress);
    progress.seconds = before;
    context_.checkpoints().note_written();
  }

  /// Reads the checkpoint and takes its finished components; run() takes the unfinished solve.
  void restore(WaveModel& model, WaveOutput& output) {
    LoadedWaves loaded = load_progress(context_.options().restart, input_, case_);
    context_.report().warn(loaded.note);
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
      throw FileError(context_.options().restart.string(), "restart from", app::reason_of(error));
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
      return formatted("the elevation is not finite at node %zu, (x, y) = ", n) + app::place_text(node[0], node[1]) +
             formatted(", component %zu, T = %g s, iteration %zu", component, state.period,
                       state.report.history.size());
    }
    return {};
  }

  int conclude(WaveOutput const& output) {
    report(output);
    if (!breakdown_.empty()) {
      return context_.report().broken_down(breakdown_ +
                                           formatted("; components 0 to %zu are complete in ", solved(output) - 1) +
                                           (context_.folder() / fields_file).string());
    }
    std::vector<WaveTrouble> const& troubles = progress_.troubles;
    if (troubles.empty()) return app::done;
    auto const& [component, trouble] = troubles.front();
    std::string const advice =
        saved_at_limit_ ? "; continue with " + context_.continuation("/solver/picard/max_iterations", iterations_) : "";
    return context_.report().not_converged(formatted(": %zu of %zu components, first at T = %g s: ", troubles.size(),
                                                     case_.components.size(), case_.components[component].period) +
                                           trouble + advice);
  }

  int report_stop(WaveOutput const& output) const {
    std::size_t const count = case_.components.size(), done = solved(output);
    std::string where = formatted("after %d iteration%s", iterations_, iterations_ == 1 ? "" : "s");
    if (found_together(case_)) where = formatted("in iteration %d", iterations_);
    else if (count > 1)
      where = formatted("after %zu of %zu components", done, count) +
              (iterations_ > 0 ? formatted(" and %d iterations of the next", iterations_) : "");
    return context_.report().stopped(where, context_.continuation());
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
    for (std::size_t g = 0; g < case_.gauges.size(); ++g) {
      report_gauge(output, g);
      if (auto const height = output.series_height(g))
        std::printf("gauge %s: surface over %g s, seed %lld: 4 standard deviations %.4g m\n",
                    case_.gauges[g].name.c_str(), case_.outputs.series->duration,
                    static_cast<long long>(case_.outputs.series->seed), *height);
    }
    std::printf("solved in %s, %s\n%s\n",
                context_.time_words(record_.solve_seconds, output.summed_seconds(), "components").c_str(),
                bytes_text(double(record_.memory_bytes)).c_str(), (context_.folder() / fields_file).c_str());
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

  app::RunContext& context_;
  Case const& input_;
  WaveCase const& case_;
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
  app::RunContext context("waves", options);
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  WaveCase const wave_case = read_wave_case(input);
  return Run(context, input, wave_case, seconds_since(start)).execute();
}

}  // namespace karman::waves
