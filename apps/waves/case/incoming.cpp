// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "incoming.hpp"

#include "waves/case/dispersion.hpp"
#include "waves/case/snell.hpp"

#include <array>
#include <cmath>

namespace karman::waves {
namespace {

/// Calls visit(edge, outward normal times length) for every incident edge until it returns true. Returns true if a call
/// did.
template <class Visit>
bool any_incident_edge(WaveProblem const& problem, Visit visit) {
  MeshData const& mesh = problem.mesh;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    if (problem.boundaries.at(mesh.edge_labels[e]).kind != BoundaryKind::incident) continue;
    auto const& edge = mesh.edges[e];
    auto const& a = mesh.nodes[static_cast<std::size_t>(edge[0])];
    auto const& b = mesh.nodes[static_cast<std::size_t>(edge[1])];
    // The domain is on the left of an edge.
    if (visit(edge, std::array{b[1] - a[1], a[0] - b[0]})) return true;
  }
  return false;
}

double direction_at(WaveProblem const& problem, double omega, IncidentWave const& wave, int node) {
  Refraction const& refraction = problem.refraction;
  if (!refraction.parallel_contours) return wave.direction;
  double const amplitude = problem.amplitude_dispersion ? wave.amplitude : 0;
  double const here = dispersion(omega, problem.depth[static_cast<std::size_t>(node)], amplitude).wave_number;
  double const there = dispersion(omega, refraction.depth, amplitude).wave_number;
  return refracted(wave.direction, refraction.across, there / here).direction;
}

}  // namespace

bool any_enters(WaveProblem const& problem, double period, std::vector<IncidentWave> const& waves) {
  constexpr double least_sine = 1e-6;
  double const omega = angular_frequency(period);
  return any_incident_edge(problem, [&](std::array<int, 2> const& edge, std::array<double, 2> const& normal) {
    double const length = std::hypot(normal[0], normal[1]);
    for (IncidentWave const& wave : waves) {
      for (int const node : edge) {
        double const direction = direction_at(problem, omega, wave, node);
        if (-(std::cos(direction) * normal[0] + std::sin(direction) * normal[1]) > least_sine * length) return true;
      }
    }
    return false;
  });
}

std::optional<double> straight_inwards(WaveProblem const& problem) {
  std::array<double, 2> sum{};
  double length = 0;
  any_incident_edge(problem, [&](std::array<int, 2> const&, std::array<double, 2> const& normal) {
    sum[0] += normal[0], sum[1] += normal[1];
    length += std::hypot(normal[0], normal[1]);
    return false;
  });
  constexpr double least = 1e-6;
  if (!(std::hypot(sum[0], sum[1]) > least * length)) return std::nullopt;
  return std::atan2(-sum[1], -sum[0]);
}

}  // namespace karman::waves
