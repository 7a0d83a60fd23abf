// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A shared problem with every feature of the model.
#pragma once

#include "waves_support.hpp"

namespace karman::waves::test {

inline constexpr double period = 6;

/// A bay of 120 m x 80 m over a slope, with waves from the west, a quay, a beach, friction and breaking.
inline WaveProblem bay(double size = 5) {
  RectangleMesh shape;
  shape.high = {120, 80};
  shape.size = size;
  WaveProblem problem = even_bed(mesh_rectangle(shape), 1);
  for (std::size_t n = 0; n < problem.depth.size(); ++n) {
    auto const& x = problem.mesh.nodes[n];
    problem.depth[n] = 5 - 0.03 * x[0] + 0.5 * std::sin(x[1] / 20);
  }
  problem.boundaries[west].kind = BoundaryKind::incident;
  problem.boundaries[south].reflection = 0.9;
  problem.boundaries[east].reflection = 0.1;
  problem.boundaries[north].kind = BoundaryKind::open;
  problem.dissipation.friction = FrictionLaw::rough;
  problem.dissipation.roughness = 0.05;
  problem.dissipation.breaking = BreakingLaw::battjes_janssen;
  problem.extended = true;
  return problem;
}
/// Its incident waves.
inline std::vector<IncidentWave> const arriving{{0.7, degrees(15)}, {0.2, degrees(-30), 1}};

/// Largest difference of the elevations, m.
inline double difference(WaveState const& a, WaveState const& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.elevation.size(); ++n)
    largest = std::max(largest, std::abs(a.elevation[n] - b.elevation[n]));
  return largest;
}

}  // namespace karman::waves::test
