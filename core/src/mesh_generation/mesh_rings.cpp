// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"
#include "mesh_predicates.hpp"
#include <karman/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace karman::detail {
namespace {

// Height of an equilateral triangle over its edge: that distance between rings gives the best angles.
constexpr double height = 0.866;

double diagonal2(MeshData const& mesh, int a, int b) {
  return distance2(mesh.nodes[static_cast<std::size_t>(a)], mesh.nodes[static_cast<std::size_t>(b)]);
}

}  // namespace

// The next triangle takes the shorter of the two diagonals.
void fill_strip(MeshData& mesh, Ring const& inner, Ring const& outer, int region) {
  std::size_t i = 0, o = 0;
  while (i + 1 < inner.size() || o + 1 < outer.size()) {
    bool along_inner = o + 1 == outer.size();
    if (!along_inner && i + 1 < inner.size()) {
      // The same choice every time for diagonals that are equal except for round-off.
      along_inner = diagonal2(mesh, inner[i + 1], outer[o]) <= diagonal2(mesh, inner[i], outer[o + 1]) * (1 - 1e-9);
    }
    mesh.triangles.push_back({inner[i], outer[o], along_inner ? inner[i + 1] : outer[o + 1]});
    mesh.regions.push_back(region);
    ++(along_inner ? i : o);
  }
}

std::vector<double> ring_radii(double first, double last, SizeAt const& size, std::string const& who) {
  std::vector<double> r{first};
  double nodes = 0;
  while (r.back() < last * (1 - 1e-12)) {
    double const step = height * size(r.back());
    require(r.back() + step > r.back(), who + ": size: too small for the radius");
    nodes += 2 * std::numbers::pi * r.back() / size(r.back());
    require_countable(2 * nodes, who);
    r.push_back(r.back() + step);
  }
  // If the last step overshoots by more than half: one step fewer, all a little longer.
  if (r.size() > 2 && r.back() - last > 0.5 * (r.back() - r[r.size() - 2])) r.pop_back();
  double const scale = (last - first) / (r.back() - first);
  for (double& radius : r) radius = first + (radius - first) * scale;
  r.back() = last;
  return r;
}

int nodes_along(double length, double size, int least) {
  require_countable(length / size, "a ring of nodes");
  return std::max(least, static_cast<int>(std::lround(length / size)));
}

void add_ring_edges(MeshData& mesh, Ring const& ring, int label, bool reversed) {
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    if (reversed) add_edge(mesh, ring[i + 1], ring[i], label);
    else add_edge(mesh, ring[i], ring[i + 1], label);
  }
}

}  // namespace karman::detail
