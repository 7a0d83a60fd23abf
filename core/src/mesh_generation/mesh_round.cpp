// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace karman {
namespace {

using std::numbers::pi;

using detail::add_ring_edges;
using detail::node_number;
using detail::nodes_along;
using detail::Ring;
using detail::ring_radii;
using detail::SizeAt;

/// `count` nodes on a circle, the first at the angle `turn`; closed.
Ring add_circle(MeshData& mesh, std::array<double, 2> const& center, double radius, int count, double turn) {
  Ring ring;
  for (int i = 0; i < count; ++i) {
    double const angle = turn + 2 * pi * i / count;
    ring.push_back(node_number(mesh.nodes.size()));
    mesh.nodes.push_back({center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle)});
  }
  ring.push_back(ring.front());
  return ring;
}

/// Adds rings from the second radius on around `ring`, which lies on the first radius. Returns the last ring.
Ring add_rings(MeshData& mesh, std::array<double, 2> const& center, Ring ring, std::vector<double> const& r,
               SizeAt const& size, int region, double& turn) {
  for (std::size_t k = 1; k < r.size(); ++k) {
    int const count = nodes_along(2 * pi * r[k], size(r[k]), 6);
    turn += pi / count;  // half a step, so that each node faces the middle of an edge
    if (turn > pi / count) turn = 0;
    Ring next = add_circle(mesh, center, r[k], count, turn);
    detail::fill_strip(mesh, ring, next, region);
    ring = std::move(next);
  }
  return ring;
}

SizeAt linear(double r0, double size0, double r1, double size1) {
  return [=](double r) { return size0 + (size1 - size0) * std::clamp((r - r0) / (r1 - r0), 0.0, 1.0); };
}

void require_center(std::array<double, 2> const& center, std::string const& who) {
  require(std::isfinite(center[0]) && std::isfinite(center[1]), who + ": center: must be finite");
}

}  // namespace

MeshData mesh_disc(DiscMesh const& shape) {
  detail::require_length(shape.radius, "mesh_disc", "radius");
  detail::require_length(shape.size, "mesh_disc", "size");
  require_center(shape.center, "mesh_disc");
  double const wanted = std::ceil(shape.radius / shape.size * (1 - 1e-12));
  detail::require_countable(6 * wanted * wanted, "mesh_disc");
  int const rings = std::max(1, static_cast<int>(wanted));
  MeshData mesh;
  mesh.nodes.push_back(shape.center);
  Ring ring;
  for (int k = 1; k <= rings; ++k) {
    Ring next = add_circle(mesh, shape.center, shape.radius * k / rings, 6 * k, 0);
    if (k == 1) {
      for (std::size_t i = 0; i < 6; ++i) mesh.triangles.push_back({0, next[i], next[i + 1]});
      mesh.regions.assign(6, 1);
    } else {
      detail::fill_strip(mesh, ring, next, 1);
    }
    ring = std::move(next);
  }
  add_ring_edges(mesh, ring, 1, false);
  mesh.boundary_names = {{1, "rim"}};
  mesh.region_names = {{1, "disc"}};
  return mesh;
}

MeshData mesh_annulus(AnnulusMesh const& shape) {
  std::string const who = "mesh_annulus";
  detail::require_length(shape.inner_radius, who, "inner_radius");
  detail::require_length(shape.outer_radius, who, "outer_radius");
  require(shape.outer_radius > shape.inner_radius, who + ": outer_radius: must be greater than inner_radius");
  detail::require_length(shape.inner_size, who, "inner_size");
  detail::require_length(shape.outer_size, who, "outer_size");
  require_center(shape.center, who);
  SizeAt const size = linear(shape.inner_radius, shape.inner_size, shape.outer_radius, shape.outer_size);
  auto const r = ring_radii(shape.inner_radius, shape.outer_radius, size, who);
  MeshData mesh;
  Ring const inner = add_circle(mesh, shape.center, r.front(), nodes_along(2 * pi * r.front(), shape.inner_size, 6), 0);
  double turn = 0;
  Ring const outer = add_rings(mesh, shape.center, inner, r, size, 1, turn);
  add_ring_edges(mesh, inner, 1, true);
  add_ring_edges(mesh, outer, 2, false);
  mesh.boundary_names = {{1, "inner"}, {2, "outer"}};
  mesh.region_names = {{1, "annulus"}};
  return mesh;
}

MeshData mesh_island(IslandMesh const& shape) {
  std::string const who = "mesh_island";
  detail::require_length(shape.shore_radius, who, "shore_radius");
  detail::require_length(shape.sea_radius, who, "sea_radius");
  require(shape.shelf_radius > shape.shore_radius && shape.sea_radius > shape.shelf_radius,
          who + ": radii: shore, shelf and sea must ascend");
  detail::require_length(shape.shore_size, who, "shore_size");
  detail::require_length(shape.sea_size, who, "sea_size");
  require_center(shape.center, who);
  SizeAt const size = linear(shape.shore_radius, shape.shore_size, shape.shelf_radius, shape.sea_size);
  auto const shelf = ring_radii(shape.shore_radius, shape.shelf_radius, size, who);
  auto const sea = ring_radii(shape.shelf_radius, shape.sea_radius, size, who);
  MeshData mesh;
  Ring const shore =
      add_circle(mesh, shape.center, shelf.front(), nodes_along(2 * pi * shelf.front(), shape.shore_size, 6), 0);
  double turn = 0;
  Ring const edge = add_rings(mesh, shape.center, shore, shelf, size, 1, turn);
  Ring const open = add_rings(mesh, shape.center, edge, sea, size, 2, turn);
  add_ring_edges(mesh, shore, 1, true);
  add_ring_edges(mesh, open, 2, false);
  mesh.boundary_names = {{1, "shore"}, {2, "open"}};
  mesh.region_names = {{1, "shelf"}, {2, "sea"}};
  return mesh;
}

}  // namespace karman
