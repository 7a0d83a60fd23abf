// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boundary_table.hpp"

#include <cmath>
#include <unordered_map>

namespace karman::waves {
namespace {

/// Sine of the smallest turn that counts as a corner. Less is a bend of a smooth boundary.
constexpr double least_corner = 0.3;
/// d eta/dn = i p 3/4 eta follows from both second-order conditions where two open sides meet at a right angle
/// (Bamberger, Joly and Roberts, SIAM J. Numer. Anal. 27 (1990)).
constexpr double corner_share = 0.75;

std::array<double, 2> direction(MeshData const& mesh, int edge) {
  auto const& nodes = mesh.edges[static_cast<std::size_t>(edge)];
  auto const& a = mesh.nodes[static_cast<std::size_t>(nodes[0])];
  auto const& b = mesh.nodes[static_cast<std::size_t>(nodes[1])];
  double const length = std::hypot(b[0] - a[0], b[1] - a[1]);
  return {(b[0] - a[0]) / length, (b[1] - a[1]) / length};
}

void find_corners(MeshData const& mesh, BoundaryTable& table) {
  int const edges = static_cast<int>(mesh.edges.size());
  std::unordered_map<int, int> starting;
  for (int e = 0; e < edges; ++e) starting.emplace(mesh.edges[static_cast<std::size_t>(e)][0], e);
  table.corners.resize(mesh.edges.size());
  for (int e = 0; e < edges; ++e) {
    auto const next = starting.find(mesh.edges[static_cast<std::size_t>(e)][1]);
    if (next == starting.end()) continue;
    auto const here = direction(mesh, e), there = direction(mesh, next->second);
    double const sine = here[0] * there[1] - here[1] * there[0];
    if (sine < least_corner) continue;
    auto const connect = [&](int from, std::size_t end, int to) {
      auto const edge = static_cast<std::size_t>(from);
      table.corners[edge][end] = {to, sine};
      BoundaryTerms const& other =
          table.terms[static_cast<std::size_t>(table.places[static_cast<std::size_t>(to)].stretch)];
      double const cosine = other.cos_angle > 0 ? other.cos_angle : corner_share;
      table.places[edge].corner[end] = other.share * cosine * sine;
    };
    connect(e, 1, next->second);
    connect(next->second, 0, e);
  }
}

}  // namespace

BoundaryTable::BoundaryTable(WaveProblem const& problem) {
  std::map<int, int> number;
  for (auto const& [label, b] : problem.boundaries) {
    number[label] = static_cast<int>(terms.size());
    BoundaryTerms t;
    t.incident = b.kind == BoundaryKind::incident;
    t.share = Complex(1, 0);
    if (b.kind == BoundaryKind::reflecting) {
      Complex const r(b.reflection * std::cos(b.phase), b.reflection * std::sin(b.phase));
      t.share = (1.0 - r) / (1.0 + r);
      if (b.reflection == 1 && b.phase == 0) t.share = Complex(0, 0);
    } else {
      t.curvature = b.radius > 0 ? 1 / b.radius : 0;
    }
    t.cos_angle = b.unknown_angle ? 0 : std::cos(b.angle);
    terms.push_back(t);
    kinds.push_back(b.kind);
  }
  for (int const label : problem.mesh.edge_labels) places.push_back({number.at(label), {}});
  find_corners(problem.mesh, *this);
}

}  // namespace karman::waves
