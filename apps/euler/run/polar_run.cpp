// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "polar_run.hpp"

#include "common/case/texts.hpp"
#include "common/fields/earlier_files.hpp"
#include "common/fields/provenance.hpp"
#include "common/run/clock.hpp"
#include "common/run/study_run.hpp"
#include "euler/case/flow_case.hpp"
#include "euler/case/polar_case.hpp"
#include "euler/output/flow_output.hpp"
#include "flow_estimate.hpp"
#include "flow_run.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/checkpoint.hpp>
#include <karman/io/config.hpp>
#include <karman/io/hdf5_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::euler {
namespace {

using app::formatted;
using nlohmann::json;
namespace fs = std::filesystem;

constexpr char const* polar_file = "polar.h5";
constexpr int format_version = 1;

/// The next angle of a search for a lift: by the secant of the last two flows.
class LiftSecant {
 public:
  explicit LiftSecant(double angle) : angle_(angle) {}

  double angle() const { return angle_; }

  /// Takes the lift at angle(), and turns to the next one.
  void advance(double lift, double target) {
    double const slope = (lift - last_lift_) / (angle_ - last_angle_);
    if (std::isfinite(slope) && std::abs(slope) > least_slope) slope_ = slope;
    last_angle_ = angle_;
    last_lift_ = lift;
    angle_ += std::clamp((target - lift) / slope_, -most_step, most_step);
  }

 private:
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static constexpr double least_slope = 1e-3;  ///< a degree: a body that hardly lifts
  static constexpr double most_step = 2;       ///< degrees

  double angle_;         ///< degrees
  double slope_ = 0.11;  ///< a degree; first that of a thin airfoil, 2 pi a radian
  double last_angle_ = none, last_lift_ = none;
};

class PolarRun {
 public:
  PolarRun(app::RunContext& context, Case const& input)
      : context_(context),
        input_(input),
        polar_(read_polar(input, context.folder())),
        outline_(read_flow_case(polar_.points.members().front().input)) {}

  int execute() {
    app::StudyWork const work{.columns = columns(),
                              .result = fields_file,
                              .checkpoint = checkpoint_file,
                              .interval = "/solver/checkpoint_every",
                              .remarks = remarks(),
                              .needs = [this](std::size_t n) { return needs(n); },
                              .evaluate = [](std::size_t) {},
                              .run = [this](app::RunContext& member, std::size_t n) { return run_point(member, n); },
                              .outputs = output_files,
                              // The search for a lift begins again at its neighbour.
                              .continues_members = !polar_.search,
                              .lists_values = false,
                              .files = {polar_file},
                              .finish = [this](std::vector<app::StudyRow> const& rows) { write_result(rows); }};
    return app::run_study(context_, input_, polar_.points, work);
  }

 private:
  std::vector<std::string> columns() const {
    std::vector<std::string> names{"mach", "angle", "converged", "solves", "steps", "residual"};
    for (ForceGroup const& group : outline_.problem.forces) {
      for (char const* what : {".drag", ".lift", ".moment"}) names.push_back(group.name + what);
    }
    return names;
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> lines = outline_.remarks;
    lines.insert(lines.end(), outline_.boundary_list.begin(), outline_.boundary_list.end());
    MeshData const& mesh = outline_.problem.mesh;
    lines.push_back(formatted("mesh        %zu nodes, %zu triangles", mesh.nodes.size(), mesh.triangles.size()));
    return lines;
  }

  /// All points have the same mesh.
  app::MemberNeeds needs(std::size_t n) const {
    app::MemberNeeds result{estimate(outline_, context_.copy_rate(), context_.backend().backend), {}};
    app::Needs& needs = result.needs;
    double const solves = polar_.search ? polar_.search->most_solves : 1;
    needs.seconds *= solves;
    needs.title = input_.get<std::string>("/title");
    if (n == 0) {
      needs.disk_bytes += app::hdf5_overhead + static_cast<std::int64_t>(input_.text().size()) +
                          app::hdf5_table_bytes(static_cast<double>(polar_.points.size()), columns().size());
    }
    result.words = formatted("%.0f steps at most", solves * static_cast<double>(outline_.settings.max_steps));
    return result;
  }

  /// The nearest earlier point that has a flow: in its row, or at the same place of an earlier row and before it.
  std::optional<std::string> neighbor_of(std::size_t n) const {
    std::size_t const row = polar_.row;
    auto const has_flow = [&](std::size_t m) {
      return fs::exists(context_.folder() / polar_.points.members()[m].name / fields_file);
    };
    for (std::size_t m = n; m > n - n % row; --m) {
      if (has_flow(m - 1)) return polar_.points.members()[m - 1].name;
    }
    for (std::size_t first = n - n % row; first >= row; first -= row) {
      for (std::size_t m = first - row + n % row + 1; m > first - row; --m) {
        if (has_flow(m - 1)) return polar_.points.members()[m - 1].name;
      }
    }
    return {};
  }

  /// The case of a point that starts from its neighbour.
  json started_case(std::size_t n) const {
    json whole = polar_.points.members()[n].input.json();
    auto const neighbor = neighbor_of(n);
    if (!neighbor) return whole;
    fs::path const file = fs::path("..") / *neighbor / fields_file;
    whole["initial"] = {{"file", file.string()}};
    whole["time"]["sequencing"] = false;  // the flow of the neighbour is nearer than that of a coarser mesh
    if (polar_.search) {
      Hdf5File const result = Hdf5File::open(context_.folder() / *neighbor / fields_file);
      whole["flow"]["angle"] =
          Case::parse(result.read_text("/case"), result.path().string(), schema()).get<double>("/flow/angle");
    }
    return whole;
  }

  app::MemberEnd run_point(app::RunContext& member, std::size_t n) {
    if (!member.restarts()) app::remove_run(member.folder(), output_files, checkpoint_file);
    json whole = started_case(n);
    if (polar_.search) return find_lift(member, std::move(whole));
    FlowEnd const end = run_case(member, whole);
    return end_of(whole, end, 1, end.exit_code, end.seconds);
  }

  /// Writes the case of a point, and runs it.
  FlowEnd run_case(app::RunContext& context, json const& whole) const {
    app::Clock::time_point const start = app::Clock::now();
    fs::path const file = context.folder() / app::member_case_file;
    write_text_file(file, whole.dump(2) + '\n', Overwrite::yes);
    Case const input = Case::parse(whole.dump(2) + '\n', file.string(), schema());
    return run_flow(context, input, read_flow_case(input, start_of(context)), app::seconds_since(start));
  }

  app::MemberEnd find_lift(app::RunContext& member, json whole) {
    LiftSearch const& search = *polar_.search;
    LiftSecant secant(whole.at("flow").at("angle").get<double>());
    double lift = 0, seconds = 0;
    for (int solves = 1;; ++solves) {
      whole["flow"]["angle"] = secant.angle();
      std::vector<std::string> lines;
      app::RunContext context(context_, member.options(), lines);
      FlowEnd const end = run_case(context, whole);
      seconds += end.seconds;
      bool const has_flow = end.exit_code == app::done || end.exit_code == app::not_converged;
      if (has_flow) lift = end.coefficients.front()[1];
      bool const found = has_flow && std::abs(lift - search.target) <= search.tolerance;
      if (has_flow && !found && solves < search.most_solves) {
        secant.advance(lift, search.target);
        whole["initial"] = {{"file", fields_file}};
        whole["time"]["sequencing"] = false;
        continue;
      }
      // The flow at another angle is no result of this point.
      if (!has_flow && solves > 1) app::remove_run(member.folder(), output_files, checkpoint_file);
      for (std::string const& line : lines) member.report().warn(line);
      if (!has_flow || found) return end_of(whole, end, solves, end.exit_code, seconds);
      return end_of(whole, end, solves,
                    member.report().not_converged(
                        formatted(": after %d flow%s the lift is %.6g, expected %.6g within %.2g", solves,
                                  solves == 1 ? "" : "s", lift, search.target, search.tolerance)),
                    seconds);
    }
  }

  /// Figures as columns() has them; coefficients of a flow that broke down are none.
  app::MemberEnd end_of(json const& whole, FlowEnd const& end, int solves, int exit_code, double seconds) const {
    json const& flow = whole.at("flow");
    app::MemberEnd result{.exit_code = exit_code, .seconds = seconds};
    result.figures = {flow.value("mach", std::numeric_limits<double>::quiet_NaN()),
                      flow.value("angle", 0.0),
                      exit_code == app::done ? 1.0 : 0.0,
                      static_cast<double>(solves),
                      static_cast<double>(end.steps),
                      end.residual};
    bool const has_flow = exit_code == app::done || exit_code == app::not_converged;
    for (std::size_t g = 0; g < outline_.problem.forces.size(); ++g) {
      for (std::size_t c = 0; c < 3; ++c)
        result.figures.push_back(has_flow ? end.coefficients[g][c] : std::numeric_limits<double>::quiet_NaN());
    }
    return result;
  }

  void write_result(std::vector<app::StudyRow> const& rows) const {
    Hdf5File file = Hdf5File::create(context_.folder() / polar_file, context_.overwrite_frames());
    app::write_provenance(file, {"karman.euler_polar", format_version, input_.get<std::string>("/title"),
                                 context_.backend(), outline_.problem.precision, input_.text()});
    file.create_table("/polar", columns());
    for (app::StudyRow const& row : rows) file.append_row("/polar", row.figures);
    std::vector<std::string> names;
    for (ForceGroup const& group : outline_.problem.forces) names.push_back(group.name);
    file.write_texts("/forces/names", names);
    file.commit();
  }

  app::RunContext& context_;
  Case const& input_;
  Polar polar_;
  FlowCase outline_;  ///< the flow of the first point
};

}  // namespace

void remove_polar(fs::path const& folder) {
  fs::path const checkpoint = folder / polar_checkpoint;
  for (fs::path const& file : {folder / polar_table, folder / polar_file, checkpoint, previous_checkpoint(checkpoint)})
    app::remove_earlier(file, Overwrite::yes);
  app::remove_members(folder, point_word, 0, output_files, checkpoint_file);
}

int run_polar(app::RunContext& context, Case const& input) {
  context.require_one_process("a sweep, whose points start from their neighbours,");
  return PolarRun(context, input).execute();
}

}  // namespace karman::euler
