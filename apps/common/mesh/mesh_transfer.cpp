// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace karman::app {
namespace {

/// Side of one triangle only.
struct BoundarySide {
  int triangle = 0;
  std::size_t first = 0;  ///< its first corner in the triangle
  std::array<double, 2> begin{}, end{};
};

std::vector<BoundarySide> boundary_sides(MeshData const& mesh) {
  struct Side {
    std::pair<int, int> nodes;  ///< the lower one first
    int triangle;
    std::size_t first;
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    auto const& corners = mesh.triangles[n];
    for (std::size_t k = 0; k < 3; ++k)
      sides.push_back({std::minmax({corners[k], corners[(k + 1) % 3]}), static_cast<int>(n), k});
  }
  std::sort(sides.begin(), sides.end(), [](Side const& a, Side const& b) {
    return a.nodes != b.nodes ? a.nodes < b.nodes : a.triangle < b.triangle;
  });
  std::vector<BoundarySide> found;
  for (std::size_t n = 0; n < sides.size();) {
    std::size_t end = n + 1;
    while (end < sides.size() && sides[end].nodes == sides[n].nodes) ++end;
    if (end == n + 1) {
      auto const& corners = mesh.triangles[static_cast<std::size_t>(sides[n].triangle)];
      auto const corner = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(corners[k % 3])]; };
      found.push_back({sides[n].triangle, sides[n].first, corner(sides[n].first), corner(sides[n].first + 1)});
    }
    n = end;
  }
  return found;
}

/// The nearest point of these sides, and its distance.
std::pair<PointInMesh, double> nearest_of(std::vector<BoundarySide> const& sides, std::array<double, 2> const& at) {
  PointInMesh place;
  double least = std::numeric_limits<double>::infinity();
  for (BoundarySide const& side : sides) {
    double const along_x = side.end[0] - side.begin[0], along_y = side.end[1] - side.begin[1];
    double const from_x = at[0] - side.begin[0], from_y = at[1] - side.begin[1];
    double const share =
        std::clamp((from_x * along_x + from_y * along_y) / (along_x * along_x + along_y * along_y), 0.0, 1.0);
    double const distance = std::hypot(from_x - share * along_x, from_y - share * along_y);
    if (!(distance < least)) continue;
    least = distance;
    place = {side.triangle, {}};
    place.weights[side.first] = 1 - share;
    place.weights[(side.first + 1) % 3] = share;
  }
  return {place, least};
}

}  // namespace

PlacesInMesh places_in(MeshData const& mesh, std::span<std::array<double, 2> const> points) {
  PlacesInMesh result;
  PointFinder const finder(mesh);
  std::optional<std::vector<BoundarySide>> sides;
  for (std::size_t n = 0; n < points.size(); ++n) {
    auto const& [x, y] = points[n];
    if (auto const inside = finder.find(x, y)) {
      result.places.push_back(*inside);
      continue;
    }
    if (!sides) sides = boundary_sides(mesh);
    auto const [place, distance] = nearest_of(*sides, points[n]);
    result.places.push_back(place);
    result.outside.push_back({n, distance});
  }
  return result;
}

}  // namespace karman::app
