// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_run.hpp"

#include "common/kokkos_runtime.hpp"
#include "common/marching_run.hpp"
#include "common/run_support.hpp"
#include "euler/case/flow_estimate.hpp"
#include "euler/output/flow_checkpoint.hpp"
#include "euler/output/flow_fields.hpp"
#include "euler/output/flow_output.hpp"
#include "euler/output/outflow_check.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/output_folder.hpp>
#include <karman/io/progress.hpp>
#include <karman/io/signals.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::euler {
namespace {

using app::Clock;
using app::formatted;
using app::seconds_since;

class Run {
 public:
  Run(app::RunOptions const& options, Case const& input, FlowCase const& flow_case, double case_seconds)
      : options_(options),
        input_(input),
        case_(flow_case),
        folder_(app::output_folder(options)),
        history_(flow_case),
        checkpoints_(options, folder_ / checkpoint_file, flow_case.checkpoint_every) {
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
    for (std::string const& remark : case_.remarks) std::printf("%s\n", remark.c_str());
    FlowEstimate const need = estimate(case_, options_.dry_run ? app::quick_copy_rate(backend) : 0);
    // The needs of a case that does not fit are worth as much as those of one that does.
    if (options_.dry_run) std::fputs(dry_run_report(case_, need, record_.backend).c_str(), stdout);
    app::require_memory(need.device_bytes, need.host_bytes, record_.backend, describe(enabled_backends().back()));
    if (options_.dry_run) return app::done;
    require_free_space(folder_, static_cast<std::uint64_t>(need.disk_bytes));
    Clock::time_point const start = Clock::now();
    // Ends before Kokkos does, however this ends.
    std::unique_ptr<FlowModel> const model = make_flow_model(backend, case_.problem);
    model_ = model.get();
    record_.set_up_seconds = seconds_since(start);
    record_.memory_bytes = model_->memory_bytes();
    return march();
  }

 private:
  int march() {
    FlowOutput output(folder_, checkpoints_.goes_on() ? Overwrite::yes : options_.overwrite, case_, record_.backend);
    if (checkpoints_.goes_on()) restore(output);
    else begin(output);
    start_ = Clock::now();
    Progress progress({.mode = options_.progress,
                       .label = "euler",
                       .unit = case_.steady ? "steps" : "s",
                       .total = case_.steady ? double(case_.settings.max_steps) : case_.end});
    FlowFigures now = diagnostics();
    // A checkpoint has its last row.
    if (history_.rows().empty()) history_.add(now);
    std::int64_t const most = case_.steady ? case_.settings.max_steps : std::numeric_limits<std::int64_t>::max();
    while (now.breakdown.empty() && is_gas(now) && !ended(now)) {
      if (!case_.steady) model_->set_end(output.frames().next_time(case_.end, case_.frames));
      std::int64_t steps = std::min<std::int64_t>(case_.history_every, most - now.step);
      if (!case_.steady && now.dt > 0) {
        // Steps beyond the time of the frame would be idle.
        double const left = std::ceil((output.frames().next_time(case_.end, case_.frames) - now.time) / now.dt);
        steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(left, 1e9)), 1, steps);
      }
      model_->advance(static_cast<int>(steps));
      now = diagnostics();
      history_.add(now);
      progress.update(case_.steady ? double(now.step) : now.time, note_of(now));
      if (!now.breakdown.empty() || !is_gas(now)) break;
      if (!case_.steady && now.time >= output.frames().next_time(case_.end, case_.frames)) add_frame(output, now);
      if (ended(now)) break;
      restart_where_not_stored(now);
      if (stop_requested() != 0) {
        save(output, now);
        return checkpoints_.report_stop("euler", now.step, now.time);
      }
      if (checkpoints_.due()) save(output, now);
    }
    record_.march_seconds = spent_ + seconds_since(start_);
    if (!now.breakdown.empty() || !is_gas(now)) return report_breakdown(now);
    progress.finish(case_.steady ? double(now.step) : now.time);
    record_.converged = !case_.steady || converged(now);
    // A steady march can always continue: to more steps, or to a smaller residual.
    if (case_.steady) save(output, now);
    app::HostField conservative;
    model_->copy(conservative);
    FlowAverages averages;
    averages.seconds = model_->copy_averages(averages.sums);
    record_.motion_iterations = model_->motion_iterations();
    auto const states = states_of(conservative);
    MeshData mesh = case_.problem.mesh;
    mesh.nodes = model_->points();
    output.finish(record_, history_, mesh.nodes, states, averages);
    for (std::string const& sentence : slow_outflows(case_.problem, mesh, states))
      std::fprintf(stderr, "karman euler: %s\n", sentence.c_str());
    return conclude(now);
  }

  /// Figures with all changes by floors so far.
  FlowFigures diagnostics() {
    FlowFigures now = model_->diagnostics();
    now.floor_changes = floors_.changes += now.floor_changes;
    now.added_mass = floors_.mass += now.added_mass;
    now.added_energy = floors_.energy += now.added_energy;
    if (now.floor_node >= 0) floors_.node = now.floor_node;
    now.floor_node = floors_.node;
    return now;
  }

  void begin(FlowOutput& output) {
    app::HostField const start = initial();
    model_->start({}, start);
    if (case_.steady) return;
    output.begin_frames();
    output.add_frame(0, 0, model_->points(), states_of(start));
  }

  /// The start in the precision of the case.
  app::HostField initial() const {
    std::size_t const n = case_.initial.size();
    std::vector<double> values(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < 4; ++c) values[c * n + i] = case_.initial[i][c];
    }
    return {case_.problem.precision, {std::size_t{4}, n}, values};
  }

  void restore(FlowOutput& output) {
    LoadedFlow loaded = load_flow(options_.restart, input_, case_);
    if (!loaded.note.empty()) std::fprintf(stderr, "karman euler: %s\n", loaded.note.c_str());
    FlowState& state = loaded.state;
    if (!case_.steady && state.time.time > case_.end) {
      throw input_.error(
          "/time/end", formatted("expected at least %.10g, the time of ", state.time.time) + options_.restart.string());
    }
    model_->start(state.time, state.conservative, state.former);
    if (!state.averages.sums.empty()) model_->set_averages(state.averages.seconds, state.averages.sums);
    history_.restore(state.history);
    spent_ = state.seconds;
    floors_ = state.floors;
    if (case_.steady) return;
    output.frames().attach(options_.restart, state.frame_times);
    if (!output.frames().times().empty()) return;
    output.begin_frames();
    output.add_frame(state.time.step, state.time.time, model_->points(), states_of(state.conservative));
  }

  void add_frame(FlowOutput& output, FlowFigures const& now) const {
    app::HostField conservative;
    model_->copy(conservative);
    output.add_frame(now.step, now.time, model_->points(), states_of(conservative));
  }

  /// Makes the march one that a checkpoint holds. Local steps and the places of moving nodes are in none: there a new
  /// march begins at each check, whether or not it is written.
  void restart_where_not_stored(FlowFigures const& now) {
    FlowProblem const& problem = case_.problem;
    if (problem.integrator.local_steps || problem.motion.moves()) model_->restart({now.step, now.time, now.dt, {}});
  }

  void save(FlowOutput const& output, FlowFigures const& now) {
    FlowState state;
    state.time = {now.step, now.time, now.dt, now.earlier_dt};
    model_->copy(state.conservative);
    model_->copy_former(state.former);
    if (std::isfinite(case_.problem.averages_from)) state.averages.seconds = model_->copy_averages(state.averages.sums);
    state.history = history_.values();
    state.frame_times = output.frames().times();
    state.seconds = spent_ + seconds_since(start_);
    state.floors = floors_;
    save_flow(checkpoints_.file(), case_, state);
    checkpoints_.note_written();
  }

  static bool is_gas(FlowFigures const& now) {
    return now.least_density > 0 && now.least_pressure > 0 && std::isfinite(now.residual);
  }

  /// No residual was more than round-off: it cannot drop.
  bool is_steady_from_the_start(FlowFigures const& now) const {
    return case_.steady && history_.largest_residual() <= now.round_off;
  }

  bool converged(FlowFigures const& now) const {
    SteadySettings const& s = case_.settings;
    if (history_.rows().size() < 2) return false;
    if (history_.drop() <= s.residual || is_steady_from_the_start(now)) return true;
    return s.force_change > 0 && history_.force_change(s.window) <= s.force_change;
  }

  bool ended(FlowFigures const& now) const {
    if (!case_.steady) return now.time >= case_.end;
    return now.step >= case_.settings.max_steps || converged(now);
  }

  std::string note_of(FlowFigures const& now) const {
    std::string note = case_.steady ? formatted("residual %.1e", history_.drop())
                                    : formatted("step %lld", static_cast<long long>(now.step));
    if (!case_.problem.forces.empty()) {
      auto const [drag, lift, moment] = history_.last_coefficients(0);
      note += formatted(", drag %.4f, lift %.4f", drag, lift);
    }
    return note;
  }

  int conclude(FlowFigures const& now) const {
    double const updates = static_cast<double>(case_.problem.mesh.triangles.size()) * static_cast<double>(now.step) *
                           evaluations(case_.problem.integrator.method);
    std::printf("%lld steps to %.6g s in %s on %s (%s), %.3g million triangles per second, %s\n",
                static_cast<long long>(now.step), now.time, app::measured_time_text(record_.march_seconds).c_str(),
                std::string(name(record_.backend.backend)).c_str(), record_.backend.device.c_str(),
                updates / record_.march_seconds * 1e-6, bytes_text(double(record_.memory_bytes)).c_str());
    std::printf("density from %.4g, pressure from %.4g, Mach to %.4g; residual %.2e of its largest\n",
                now.least_density, now.least_pressure, now.largest_mach, history_.drop());
    if (is_steady_from_the_start(now))
      std::printf("steady from the start: all residuals are round-off, at most %.1e kg/(m^3 s)\n", now.round_off);
    if (case_.problem.motion.moves()) {
      std::printf("moving mesh: %d iterations to set it up, least quality of a triangle %.3f\n",
                  record_.motion_iterations, now.least_quality);
    }
    if (now.floor_changes > 0) {
      std::fprintf(stderr,
                   "karman euler: floors changed nodes %lld times, one at node %d; added mass %.3g, energy %.3g\n",
                   static_cast<long long>(now.floor_changes), now.floor_node, now.added_mass, now.added_energy);
    }
    for (std::size_t g = 0; g < case_.problem.forces.size(); ++g) {
      auto const [drag, lift, moment] = history_.last_coefficients(g);
      std::printf("%s: drag %.5f, lift %.5f, moment %.5f\n", case_.problem.forces[g].name.c_str(), drag, lift, moment);
    }
    for (std::size_t g = 0; g < case_.gauges.size(); ++g) {
      auto const& [density, vx, vy, pressure] = now.gauges[g];
      std::printf("gauge %s: density %.6g, velocity (%.6g, %.6g), pressure %.6g\n", case_.gauges[g].name.c_str(),
                  density, vx, vy, pressure);
    }
    std::printf("%s\n", (folder_ / fields_file).c_str());
    if (record_.converged) return app::done;
    std::fprintf(stderr,
                 "karman euler: NOT CONVERGED: after %lld steps the residual is %.2e of its largest, expected %.2e; "
                 "continue with %s\n",
                 static_cast<long long>(now.step), history_.drop(), case_.settings.residual,
                 app::continuation("euler", options_, checkpoints_.file(), "/time/max_steps", now.step).c_str());
    return app::not_converged;
  }

  /// "the pressure is -0.31 at node 12, (x, y) = (0.6, 0.2)": the first node without a gas.
  std::string place_of_breakdown() const {
    app::HostField conservative;
    model_->copy(conservative);
    auto const states = states_of(conservative);
    for (std::size_t n = 0; n < states.size(); ++n) {
      double const density = states[n][0], pressure = pressure_of(case_.problem.scheme.gamma, states[n]);
      bool const dense = std::isfinite(density) && density > 0;
      if (dense && std::isfinite(pressure) && pressure > 0) continue;
      auto const& at = case_.problem.mesh.nodes[n];
      return formatted("the %s is %g at node %zu, (x, y) = (%.8g, %.8g)", dense ? "pressure" : "density",
                       dense ? pressure : density, n, at[0], at[1]);
    }
    return "no time step is possible";
  }

  int report_breakdown(FlowFigures const& now) const {
    std::string const reason = now.breakdown.empty() ? std::string() : " (" + now.breakdown + ")";
    double const least = case_.problem.control.dt_min;
    bool const bounded = is_gas(now) && now.dt < least;
    std::string const fault = bounded ? formatted("the time step is %.4g s, below /time/dt_min, %.4g s", now.dt, least)
                                      : place_of_breakdown() + reason;
    std::fprintf(stderr, "karman euler: %s, step %lld, time %.6g s%s; try a smaller /time/%s\n", fault.c_str(),
                 static_cast<long long>(now.step), now.time, checkpoints_.last_good().c_str(),
                 bounded ? "dt_min" : "cfl");
    return app::breakdown;
  }

  app::RunOptions const& options_;
  Case const& input_;
  FlowCase const& case_;
  std::filesystem::path folder_;
  FolderLock lock_;
  FlowModel* model_ = nullptr;
  History history_;
  app::MarchCheckpoints checkpoints_;
  Clock::time_point start_ = Clock::now();  ///< of the march of this process
  double spent_ = 0;                        ///< s, before this process
  RunRecord record_;
  FlowState::Floors floors_;  ///< so far
};

}  // namespace

int run_euler(app::RunOptions const& options) {
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  FlowCase const flow_case = read_flow_case(input);
  return Run(options, input, flow_case, seconds_since(start)).execute();
}

}  // namespace karman::euler
