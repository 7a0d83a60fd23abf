// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow_fields.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace karman::euler {
namespace {

double speed_of(Conservative const& u) { return std::hypot(u[1], u[2]) / u[0]; }

template <class Function>
std::vector<double> each(std::vector<Conservative> const& states, Function const& value) {
  std::vector<double> values;
  values.reserve(states.size());
  for (Conservative const& u : states) values.push_back(value(u));
  return values;
}

}  // namespace

std::vector<Conservative> states_of(app::HostField const& conservative) {
  std::vector<double> const values = conservative.in_double();
  std::size_t const n = values.size() / 4;
  std::vector<Conservative> states(n);
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t i = 0; i < n; ++i) states[i][c] = values[c * n + i];
  }
  return states;
}

std::vector<double> slope_of(MeshData const& mesh, std::vector<double> const& values) {
  if (values.empty()) return {};
  std::vector<double> area(values.size(), 0), gx(values.size(), 0), gy(values.size(), 0);
  for (auto const& triangle : mesh.triangles) {
    std::array<std::array<double, 2>, 3> x{};
    std::array<double, 3> f{};
    for (std::size_t m = 0; m < 3; ++m) {
      x[m] = mesh.nodes[static_cast<std::size_t>(triangle[m])];
      f[m] = values[static_cast<std::size_t>(triangle[m])];
    }
    double const twice = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
    double sx = 0, sy = 0;  // of the gradient, times twice the area
    for (std::size_t m = 0; m < 3; ++m) {
      auto const& next = x[(m + 1) % 3];
      auto const& last = x[(m + 2) % 3];
      sx += f[m] * (next[1] - last[1]);
      sy += f[m] * (last[0] - next[0]);
    }
    for (int const node : triangle) {
      auto const i = static_cast<std::size_t>(node);
      area[i] += twice;
      gx[i] += sx;
      gy[i] += sy;
    }
  }
  std::vector<double> slope(values.size());
  for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = std::hypot(gx[i], gy[i]) / area[i];
  return slope;
}

std::vector<NodalValues> fields_of(FlowCase const& flow_case, MeshData const& mesh,
                                   std::vector<Conservative> const& states) {
  FlowProblem const& problem = flow_case.problem;
  double const gamma = problem.scheme.gamma;
  EulerState const& flow = problem.flow;
  std::vector<NodalValues> fields;
  auto const asked = [&](char const* name) { return flow_case.fields.count(name) != 0; };
  auto const add = [&](char const* name, char const* units, std::vector<double> values, int components = 1) {
    fields.push_back({name, units, std::move(values), components});
  };
  if (asked("density")) add("density", "kg/m3", each(states, [](auto const& u) { return u[0]; }));
  if (asked("velocity")) {
    std::vector<double> velocity;
    velocity.reserve(3 * states.size());
    for (Conservative const& u : states) velocity.insert(velocity.end(), {u[1] / u[0], u[2] / u[0], 0.0});
    add("velocity", "m/s", std::move(velocity), 3);
  }
  if (asked("pressure")) add("pressure", "Pa", each(states, [&](auto const& u) { return pressure_of(gamma, u); }));
  if (asked("mach")) {
    add("mach", "1",
        each(states, [&](auto const& u) { return speed_of(u) / std::sqrt(gamma * pressure_of(gamma, u) / u[0]); }));
  }
  if (asked("temperature")) {
    add("temperature", "K",
        each(states, [&](auto const& u) { return pressure_of(gamma, u) / (u[0] * flow_case.gas_constant); }));
  }
  if (asked("entropy")) {
    add("entropy", "1", each(states, [&](auto const& u) {
          return pressure_of(gamma, u) / flow.pressure * std::pow(flow.density / u[0], gamma) - 1;
        }));
  }
  if (asked("energy")) add("energy", "J/m3", each(states, [](auto const& u) { return u[3]; }));
  if (asked("schlieren")) add("schlieren", "kg/m4", slope_of(mesh, each(states, [](auto const& u) { return u[0]; })));
  return fields;
}

std::vector<WallPoint> walls_of(FlowProblem const& problem, MeshData const& mesh) {
  std::set<int> labels;
  for (auto const& [label, boundary] : problem.boundaries) {
    if (boundary.kind == EulerBoundaryKind::wall) labels.insert(label);
  }
  for (ForceGroup const& group : problem.forces) labels.insert(group.labels.begin(), group.labels.end());
  std::vector<WallPoint> points;
  for (int const label : labels) {
    // The domain lies on the left of each edge. So one edge leaves every node of a run.
    std::map<int, int> next;
    std::set<int> ends;
    for (std::size_t n = 0; n < mesh.edges.size(); ++n) {
      if (mesh.edge_labels[n] != label) continue;
      next[mesh.edges[n][0]] = mesh.edges[n][1];
      ends.insert(mesh.edges[n][1]);
    }
    int run = 0;
    auto const follow = [&](int first) {
      double distance = 0;
      int node = first;
      points.push_back({label, run, 0, node});
      for (auto found = next.find(node); found != next.end(); found = next.find(node)) {
        int const other = found->second;
        next.erase(found);
        auto const& a = mesh.nodes[static_cast<std::size_t>(node)];
        auto const& b = mesh.nodes[static_cast<std::size_t>(other)];
        distance += std::hypot(b[0] - a[0], b[1] - a[1]);
        points.push_back({label, run, distance, other});
        node = other;
      }
      ++run;
    };
    std::vector<int> firsts;
    for (auto const& [node, ignored] : next) {
      if (ends.count(node) == 0) firsts.push_back(node);
    }
    for (int const first : firsts) follow(first);
    while (!next.empty()) {
      auto const right = std::max_element(next.begin(), next.end(), [&](auto const& a, auto const& b) {
        return mesh.nodes[static_cast<std::size_t>(a.first)][0] < mesh.nodes[static_cast<std::size_t>(b.first)][0];
      });
      follow(right->first);
    }
  }
  return points;
}

}  // namespace karman::euler
