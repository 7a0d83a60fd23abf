// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of the tests of waves: problems, exact values, norms.
#pragma once

#include "waves/case/dispersion.hpp"
#include "waves/model/wave_model.hpp"
#include <karman/mesh/mesh_generators.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

namespace karman::waves::test {

using std::numbers::pi;
using Number = std::complex<double>;
using Point = std::array<double, 2>;
using Field = std::function<Number(Point const&)>;

constexpr double degrees(double angle) { return angle * pi / 180; }

/// e^{i phase}.
inline Number turned(double phase) { return {std::cos(phase), std::sin(phase)}; }

/// The fastest backend of the build, for most tests. Those that compare backends run on all.
inline Backend fastest() { return enabled_backends().front(); }

/// A problem over an even depth with all boundaries reflecting; tests open some.
inline WaveProblem even_bed(MeshData mesh, double depth) {
  WaveProblem problem;
  problem.mesh = std::move(mesh);
  problem.depth.assign(problem.mesh.nodes.size(), depth);
  for (int const label : problem.mesh.edge_labels) problem.boundaries[label] = {};
  return problem;
}

/// Boundaries of mesh_rectangle().
enum Side { south = 1, east = 2, north = 3, west = 4 };

/// A flume along x, `width` across, with waves from the west and closed otherwise.
inline WaveProblem flume(double length, double width, double size, double depth) {
  RectangleMesh shape;
  shape.high = {length, width};
  shape.size = size;
  WaveProblem problem = even_bed(mesh_rectangle(shape), depth);
  problem.boundaries[west].kind = BoundaryKind::incident;
  return problem;
}

inline WaveState solve(WaveProblem const& problem, double period, std::vector<IncidentWave> const& waves) {
  WaveState state = make_wave_model(fastest(), problem)->solve(period, waves);
  EXPECT_TRUE(state.report.converged) << state.report.trouble;
  return state;
}

/// Largest |elevation - exact| over the nodes.
inline double largest_error(WaveProblem const& problem, WaveState const& state, Field const& exact) {
  double largest = 0;
  for (std::size_t n = 0; n < state.elevation.size(); ++n)
    largest = std::max(largest, std::abs(state.elevation[n] - exact(problem.mesh.nodes[n])));
  return largest;
}

/// The node nearest to a point.
inline std::size_t nearest(WaveProblem const& problem, double x, double y) {
  auto const& nodes = problem.mesh.nodes;
  auto const closer = [&](Point const& a, Point const& b) {
    return std::hypot(a[0] - x, a[1] - y) < std::hypot(b[0] - x, b[1] - y);
  };
  return static_cast<std::size_t>(std::min_element(nodes.begin(), nodes.end(), closer) - nodes.begin());
}

/// log2 of the ratio of two errors on meshes, the second with edges of half the length.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace karman::waves::test
