// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_run.hpp"

#include "common/case/case_checkpoint.hpp"
#include "common/case/texts.hpp"
#include "common/run/march.hpp"
#include "euler/output/flow_checkpoint.hpp"
#include "euler/output/flow_fields.hpp"
#include "euler/output/flow_output.hpp"
#include "euler/output/outflow_check.hpp"
#include "flow_estimate.hpp"
#include "polar_run.hpp"
#include <karman/io/config.hpp>
#include <karman/mesh/mesh_refinement.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// The march of the process: flow, history, output. See app::march().
class Run {
 public:
  Run(app::RunContext& context, Case const& input, FlowCase flow_case, double case_seconds)
      : context_(context), input_(input), case_(std::move(flow_case)), history_(case_) {
    context.checkpoints().set(context.folder() / checkpoint_file, case_.checkpoint_every);
    record_.case_seconds = case_seconds;
  }

  int execute() {
    if (auto const end = context_.prepare({{output_files.begin(), output_files.end()}, final_files})) return *end;
    record_.backend = context_.backend();
    if (!context_.is_member()) {
      for (auto const* lines : {&case_.remarks, &case_.boundary_list}) {
        for (std::string const& line : *lines) std::printf("%s\n", line.c_str());
      }
    }
    if (auto const end = context_.open(estimate(case_, context_.copy_rate(), record_.backend.backend))) return *end;
    LoadedFlow loaded;
    if (context_.restarts()) {
      loaded = load_flow(context_.options().restart, input_, case_);
      level_ = loaded.state.level;
    }
    if (context_.options().overwrite == Overwrite::yes && !context_.is_member()) remove_polar(context_.folder());
    make_model();
    if (auto const end = context_.stopped_in_set_up()) return *end;
    output_.emplace(context_.folder(), context_.overwrite_frames(), case_, record_.backend);
    if (context_.restarts()) restore(loaded);
    else begin();
    start_ = Clock::now();
    now_ = diagnostics();
    // A checkpoint has its last row.
    if (history_.rows().empty()) history_.add(now_, level_);
    for (;;) {
      if (auto const end = march(context_, progress(), *this)) return *end;
      if (is_finest()) break;
      report_level();
      refine();
    }
    record_.march_seconds = spent_ + seconds_since(start_);
    return finish();
  }

  /// After execute().
  FlowEnd end(int exit_code) const {
    FlowEnd result{.exit_code = exit_code, .steps = now_.step, .coefficients = {}};
    if (history_.rows().empty()) return result;
    result.residual = history_.drop();
    result.seconds = spent_ + seconds_since(start_);
    for (std::size_t g = 0; g < case_.problem.forces.size(); ++g)
      result.coefficients.push_back(history_.last_coefficients(g));
    return result;
  }

  bool is_sound() const { return now_.breakdown.empty() && is_gas(); }

  bool has_ended() const {
    if (!case_.steady) return now_.time >= case_.end;
    if (now_.step - level_step_ >= case_.settings.max_steps || !now_.newton.stall.empty() || converged()) return true;
    // The finest mesh has all of its steps.
    return !is_finest() && history_.is_on_plateau();
  }

  void advance() {
    std::int64_t const most =
        case_.steady ? level_step_ + case_.settings.max_steps : std::numeric_limits<std::int64_t>::max();
    std::int64_t steps = std::min<std::int64_t>(case_.history_every, most - now_.step);
    if (!case_.steady) {
      double const next = next_frame();
      model_->set_end(next);
      // Steps beyond the time of the frame would be idle.
      if (now_.dt > 0) {
        double const left = std::fmin(std::ceil((next - now_.time) / now_.dt), 1e9);
        steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(left), 1, steps);
      }
    }
    model_->advance(static_cast<int>(steps));
    now_ = diagnostics();
    history_.add(now_, level_);
  }

  void record() {
    if (!case_.steady && now_.time >= next_frame()) {
      app::HostField conservative;
      model_->copy(conservative);
      output_->add_frame(now_.step, now_.time, model_->points(), states_of(conservative));
    }
    // Makes the march one that a checkpoint holds. Local steps and the places of moving nodes are in none: there a new
    // march begins at each check, whether or not it is written.
    FlowProblem const& problem = case_.problem;
    bool const incomplete =
        (problem.integrator.local_steps && !problem.newton) || (problem.motion.moves() && !problem.implicit);
    if (incomplete && !has_ended()) model_->restart({now_.step, now_.time, now_.dt, {}});
  }

  void save() const {
    FlowState state;
    state.time = {now_.step, now_.time, now_.dt, now_.earlier_dt, now_.newton.state};
    model_->copy(state.conservative);
    model_->copy_former(state.former);
    if (std::isfinite(case_.problem.averages_from)) state.averages.seconds = model_->copy_averages(state.averages.sums);
    state.history = history_.values();
    state.largest_residual = history_.largest_residual();
    state.earlier = case_.earlier;
    state.frame_times = output_->frames().times();
    state.seconds = spent_ + seconds_since(start_);
    state.floors = floors_;
    state.level = level_;
    state.level_step = level_step_;
    save_flow(context_.checkpoints().file(), level_case(), state);
  }

  double position() const { return case_.steady ? double(now_.step - level_step_) : now_.time; }

  std::string note() const {
    std::string text = case_.steady ? formatted("residual %.1e", history_.drop())
                                    : formatted("step %lld", static_cast<long long>(now_.step));
    if (!case_.coarser.empty()) text = formatted("mesh %zu of %zu, ", level_ + 1, case_.coarser.size() + 1) + text;
    if (!case_.problem.forces.empty()) {
      auto const [drag, lift, moment] = history_.last_coefficients(0);
      text += formatted(", drag %.4f, lift %.4f", drag, lift);
    }
    return text;
  }

  std::string where() const {
    return formatted("at step %lld, time %.6g s", static_cast<long long>(now_.step), now_.time);
  }

  int report_breakdown() const {
    double const least = case_.problem.control.dt_min;
    bool const bounded = is_gas() && now_.dt < least;
    std::string const fault =
        bounded ? formatted("the time step is %.4g s, below /time/dt_min, %.4g s", now_.dt, least)
                : place_of_breakdown() + (now_.breakdown.empty() ? std::string() : " (" + now_.breakdown + ")");
    return context_.report().broken_down(
        fault + formatted(", step %lld, time %.6g s", static_cast<long long>(now_.step), now_.time) +
        context_.checkpoints().last_good() + "; try a smaller /time/" +
        (bounded                  ? "dt_min"
         : case_.problem.implicit ? "step"
                                  : "cfl"));
  }

 private:
  ProgressOptions progress() const {
    return {.label = "euler",
            .unit = case_.steady ? "steps" : "s",
            .total = case_.steady ? double(case_.settings.max_steps) : case_.end};
  }

  FlowCase const& level_case() const { return case_of_level(case_, level_); }
  bool is_finest() const { return level_ == case_.coarser.size(); }

  void make_model() {
    Clock::time_point const start = Clock::now();
    model_ = make_flow_model(record_.backend.backend, level_case().problem);
    record_.set_up_seconds += seconds_since(start);
    record_.memory_bytes = model_->memory_bytes();
  }

  /// Remark on a coarser mesh whose residual has not dropped as required; empty for others.
  std::string remark_on_level(std::size_t level) const {
    LevelEnd const end = history_.level_ends()[level];
    double const wanted = case_.settings.sequencing_residual;
    if (end.drop <= wanted || is_steady_from_the_start()) return {};
    return formatted("mesh %zu of %zu ended after %.0f steps at a residual of %.2e of its largest, expected %.2e",
                     level + 1, case_.coarser.size() + 1, end.steps, end.drop, wanted);
  }

  void report_level() const {
    std::string const remark = remark_on_level(level_);
    if (remark.empty()) return;
    std::string const& stall = now_.newton.stall;
    bool const limited = now_.step - level_step_ >= case_.settings.max_steps;
    context_.report().warn(remark + (!stall.empty() ? ": newton has stalled: " + stall
                                     : limited      ? ": these are /time/max_steps"
                                                    : ": it falls no more"));
  }

  /// Passes the flow on to the next finer mesh, linear along the edges of the coarser one.
  void refine() {
    app::HostField conservative;
    model_->copy(conservative);
    model_.reset();
    auto const states = states_of(conservative);
    RefinedMesh const refined = refine_mesh(level_case().problem.mesh);
    std::vector<double> values;
    for (std::size_t c = 0; c < 4; ++c) {
      std::vector<double> one;
      for (Conservative const& u : states) one.push_back(u[c]);
      one = refined_values(std::move(one), refined.parents);
      values.insert(values.end(), one.begin(), one.end());
    }
    ++level_;
    level_step_ = now_.step;
    make_model();
    model_->start({now_.step, now_.time, 0, {}},
                  {case_.problem.precision, {std::size_t{4}, values.size() / 4}, values});
    now_ = diagnostics();
    history_.add(now_, level_);
  }

  double next_frame() const { return output_->frames().next_time(case_.end, case_.frames); }
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

  void begin() {
    app::HostField const start = initial();
    model_->start({}, start);
    if (!case_.steady) begin_frames(0, 0, start);
  }

  void begin_frames(std::int64_t step, double time, app::HostField const& conservative) {
    output_->begin_frames();
    output_->add_frame(step, time, model_->points(), states_of(conservative));
  }

  /// The start in the precision of the case.
  app::HostField initial() const {
    auto const& states = level_case().initial;
    std::size_t const n = states.size();
    std::vector<double> values(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < 4; ++c) values[c * n + i] = states[i][c];
    }
    return {case_.problem.precision, {std::size_t{4}, n}, values};
  }

  void restore(LoadedFlow& loaded) {
    auto const& file = context_.options().restart;
    context_.report().warn(loaded.note);
    FlowState& state = loaded.state;
    level_step_ = state.level_step;
    if (!case_.steady) app::require_within(state.time.time, case_.end, "time", "/time/end", input_, file);
    model_->start(state.time, state.conservative, state.former);
    if (!state.averages.sums.empty()) model_->set_averages(state.averages.seconds, state.averages.sums);
    case_.earlier = state.earlier;
    case_.remarks.insert(case_.remarks.end(), state.earlier.remarks.begin(), state.earlier.remarks.end());
    history_.restore(state.history);
    spent_ = state.seconds;
    floors_ = state.floors;
    if (case_.steady) return;
    output_->frames().attach(file, state.frame_times);
    if (output_->frames().times().empty()) begin_frames(state.time.step, state.time.time, state.conservative);
  }

  bool is_gas() const { return now_.least_density > 0 && now_.least_pressure > 0 && std::isfinite(now_.residual); }

  /// No residual was more than round-off: it cannot drop.
  bool is_steady_from_the_start() const { return case_.steady && history_.largest_residual() <= now_.round_off; }

  bool converged() const {
    SteadySettings const& s = case_.settings;
    // Newton's method makes no step where the residual is zero.
    bool const idle = !now_.newton.stall.empty();
    if (history_.rows().size() < 2 && !idle) return false;
    if (level_ > 0 && now_.step == level_step_ && !idle) return false;
    if (is_steady_from_the_start()) return true;
    if (!is_finest()) return history_.drop() <= s.sequencing_residual;
    return has_dropped() || has_steady_forces();
  }

  /// A flow that starts from another one has also left that behind, be it ever so near.
  bool has_dropped() const {
    if (history_.drop() > case_.settings.residual) return false;
    constexpr double own = 0.05;
    bool const is_near = case_.earlier.largest_residual > 0 && !case_.earlier.same_flow;
    return !is_near || history_.own_drop() <= own || now_.residual <= now_.round_off;
  }

  bool has_steady_forces() const {
    SteadySettings const& s = case_.settings;
    // Rows of a coarser mesh do not count.
    return s.force_change > 0 && now_.step - level_step_ >= s.window &&
           history_.force_change(s.window) <= s.force_change;
  }

  /// Limits that a converged march has met, made smaller: values of the case with which it continues.
  app::CaseChanges smaller_limits() const {
    SteadySettings const& s = case_.settings;
    if (is_steady_from_the_start()) return {};
    app::CaseChanges changes;
    if (has_dropped()) {
      constexpr double least_residual = 1e-14;  // of the schema
      if (s.residual <= least_residual) return {};
      changes.emplace_back("/time/residual", formatted("%g", std::max(0.01 * s.residual, least_residual)));
    }
    if (has_steady_forces()) changes.emplace_back("/time/force_change", formatted("%g", 0.1 * s.force_change));
    return changes;
  }

  int finish() {
    record_.converged = !case_.steady || converged();
    // A steady march can always continue: to more steps, or to a smaller residual.
    if (case_.steady) {
      save();
      context_.checkpoints().note_written();
    }
    app::HostField conservative;
    model_->copy(conservative);
    FlowAverages averages;
    averages.seconds = model_->copy_averages(averages.sums);
    record_.motion_iterations = model_->motion_iterations();
    auto const states = states_of(conservative);
    MeshData mesh = case_.problem.mesh;
    mesh.nodes = model_->points();
    // From the history, which a run that continues from its checkpoint has, too.
    for (std::size_t level = 0; level < case_.coarser.size(); ++level) {
      if (std::string const remark = remark_on_level(level); !remark.empty()) case_.remarks.push_back(remark);
    }
    output_->finish(record_, history_, mesh.nodes, states, averages);
    for (std::string const& sentence : slow_outflows(case_.problem, mesh, states)) context_.report().warn(sentence);
    return conclude(now_);
  }

  int conclude(FlowFigures const& now) const {
    if (now.floor_changes > 0) {
      context_.report().warn(formatted("floors changed nodes %lld times, one at node %d; added mass %.3g, energy %.3g",
                                       static_cast<long long>(now.floor_changes), now.floor_node, now.added_mass,
                                       now.added_energy));
    }
    if (!context_.is_member()) print(now);
    if (record_.converged) return app::done;
    if (!now.newton.stall.empty()) {
      return context_.report().not_converged(
          formatted(": after %lld steps newton has stalled at a residual of %.2e of its largest, expected %.2e: ",
                    static_cast<long long>(now.step), history_.drop(), case_.settings.residual) +
          now.newton.stall + "; try a smaller /time/cfl, or an explicit /time/method");
    }
    return context_.report().not_converged(
        formatted(": after %lld steps the residual is %.2e of its largest, expected %.2e; ",
                  static_cast<long long>(now.step), history_.drop(), case_.settings.residual) +
        // A member alone would not change the table of all.
        (context_.is_member() ? "try a larger /time/max_steps"
                              : "continue with " + context_.continuation("/time/max_steps", now.step - level_step_)));
  }

  void print(FlowFigures const& now) const {
    double updates = 0, residuals = 0, linear_iterations = 0;
    auto const ends = history_.level_ends();
    for (std::size_t level = 0; level < ends.size(); ++level) {
      bool const counted = case_.problem.linear_systems() != nullptr;
      double const own = counted ? history_.total("evaluations", level)
                                 : ends[level].steps * evaluations(case_.problem.integrator.method);
      residuals += own;
      updates += own * static_cast<double>(case_of_level(case_, level).problem.mesh.triangles.size());
      if (counted) linear_iterations += history_.total("linear_iterations", level);
    }
    // Local time steps of a steady march have no common time.
    std::printf("%lld steps%s in %s on %s (%s), %.3g million triangles per second, %s\n",
                static_cast<long long>(now.step), case_.steady ? "" : formatted(" to %.6g s", now.time).c_str(),
                app::measured_time_text(record_.march_seconds).c_str(),
                std::string(name(record_.backend.backend)).c_str(), record_.backend.device.c_str(),
                updates / record_.march_seconds * 1e-6, bytes_text(double(record_.memory_bytes)).c_str());
    for (std::size_t level = 0; !case_.coarser.empty() && level < ends.size(); ++level) {
      std::printf("%.0f of these steps on %zu nodes\n", ends[level].steps,
                  case_of_level(case_, level).problem.mesh.nodes.size());
    }
    if (case_.problem.newton) {
      std::printf("newton: %.0f linear iterations, %.0f residuals with their projection, last cfl %.3g\n",
                  linear_iterations, residuals, now.newton.state.cfl);
    }
    if (auto const& implicit = case_.problem.implicit) {
      std::printf("%s: %.0f newton iterations, %.0f linear iterations, %.0f residuals with their projection\n",
                  std::string(name(implicit->method)).c_str(), history_.total("newton_iterations", 0),
                  linear_iterations, residuals);
    }
    std::printf("density from %.4g, pressure from %.4g, Mach to %.4g%s\n", now.least_density, now.least_pressure,
                now.largest_mach,
                case_.steady ? formatted("; residual %.2e of its largest", history_.drop()).c_str() : "");
    if (is_steady_from_the_start())
      std::printf("steady from the start: all residuals are round-off, at most %.1e kg/(m^3 s)\n", now.round_off);
    if (case_.problem.motion.moves()) {
      std::printf("moving mesh: %d iterations to set it up, least quality of a triangle %.3f\n",
                  record_.motion_iterations, now.least_quality);
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
    std::printf("%s\n", (context_.folder() / fields_file).c_str());
    app::CaseChanges const changes = case_.steady && record_.converged ? smaller_limits() : app::CaseChanges();
    if (!changes.empty())
      std::printf("converged; for smaller limits continue with %s\n", context_.continuation(changes).c_str());
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
      auto const& at = level_case().problem.mesh.nodes[n];
      double const value = dense ? pressure : density;
      return formatted("the %s is %g at node %zu, (x, y) = ", dense ? "pressure" : "density",
                       std::isnan(value) ? std::abs(value) : value, n) +
             app::place_text(at[0], at[1]);
    }
    return "no time step is possible";
  }

  app::RunContext& context_;
  Case const& input_;
  FlowCase case_;
  std::unique_ptr<FlowModel> model_;
  std::optional<FlowOutput> output_;
  History history_;
  std::size_t level_ = 0;        ///< refinements of the present mesh, of a sequence
  std::int64_t level_step_ = 0;  ///< at which it began
  FlowFigures now_;
  Clock::time_point start_ = Clock::now();  ///< of the march of this process
  double spent_ = 0;                        ///< s, before this process
  RunRecord record_;
  FlowState::Floors floors_;  ///< so far
};

}  // namespace

FlowEnd run_flow(app::RunContext& context, Case const& input, FlowCase flow_case, double case_seconds) {
  Run run(context, input, std::move(flow_case), case_seconds);
  int const exit_code = run.execute();
  return run.end(exit_code);
}

int run_euler(app::RunOptions const& options) {
  app::RunContext context("euler", options);
  Clock::time_point const start = Clock::now();
  Case const input = Case::load(options.case_file, schema(), options.overrides);
  if (input.has("/sweep")) return run_polar(context, input);
  FlowCase flow_case = read_flow_case(input, start_of(context));
  return run_flow(context, input, std::move(flow_case), seconds_since(start)).exit_code;
}

}  // namespace karman::euler
