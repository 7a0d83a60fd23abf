// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_case.hpp"

#include "common/case/texts.hpp"
#include "common/mesh/boundary_list.hpp"
#include "common/mesh/mesh_of_file.hpp"
#include "common/mesh/mesh_refinements.hpp"
#include "common/mesh/mesh_shapes.hpp"
#include "common/mesh/named_labels.hpp"
#include "flow_options_json.hpp"
#include "initial_file.hpp"
#include "read_state.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/mesh/periodic_nodes.hpp>

#include <euler_texts.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

namespace karman::euler {
namespace {

using app::formatted;
using Problems = std::vector<CaseProblem>;

app::NamedLabels boundaries_of(MeshData const& mesh) { return {mesh.edge_labels, mesh.boundary_names, "boundary"}; }

void read_periodic(Case const& input, FlowProblem& problem, Problems& problems) {
  app::NamedLabels const known = boundaries_of(problem.mesh);
  std::set<int> used;
  std::size_t const before = problems.size();
  for (std::size_t n = 0; n < input.size("/periodic"); ++n) {
    std::array<int, 2> pair{};
    for (std::size_t side = 0; side < 2; ++side) {
      std::string const pointer = "/periodic/" + std::to_string(n) + '/' + std::to_string(side);
      auto const labels = app::labels_of(known, input.get<std::string>(pointer));
      if (labels.size() != 1) {
        problems.push_back(input.problem(pointer, "expected a boundary of the mesh, one of: " + app::names_of(known)));
        continue;
      }
      pair[side] = labels.front();
      if (!used.insert(pair[side]).second)
        problems.push_back(input.problem(pointer, "expected each periodic boundary once"));
    }
    problem.periodic.push_back(pair);
  }
  if (problems.size() > before) return;
  try {
    periodic_groups(problem.mesh, problem.periodic);
  } catch (std::invalid_argument const& error) {
    problems.push_back(input.problem("/periodic", "expected boundaries that match: " + app::reason_of(error)));
  }
}

/// Middles of the edges with a label, and the normal out of the domain there.
struct EdgeMiddle {
  std::array<double, 2> at, normal;
};
std::vector<EdgeMiddle> middles_of(MeshData const& mesh, int label) {
  std::vector<EdgeMiddle> middles;
  for (std::size_t n = 0; n < mesh.edges.size(); ++n) {
    if (mesh.edge_labels[n] != label) continue;
    auto const& a = mesh.nodes[static_cast<std::size_t>(mesh.edges[n][0])];
    auto const& b = mesh.nodes[static_cast<std::size_t>(mesh.edges[n][1])];
    double const length = std::hypot(b[0] - a[0], b[1] - a[1]);
    middles.push_back({{0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])}, {(b[1] - a[1]) / length, (a[0] - b[0]) / length}});
  }
  return middles;
}

/// Refuses a supersonic inflow that is slower than sound, or that leaves the domain.
void check_inflow(Case const& input, std::string const& pointer, std::vector<EdgeMiddle> const& middles,
                  std::function<EulerState(double, double)> const& state_at, double gamma, Problems& problems) {
  for (EdgeMiddle const& middle : middles) {
    auto const& [at, normal] = middle;
    EulerState const state = state_at(at[0], at[1]);
    double const sound = std::sqrt(gamma * state.pressure / state.density);
    auto const [vx, vy] = state.velocity;
    double const mach = std::hypot(vx, vy) / sound, out = vx * normal[0] + vy * normal[1];
    if (!(mach > 1)) {
      problems.push_back(input.problem(
          pointer, formatted("expected a supersonic state, found Mach %.4g; use inlet or far_field", mach)));
      return;
    }
    if (out <= 1e-9 * sound) continue;
    problems.push_back(
        input.problem(pointer, formatted("expected flow into the domain, found %.4g m/s out of it at (x, y) = ", out) +
                                   app::place_text(at[0], at[1]) + "; use outflow or far_field"));
    return;
  }
}

/// Refuses a start that passes an inlet faster than sound: no wave carries its total pressure into the domain.
void check_inlet(Case const& input, std::string const& pointer, int label, FlowCase const& flow_case,
                 Problems& problems) {
  FlowProblem const& problem = flow_case.problem;
  MeshData const& mesh = problem.mesh;
  if (flow_case.initial.empty()) return;
  for (std::size_t n = 0; n < mesh.edges.size(); ++n) {
    if (mesh.edge_labels[n] != label) continue;
    double const mach = mach_through(problem.scheme.gamma, mesh, flow_case.initial, mesh.edges[n]);
    if (std::abs(mach) < 1) continue;
    auto const& at = mesh.nodes[static_cast<std::size_t>(mesh.edges[n][0])];
    problems.push_back(input.problem(
        pointer,
        formatted("expected a start below the speed of sound at an inlet, found Mach %.4g through it at (x, y) = ",
                  std::abs(mach)) +
            app::place_text(at[0], at[1]) +
            formatted("; use %s or far_field, or another /initial", mach < 0 ? "inflow" : "outflow")));
    return;
  }
}

EulerBoundary read_boundary(Case const& input, std::string const& pointer, int label, Gas const& gas,
                            FlowProblem& problem, Problems& problems) {
  EulerBoundary boundary;
  boundary.state = problem.flow;
  std::size_t const before = problems.size();
  auto const middles = middles_of(problem.mesh, label);
  auto const read_own = [&] {
    if (!input.has(pointer + "/state")) return;
    std::vector<std::array<double, 2>> points;
    for (EdgeMiddle const& middle : middles) points.push_back(middle.at);
    BoundaryState own = read_boundary_state(input, pointer + "/state", gas, points, problem.mesh, problems);
    if (problems.size() > before) return;
    boundary.state = own.constant;
    if (own.prescribed) {
      if (input.get<std::string>("/time/kind") == "steady" && own.prescribed->in_time)
        problems.push_back(input.problem(pointer + "/state", "expected formulas without t in a steady march"));
      problem.prescribed[label] = std::move(*own.prescribed);
    }
  };
  switch (read_options<BoundaryWord>(input, pointer + "/kind")) {
    case BoundaryWord::wall:
    case BoundaryWord::symmetry: boundary.kind = EulerBoundaryKind::wall; break;
    case BoundaryWord::outflow: boundary.kind = EulerBoundaryKind::outflow; break;
    case BoundaryWord::far_field:
      boundary.kind = EulerBoundaryKind::far_field;
      read_own();
      break;
    case BoundaryWord::inflow: {
      boundary.kind = EulerBoundaryKind::inflow;
      read_own();
      if (problems.size() > before) break;
      auto const varying = problem.prescribed.find(label);
      auto const state_at = [&](double x, double y) {
        return varying == problem.prescribed.end() ? boundary.state : varying->second.at(x, y, 0);
      };
      check_inflow(input, pointer, middles, state_at, gas.gamma, problems);
      break;
    }
    case BoundaryWord::outlet:
      boundary.kind = EulerBoundaryKind::outlet;
      boundary.state.pressure = input.get<double>(pointer + "/pressure");
      break;
    case BoundaryWord::inlet: {
      boundary.kind = EulerBoundaryKind::inlet;
      boundary.state.pressure = input.get<double>(pointer + "/total_pressure");
      boundary.state.density = read_density(input, pointer, gas, boundary.state.pressure, "total_", problems);
      double const angle = input.get<double>(pointer + "/angle") * std::numbers::pi / 180;
      boundary.state.velocity = {std::cos(angle), std::sin(angle)};
      break;
    }
  }
  return boundary;
}

void read_boundaries(Case const& input, Gas const& gas, FlowCase& result, Problems& problems) {
  FlowProblem& problem = result.problem;
  std::set<int> joined;
  std::map<int, std::string> conditions;
  for (auto const& pair : problem.periodic) joined.insert(pair.begin(), pair.end());
  for (int const label : joined) conditions[label] = "periodic";
  std::vector<int> labels;
  for (int const label : problem.mesh.edge_labels) {
    if (joined.count(label) == 0) labels.push_back(label);
  }
  auto const where = [&](int label) { return app::place_of(problem.mesh, label); };
  auto const members = app::members_of_labels(
      input, "/boundaries", {labels, problem.mesh.boundary_names, "boundary", where, app::seam_labels(problem.mesh)},
      problems);
  for (auto const& [label, pointer] : members) {
    EulerBoundary& boundary = problem.boundaries[label];
    boundary = read_boundary(input, pointer, label, gas, problem, problems);
    if (boundary.kind == EulerBoundaryKind::inlet) check_inlet(input, pointer, label, result, problems);
    conditions[label] = input.get<std::string>(pointer + "/kind");
  }
  result.boundary_list = app::boundary_list(problem.mesh, conditions);
}

/// Time step of a method with which the shipped cases run, with a margin.
double usual_cfl(TimeMethod method, EulerScheme scheme) {
  switch (method) {
    case TimeMethod::ssp_rk3: return 0.8;
    case TimeMethod::low_storage_rk54: return 1.2;
    case TimeMethod::adams_bashforth4: return scheme == EulerScheme::muscl ? 0.15 : 0.3;
    case TimeMethod::euler: return 0.1;
    case TimeMethod::minimal_storage_rk4: break;
  }
  return 1;
}

/// Only explicit stages have floors.
void require_no_floors(Case const& input, Problems& problems) {
  for (char const* floor : {"/scheme/density_floor", "/scheme/pressure_floor"}) {
    if (input.get<double>(floor) > 0)
      problems.push_back(input.problem(floor, "expected 0 with the method " + input.get<std::string>("/time/method") +
                                                  ", which keeps both positive"));
  }
}

/// Options of the linear systems of implicit methods.
void read_linear_options(Case const& input, EulerNewtonSetup& setup, double& tolerance) {
  if (input.has("/time/linear_tolerance")) tolerance = input.get<double>("/time/linear_tolerance");
  if (input.has("/time/restart")) setup.restart = input.get<int>("/time/restart");
  if (input.has("/time/preconditioner"))
    setup.preconditioner = read_options<EulerPreconditioner>(input, "/time/preconditioner");
}

/// Newton's method of a steady flow.
NewtonMethod read_newton(Case const& input, EulerState const& flow, EulerScheme scheme, Problems& problems) {
  NewtonMethod newton;
  newton.setup.reference = flow;
  if (input.has("/time/streamline")) newton.setup.streamline = input.get<double>("/time/streamline");
  if (newton.setup.streamline > 0 && scheme == EulerScheme::muscl)
    problems.push_back(input.problem("/time/streamline", "expected 0 with the scheme muscl, which has no such term"));
  newton.setup.preconditioner = EulerPreconditioner::block_amg;  // the fewest iterations on fine meshes
  EulerNewtonOptions& options = newton.options;
  options.cfl = read_options<std::optional<double>>(input, "/time/cfl").value_or(options.cfl);
  if (input.has("/time/cfl_max")) options.cfl_max = input.get<double>("/time/cfl_max");
  if (input.has("/time/linear_iterations"))
    options.linear_iterations = newton.setup.restart = input.get<int>("/time/linear_iterations");
  read_linear_options(input, newton.setup, options.linear_tolerance);
  if (options.cfl_max < options.cfl)
    problems.push_back(input.problem("/time/cfl_max", formatted("expected at least /time/cfl, %g", options.cfl)));
  require_no_floors(input, problems);
  if (!input.get<bool>("/time/local_steps"))
    problems.push_back(input.problem("/time/local_steps", "expected true with the method newton"));
  if (input.get<double>("/time/smoothing") > 0)
    problems.push_back(input.problem("/time/smoothing", "expected 0 with the method newton"));
  // Their defaults in the schema.
  for (auto const& [key, usual] : {std::pair("/time/growth", 1.1), std::pair("/time/local_ratio", 1e6)}) {
    if (input.get<double>(key) != usual)
      problems.push_back(input.problem(key, "expected none with the method newton, which chooses its steps"));
  }
  return newton;
}

/// Implicit steps of a flow in time.
ImplicitMethod read_implicit(Case const& input, EulerState const& flow, Problems& problems) {
  ImplicitMethod implicit;
  std::string const method = input.get<std::string>("/time/method");
  implicit.method = read_options<EulerImplicitMethod>(input, "/time/method");
  implicit.setup.reference = flow;
  EulerImplicitOptions& options = implicit.options;
  if (input.has("/time/step")) options.dt = input.get<double>("/time/step");
  else problems.push_back(input.problem("/time", "expected step with the method " + method + ", s"));
  if (input.has("/time/tolerance")) options.tolerance = input.get<double>("/time/tolerance");
  if (input.has("/time/newton_tolerance")) options.newton_tolerance = input.get<double>("/time/newton_tolerance");
  read_linear_options(input, implicit.setup, options.linear_tolerance);
  options.growth = input.get<double>("/time/growth");
  if (double const most = input.get<double>("/time/dt_max"); most > 0) options.dt_max = most;
  options.dt_min = input.get<double>("/time/dt_min");
  constexpr double most_growth = 2.4;  // backward differences of longer steps are unstable
  if (options.growth > most_growth)
    problems.push_back(input.problem("/time/growth", "expected at most 2.4 with the method " + method));
  if (options.dt_min > std::min(options.dt, options.dt_max))
    problems.push_back(input.problem("/time/dt_min", "expected at most /time/step and /time/dt_max"));
  if (read_options<std::optional<double>>(input, "/time/cfl"))
    problems.push_back(input.problem(
        "/time/cfl", "expected no CFL number with the method " + method + ", whose steps have the length /time/step"));
  require_no_floors(input, problems);
  return implicit;
}

/// Options of implicit methods, and a CFL number for Newton's, in a case of another method.
void check_explicit(Case const& input, bool steady, Problems& problems) {
  for (char const* option :
       {"/time/cfl_max", "/time/step", "/time/tolerance", "/time/newton_tolerance", "/time/linear_tolerance",
        "/time/linear_iterations", "/time/restart", "/time/preconditioner", "/time/streamline"}) {
    if (!input.has(option)) continue;
    problems.push_back(input.problem(
        option, std::string("expected the method ") + (steady ? "newton" : "bdf2 or tr_bdf2") + ", /time/method"));
    break;  // one line for all of them
  }
  constexpr double most = 10;
  if (read_options<std::optional<double>>(input, "/time/cfl").value_or(most) > most)
    problems.push_back(input.problem("/time/cfl", "expected a number > 0 and <= 10, or \"auto\""));
}

void read_time(Case const& input, FlowCase& result, Problems& problems) {
  FlowProblem& problem = result.problem;
  result.steady = input.get<std::string>("/time/kind") == "steady";
  std::string const method = input.get<std::string>("/time/method");
  if (method == "newton") problem.newton = read_newton(input, problem.flow, problem.scheme.scheme, problems);
  else if (method == "bdf2" || method == "tr_bdf2") problem.implicit = read_implicit(input, problem.flow, problems);
  else problem.integrator.method = read_options<TimeMethod>(input, "/time/method");
  bool const is_explicit = problem.linear_systems() == nullptr;
  if (is_explicit) check_explicit(input, result.steady, problems);
  constexpr int usual_rows = 20;
  result.history_every =
      read_options<std::optional<int>>(input, "/outputs/history_every").value_or(is_explicit ? usual_rows : 1);
  problem.control.cfl = read_options<std::optional<double>>(input, "/time/cfl")
                            .value_or(usual_cfl(problem.integrator.method, problem.scheme.scheme));
  problem.control.growth = input.get<double>("/time/growth");
  if (result.steady) {
    result.settings = read_options<SteadySettings>(input, "/time");
    problem.integrator.local_steps = problem.scheme.local_steps =
        input.get<bool>("/time/local_steps") || problem.newton;
    problem.scheme.step_limits_tau = false;
    problem.control.local_ratio = input.get<double>("/time/local_ratio");
    problem.smoothing = {input.get<double>("/time/smoothing"), input.get<int>("/time/smoothing_sweeps")};
    if (problem.smoothing.factor > 0 && !problem.integrator.local_steps)
      problems.push_back(input.problem("/time/smoothing", "expected 0 without /time/local_steps"));
    if (result.settings.sequencing && input.get<int>("/mesh/refine") == 0)
      problems.push_back(
          input.problem("/time/sequencing", "expected /mesh/refine of 1 or more, whose coarser meshes it begins on"));
    if (result.settings.force_change > 0 && input.size("/forces") == 0)
      problems.push_back(input.problem("/time/force_change", "expected /forces, whose coefficients are compared"));
    return;
  }
  if (problem.implicit) {
    problem.scheme.local_steps = true;  // estimates the round-off with the local rates
    problem.scheme.step_limits_tau = false;
  }
  result.end = input.get<double>("/time/end");
  result.frames = input.get<int>("/time/frames");
  problem.control.dt_max = input.get<double>("/time/dt_max");
  problem.control.dt_min = input.get<double>("/time/dt_min");
  if (input.has("/time/averages_from")) {
    problem.averages_from = input.get<double>("/time/averages_from");
    if (!(problem.averages_from < result.end))
      problems.push_back(
          input.problem("/time/averages_from", formatted("expected less than /time/end, %g", result.end)));
  }
}

/// The case on the mesh before each refinement, the coarsest first.
std::vector<FlowCase> coarser_cases(Case const& input, FlowStart from) {
  std::vector<FlowCase> cases;
  nlohmann::json whole = input.json();
  whole["time"]["sequencing"] = false;
  for (int refinements = 0; refinements < input.get<int>("/mesh/refine"); ++refinements) {
    whole["mesh"]["refine"] = refinements;
    cases.push_back(read_flow_case(Case::parse(whole.dump(), input.source(), schema()), from));
    cases.back().text = input.text();
    cases.back().settings.sequencing = true;
  }
  return cases;
}

/// Labels of a list of names at a pointer.
std::set<int> read_labels(Case const& input, std::string const& pointer, app::NamedLabels const& known,
                          Problems& problems) {
  std::set<int> result;
  for (std::size_t k = 0; k < input.size(pointer); ++k) {
    std::string const member = pointer + '/' + std::to_string(k);
    auto const labels = app::labels_of(known, input.get<std::string>(member));
    if (labels.empty())
      problems.push_back(input.problem(member, "expected a boundary of the mesh, one of: " + app::names_of(known)));
    result.insert(labels.begin(), labels.end());
  }
  return result;
}

/// An oscillation whose values are `scale` times the values of the case.
Oscillation read_oscillation(Case const& input, std::string const& pointer, double scale) {
  auto const number = [&](char const* member) { return input.get<double>(pointer + '/' + member); };
  constexpr double degree = std::numbers::pi / 180;
  return {scale * number("mean"), scale * number("amplitude"), number("frequency"), degree * number("phase"),
          scale * number("speed")};
}

/// Whether an edge with one of the labels ends at a periodic boundary.
bool touches_periodic(FlowProblem const& problem, std::set<int> const& labels) {
  std::set<int> periodic;
  for (auto const& pair : problem.periodic) periodic.insert(pair.begin(), pair.end());
  std::set<int> nodes;
  auto const each_end = [&](std::set<int> const& of, auto const& act) {
    for (std::size_t n = 0; n < problem.mesh.edges.size(); ++n) {
      if (of.count(problem.mesh.edge_labels[n]) == 0) continue;
      for (int const node : problem.mesh.edges[n]) act(node);
    }
  };
  each_end(periodic, [&](int node) { nodes.insert(node); });
  bool touches = false;
  each_end(labels, [&](int node) { touches = touches || nodes.count(node) != 0; });
  return touches;
}

void read_motion(Case const& input, FlowCase& result, Problems& problems) {
  if (!input.has("/motion")) return;
  FlowProblem& problem = result.problem;
  BodyMotion& motion = problem.motion;
  app::NamedLabels const known = boundaries_of(problem.mesh);
  motion.labels = read_labels(input, "/motion/body", known, problems);
  motion.sliding = read_labels(input, "/motion/sliding", known, problems);
  motion.pivot = input.get<std::array<double, 2>>("/motion/pivot");
  motion.angle = read_oscillation(input, "/motion/pitch", -std::numbers::pi / 180);  // nose up is clockwise
  motion.shift = {read_oscillation(input, "/motion/surge", 1), read_oscillation(input, "/motion/plunge", 1)};
  motion.weight = read_options<MotionWeight>(input, "/motion/weight");
  problem.scheme.moving = true;
  if (problem.scheme.scheme != EulerScheme::supg)
    problems.push_back(input.problem("/scheme/kind", "expected supg with /motion: muscl keeps the nodes at rest"));
  if (result.steady) problems.push_back(input.problem("/motion", "expected a transient flow, /time/kind"));
  if (!problem.implicit && problem.integrator.method != TimeMethod::minimal_storage_rk4)
    problems.push_back(input.problem("/time/method", "expected minimal_storage_rk4, bdf2 or tr_bdf2 with /motion"));
  for (int const label : motion.labels) {
    if (motion.sliding.count(label) != 0)
      problems.push_back(input.problem("/motion/sliding", "expected none of the boundaries of the body"));
  }
  auto const some_in = [&](std::set<int> const& labels) {
    return std::any_of(problem.periodic.begin(), problem.periodic.end(),
                       [&](auto const& pair) { return labels.count(pair[0]) != 0 || labels.count(pair[1]) != 0; });
  };
  if (some_in(motion.labels)) problems.push_back(input.problem("/motion/body", "expected no periodic boundary"));
  if (some_in(motion.sliding))
    problems.push_back(input.problem("/motion/sliding", "expected no periodic boundary: its nodes move in pairs"));
  if (motion.turns() && touches_periodic(problem, motion.labels))
    problems.push_back(input.problem("/motion/pitch", "expected 0 for a body that touches a periodic boundary"));
}

void read_forces(Case const& input, FlowProblem& problem, Problems& problems) {
  app::NamedLabels const known = boundaries_of(problem.mesh);
  std::set<std::string> names;
  for (std::size_t n = 0; n < input.size("/forces"); ++n) {
    std::string const pointer = "/forces/" + std::to_string(n);
    ForceGroup group;
    group.name = input.get<std::string>(pointer + "/name");
    group.length = input.get<double>(pointer + "/length");
    group.moment_at = input.get<std::array<double, 2>>(pointer + "/moment_at");
    if (!names.insert(group.name).second)
      problems.push_back(input.problem(pointer + "/name", "expected a unique name"));
    group.labels = read_labels(input, pointer + "/boundaries", known, problems);
    problem.forces.push_back(std::move(group));
  }
}

}  // namespace

std::string_view schema() {
  static std::string const text = app::with_mesh_shapes(
      embedded::euler_schema_json,
      {"rectangle", "channel", "disc", "annulus", "polygon", "airfoil", "bow_shock", "wedge", "step"});
  return text;
}

std::string_view example() { return embedded::euler_example_json; }

MeshData mesh_of_case(Case const& input, std::vector<std::string>& remarks) {
  // Of estimate(), with the smallest method.
  constexpr double least_bytes_per_node = 550;
  app::MeshNeed const need{least_bytes_per_node, input.get<int>("/mesh/refine")};
  MeshData mesh;
  if (input.get<std::string>("/mesh/kind") == "file") {
    mesh = app::mesh_of_file(input, app::UnusedNodes::drop, remarks);
    double const unit = input.get<double>("/mesh/unit");
    for (auto& node : mesh.nodes) node = {unit * node[0], unit * node[1]};
  } else {
    mesh = app::mesh_of_shape(input, need);
  }
  app::refine(input, need, mesh, remarks);
  return mesh;
}

FlowCase read_flow_case(Case const& input, FlowStart from) {
  FlowCase result;
  FlowProblem& problem = result.problem;
  result.title = input.get<std::string>("/title");
  result.text = input.text();
  Problems problems;
  Gas const gas{input.get<double>("/gas/gamma"), input.get<double>("/gas/constant")};
  result.gas_constant = gas.constant;
  problem.scheme = read_options<EulerRhsSetup>(input, "/scheme");
  problem.scheme.scheme = read_options<EulerScheme>(input, "/scheme/kind");
  problem.scheme.gamma = gas.gamma;
  problem.density_floor = input.get<double>("/scheme/density_floor");
  problem.pressure_floor = input.get<double>("/scheme/pressure_floor");
  problem.precision = read_options<Precision>(input, "/solver/precision");
  result.checkpoint_every = input.get<double>("/solver/checkpoint_every");
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  result.fields.insert(fields.begin(), fields.end());
  result.compression = input.get<int>("/outputs/compression");
  problem.flow = read_state(input, "/flow", gas, problems);
  read_time(input, result, problems);
  problem.mesh = mesh_of_case(input, result.remarks);
  read_periodic(input, problem, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  bool const of_file = input.has("/initial/file");
  std::vector<Conservative> base;
  if (of_file && from == FlowStart::of_case) {
    StartOfFile start = start_of_file(input, problem.mesh, gas);
    base = std::move(start.states);
    // Nodes of a periodic group are one, also where the other mesh differs at both sides.
    auto const groups = periodic_groups(problem.mesh, problem.periodic);
    for (std::size_t n = 0; n < groups.size(); ++n) base[n] = base[static_cast<std::size_t>(groups[n])];
    result.earlier = std::move(start.run);
    result.remarks.insert(result.remarks.end(), result.earlier.remarks.begin(), result.earlier.remarks.end());
  }
  if (!of_file || from == FlowStart::of_case)
    result.initial = read_initial(input, problem.mesh, gas, problem.flow, base, problems);
  read_boundaries(input, gas, result, problems);
  read_forces(input, problem, problems);
  read_motion(input, result, problems);
  if (input.size("/gauges") > 0) {
    app::PointFinder const finder(problem.mesh);
    result.gauges = app::read_gauges(input, finder, problems);
    for (app::Gauge const& gauge : result.gauges) problem.gauges.push_back(gauge.place);
  }
  if (!problems.empty()) throw CaseError(input.source(), problems);
  if (result.settings.sequencing) result.coarser = coarser_cases(input, from);
  return result;
}

double mach_through(double gamma, MeshData const& mesh, std::vector<Conservative> const& states,
                    std::array<int, 2> const& edge) {
  auto const& a = mesh.nodes[static_cast<std::size_t>(edge[0])];
  auto const& b = mesh.nodes[static_cast<std::size_t>(edge[1])];
  Conservative u{};
  for (int const node : edge) {
    for (std::size_t c = 0; c < 4; ++c) u[c] += 0.5 * states[static_cast<std::size_t>(node)][c];
  }
  double const length = std::hypot(b[0] - a[0], b[1] - a[1]);
  double const through = (u[1] * (b[1] - a[1]) - u[2] * (b[0] - a[0])) / (u[0] * length);
  return through / std::sqrt(gamma * pressure_of(gamma, u) / u[0]);
}

double dynamic_pressure(FlowProblem const& problem) {
  EulerState const& flow = problem.flow;
  double const square = flow.velocity[0] * flow.velocity[0] + flow.velocity[1] * flow.velocity[1];
  return square > 0 ? 0.5 * flow.density * square : 0.5 * problem.scheme.gamma * flow.pressure;
}

std::array<double, 3> coefficients(FlowProblem const& problem, ForceGroup const& group,
                                   std::array<double, 3> const& force) {
  auto const [vx, vy] = problem.flow.velocity;
  double const speed = std::hypot(vx, vy);
  double const cosine = speed > 0 ? vx / speed : 1, sine = speed > 0 ? vy / speed : 0;
  double const scale = dynamic_pressure(problem) * group.length;
  return {(force[0] * cosine + force[1] * sine) / scale, (force[1] * cosine - force[0] * sine) / scale,
          force[2] / (scale * group.length)};
}

}  // namespace karman::euler
