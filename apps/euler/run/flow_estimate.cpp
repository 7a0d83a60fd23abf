// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_estimate.hpp"

#include "common/case/texts.hpp"
#include "euler/model/flow_model.hpp"
#include "euler/output/flow_checkpoint.hpp"
#include "euler/output/history.hpp"

#include <algorithm>
#include <cmath>

namespace karman::euler {
namespace {

using app::formatted;

/// Largest (|v| + c) / height over the triangles, 1/s.
double largest_rate(FlowCase const& flow_case) {
  FlowProblem const& problem = flow_case.problem;
  // Of a run that continues from its checkpoint the state may be unknown: that of the flow has to do.
  auto const& states = flow_case.initial;
  Conservative const flow = conservative_state(problem.scheme.gamma, problem.flow);
  double rate = 0;
  for (auto const& triangle : problem.mesh.triangles) {
    Conservative u{};
    double longest = 0;
    std::array<std::array<double, 2>, 3> x{};
    for (std::size_t m = 0; m < 3; ++m) {
      auto const node = static_cast<std::size_t>(triangle[m]);
      x[m] = problem.mesh.nodes[node];
      for (std::size_t c = 0; c < 4; ++c) u[c] += (states.empty() ? flow : states[node])[c] / 3;
    }
    for (std::size_t m = 0; m < 3; ++m) {
      auto const& next = x[(m + 1) % 3];
      longest = std::max(longest, std::hypot(next[0] - x[m][0], next[1] - x[m][1]));
    }
    double const twice = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    double const sound = std::sqrt(problem.scheme.gamma * pressure_of(problem.scheme.gamma, u) / u[0]);
    rate = std::max(rate, (std::hypot(u[1], u[2]) / u[0] + sound) * longest / twice);
  }
  return rate;
}

/// Values per node of the fields of a frame.
int values_per_node(FlowCase const& flow_case) {
  return static_cast<int>(flow_case.fields.size()) + (flow_case.fields.count("velocity") != 0 ? 2 : 0);
}

std::int64_t disk_bytes(FlowCase const& flow_case, FlowEstimate const& need) {
  FlowProblem const& problem = flow_case.problem;
  std::int64_t const real = app::real_size(problem.precision), nodes = need.nodes;
  auto const edges = static_cast<std::int64_t>(problem.mesh.edges.size());
  auto const text = static_cast<std::int64_t>(flow_case.text.size());
  // Nodes, triangles and edges with their labels.
  std::int64_t const mesh = 16 * nodes + 16 * need.triangles + 12 * edges + app::hdf5_overhead;
  std::int64_t const fields = values_per_node(flow_case) * nodes * real;
  std::int64_t const frames = flow_case.steady ? 0 : flow_case.frames + 1;
  constexpr std::int64_t text_of_frame = 3000;
  std::int64_t const frame = fields + (problem.motion.moves() ? 16 * nodes : 0) + app::hdf5_overhead + text_of_frame;
  std::int64_t const averages = std::isfinite(problem.averages_from) ? 6 * nodes * real : 0;
  // A row each check and each frame. Waves that arise shorten the steps of a transient flow.
  double const shorter = flow_case.steady ? 1 : 2;
  constexpr double most_rows = 1e12;
  auto const meshes = static_cast<double>(flow_case.coarser.size() + 1);
  double const rows =
      std::fmin(meshes * shorter * need.steps / flow_case.history_every + static_cast<double>(frames) + 1, most_rows);
  std::size_t const columns = History(flow_case).columns().size();
  auto const walls = static_cast<double>(2 * edges);  // its two ends, where each is a run of its own
  constexpr std::size_t wall_columns = 8;
  std::int64_t const tables = app::hdf5_table_bytes(rows, columns) + app::csv_bytes(rows, columns + 2) +
                              app::hdf5_table_bytes(walls, wall_columns) + app::csv_bytes(walls, wall_columns);
  auto const history = static_cast<std::int64_t>(8 * rows * static_cast<double>(columns));
  std::int64_t const checkpoint = checkpoint_bytes(flow_case) + history + 8 * frames + 2 * text + app::hdf5_overhead;
  return frames * frame + (frames > 0 ? mesh : 0) + mesh + fields + averages + tables + text + app::hdf5_overhead +
         text_of_frame + 2 * checkpoint;
}

/// Lines of a dry run.
std::string about(FlowCase const& flow_case, FlowEstimate const& need) {
  FlowProblem const& problem = flow_case.problem;
  EulerState const& flow = problem.flow;
  double const sound = std::sqrt(problem.scheme.gamma * flow.pressure / flow.density);
  std::string text = formatted("mesh        %lld nodes, %lld triangles\n", static_cast<long long>(need.nodes),
                               static_cast<long long>(need.triangles));
  text += formatted("flow        Mach %.4g, density %.4g, velocity (%.4g, %.4g), pressure %.4g\n",
                    std::hypot(flow.velocity[0], flow.velocity[1]) / sound, flow.density, flow.velocity[0],
                    flow.velocity[1], flow.pressure);
  if (problem.newton) {
    auto const& [setup, options] = *problem.newton;
    text += formatted("method      newton, cfl %g to %g, gmres(%d) with %s\n", options.cfl, options.cfl_max,
                      setup.restart, std::string(name(setup.preconditioner)).c_str());
  } else if (problem.implicit) {
    auto const& [setup, method, options] = *problem.implicit;
    text += formatted("method      %s, ", std::string(name(method)).c_str());
    text += options.tolerance > 0 ? formatted("tolerance %g, first step %g s", options.tolerance, options.dt)
                                  : formatted("steps of %g s", options.dt);
    text += formatted(", cfl %.3g, gmres(%d) with %s\n", options.dt * need.rate, setup.restart,
                      std::string(name(setup.preconditioner)).c_str());
  } else {
    text += formatted("method      %s, cfl %g\n", std::string(name(problem.integrator.method)).c_str(),
                      problem.control.cfl);
  }
  if (!flow_case.coarser.empty()) {
    for (std::size_t level = 0; level <= flow_case.coarser.size(); ++level) {
      MeshData const& mesh = case_of_level(flow_case, level).problem.mesh;
      text += formatted("sequence    mesh %zu: %zu nodes, %zu triangles, %.0f steps at most\n", level + 1,
                        mesh.nodes.size(), mesh.triangles.size(), need.steps);
    }
    return text;
  }
  return text + (flow_case.steady ? formatted("steps       %.0f at most\n", need.steps)
                                  : formatted("steps       about %.3g of %.3g s\n", need.steps, need.dt));
}

}  // namespace

FlowEstimate estimate(FlowCase const& flow_case, double copy_rate, Backend backend) {
  FlowProblem const& problem = flow_case.problem;
  FlowEstimate need;
  need.nodes = static_cast<std::int64_t>(problem.mesh.nodes.size());
  need.triangles = static_cast<std::int64_t>(problem.mesh.triangles.size());
  need.rate = largest_rate(flow_case);
  need.dt = problem.implicit ? problem.implicit->options.dt : problem.control.cfl / need.rate;
  if (problem.control.dt_max > 0) need.dt = std::min(need.dt, problem.control.dt_max);
  need.steps = flow_case.steady ? static_cast<double>(flow_case.settings.max_steps) : flow_case.end / need.dt;
  need.title = flow_case.title;
  need.lines = about(flow_case, need);
  need.precision = problem.precision;
  need.device_bytes = flow_model_bytes(problem, backend);
  std::int64_t const real = app::real_size(problem.precision);
  std::int64_t const mesh_bytes = need.nodes * 16 + need.triangles * 16;
  // The mesh in two orders, its neighbours while the plan is made, the start, a state, and its fields.
  need.host_bytes = 3 * mesh_bytes + 40 * need.triangles + need.nodes * (32 + 8 * real + 32 + 8 * 12);
  // While their plans are made: edges of the dual cells, coefficients of the Jacobian.
  if (problem.scheme.scheme == EulerScheme::muscl) need.host_bytes += 300 * need.triangles;
  if (problem.linear_systems() != nullptr) need.host_bytes += 420 * need.nodes + 24 * need.triangles;
  need.disk_bytes = disk_bytes(flow_case, need);
  double triangles = 0;  // of all meshes of a sequence
  for (FlowCase const& coarser : flow_case.coarser) {
    triangles += static_cast<double>(coarser.problem.mesh.triangles.size());
    auto const nodes = static_cast<std::int64_t>(coarser.problem.mesh.nodes.size());
    need.host_bytes += 48 * nodes + 16 * static_cast<std::int64_t>(coarser.problem.mesh.triangles.size());
  }
  triangles += static_cast<double>(need.triangles);
  // A residual costs about the time in which a copy moves 400 bytes per triangle, on an H200 and on a host's cores.
  constexpr double bytes_per_triangle = 400;
  // A linear iteration of Newton's method: residual, projection, factors and vectors cost about four residuals; steps
  // take some forty of them.
  constexpr double residuals_per_newton_step = 160;
  // An implicit step has about three linear systems of ten iterations; tr_bdf2 twice as many.
  double const residuals = problem.implicit ? (problem.implicit->method == EulerImplicitMethod::bdf2 ? 120 : 240)
                           : problem.newton ? residuals_per_newton_step
                                            : evaluations(problem.integrator.method) + 1.0;
  if (copy_rate > 0) {
    need.seconds = need.steps * residuals * bytes_per_triangle * triangles / copy_rate;
  }
  return need;
}

}  // namespace karman::euler
