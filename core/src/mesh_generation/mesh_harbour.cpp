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

using detail::node_number;
using detail::Ring;

/// A half circle of `count` edges about the origin, from the south of the mouth to the north of it. Its end nodes are
/// given, or new where the given ones are negative.
Ring add_half_circle(MeshData& mesh, double radius, int count, int first, int last) {
  auto const node = [&](double x, double y) {
    mesh.nodes.push_back({x, y});
    return node_number(mesh.nodes.size() - 1);
  };
  Ring ring;
  ring.push_back(first >= 0 ? first : node(0, -radius));
  for (int i = 1; i < count; ++i) {
    double const angle = std::numbers::pi * i / count;
    ring.push_back(node(radius * std::sin(angle), -radius * std::cos(angle)));
  }
  ring.push_back(last >= 0 ? last : node(0, radius));
  return ring;
}

void require_harbour(HarbourMesh const& shape) {
  std::string const who = "mesh_harbour";
  detail::require_length(shape.length, who, "length");
  detail::require_length(shape.width, who, "width");
  detail::require_length(shape.sea_radius, who, "sea_radius");
  detail::require_length(shape.mouth_size, who, "mouth_size");
  require(shape.sea_radius > 0.5 * shape.width, who + ": sea_radius: must be greater than half of the width");
  require(std::isfinite(shape.back_size) && shape.back_size >= shape.mouth_size && std::isfinite(shape.sea_size) &&
              shape.sea_size >= shape.mouth_size,
          who + ": back_size, sea_size: must be at least mouth_size");
  require(std::isfinite(shape.growth) && shape.growth >= 0, who + ": growth: must be at least 0");
}

}  // namespace

MeshData mesh_harbour(HarbourMesh const& shape) {
  require_harbour(shape);
  double const half_width = 0.5 * shape.width;
  double const wanted = std::ceil(half_width / shape.mouth_size * (1 - 1e-12));
  detail::require_countable(2 * wanted * shape.length / shape.back_size + 3 * wanted * wanted, "mesh_harbour");
  int const half = std::max(1, static_cast<int>(wanted));
  double const step = half_width / half;

  std::vector<double> y;
  for (int j = -half; j <= half; ++j) y.push_back(half_width * j / half);
  auto const x = graded_coordinates(-shape.length, 0, shape.back_size, step);
  MeshData mesh = mesh_rectangle(x, y);
  int const columns = node_number(x.size());
  auto const mouth = [&](int j) { return (j + half + 1) * columns - 1; };  // node at y = j step

  // No boundary at the mouth of the harbour.
  MeshData const rectangle = mesh;
  mesh.edges.clear();
  mesh.edge_labels.clear();
  for (std::size_t e = 0; e < rectangle.edges.size(); ++e) {
    auto const [from, to] = rectangle.edges[e];
    int const side = rectangle.edge_labels[e];  // 2 east, 4 west
    if (side != 2) detail::add_edge(mesh, from, to, side == 4 ? 4 : 3);
  }

  // Rings that end at the nodes of the mouth, then rings of growing size.
  Ring ring = add_half_circle(mesh, step, 3, mouth(-1), mouth(1));
  for (std::size_t i = 0; i < 3; ++i) mesh.triangles.push_back({mouth(0), ring[i], ring[i + 1]});
  mesh.regions.resize(mesh.triangles.size(), 2);
  for (int k = 2; k <= half; ++k) {
    Ring next = add_half_circle(mesh, half_width * k / half, 3 * k, mouth(-k), mouth(k));
    detail::fill_strip(mesh, ring, next, 2);
    ring = std::move(next);
  }
  detail::SizeAt const size = [&](double r) {
    return std::min(shape.sea_size, step + shape.growth * (r - half_width));
  };
  auto const r = detail::ring_radii(half_width, shape.sea_radius, size, "mesh_harbour");
  for (std::size_t k = 1; k < r.size(); ++k) {
    Ring next = add_half_circle(mesh, r[k], detail::nodes_along(std::numbers::pi * r[k], size(r[k]), 3), -1, -1);
    detail::fill_strip(mesh, ring, next, 2);
    detail::add_edge(mesh, ring.front(), next.front(), 2);
    detail::add_edge(mesh, next.back(), ring.back(), 2);
    ring = std::move(next);
  }
  detail::add_ring_edges(mesh, ring, 1, false);
  mesh.boundary_names = {{1, "open"}, {2, "coast"}, {3, "quay"}, {4, "back"}};
  mesh.region_names = {{1, "harbour"}, {2, "sea"}};
  return mesh;
}

}  // namespace karman
