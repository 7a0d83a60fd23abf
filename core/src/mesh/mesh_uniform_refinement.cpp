// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_refinement.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>

namespace karman {
namespace {

using Edge = std::array<int, 2>;

Edge ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// Sides of all triangles, each once, in the order of their nodes.
std::vector<Edge> sides_of(MeshData const& mesh) {
  std::vector<Edge> sides;
  sides.reserve(3 * mesh.triangles.size());
  auto const nodes = static_cast<int>(mesh.nodes.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto const& triangle = mesh.triangles[t];
    for (std::size_t side = 0; side < 3; ++side) {
      require(triangle[side] >= 0 && triangle[side] < nodes,
              "refine_mesh: triangle " + std::to_string(t) + " has a node out of range");
      sides.push_back(ascending(triangle[side], triangle[(side + 1) % 3]));
    }
  }
  std::sort(sides.begin(), sides.end());
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  return sides;
}

/// Finds the midpoints of sides.
class Midpoints {
 public:
  Midpoints(std::vector<Edge> const& sides, std::size_t nodes) : sides_(sides), first_(nodes + 1, 0) {
    for (Edge const& side : sides) ++first_[static_cast<std::size_t>(side[0]) + 1];
    for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
  }
  /// Number of the node between a and b; -1 where no triangle has that side.
  int between(int a, int b) const {
    Edge const side = ascending(a, b);
    if (side[0] < 0 || static_cast<std::size_t>(side[1]) + 1 >= first_.size()) return -1;
    auto const low = sides_.begin() + first_[static_cast<std::size_t>(side[0])];
    auto const high = sides_.begin() + first_[static_cast<std::size_t>(side[0]) + 1];
    auto const found = std::lower_bound(low, high, side);
    if (found == high || *found != side) return -1;
    return static_cast<int>(first_.size()) - 1 + static_cast<int>(found - sides_.begin());
  }

 private:
  std::vector<Edge> const& sides_;
  std::vector<std::ptrdiff_t> first_;  ///< first side from each node to a higher one
};

}  // namespace

RefinedMesh refine_mesh(MeshData const& mesh) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  require(4 * mesh.triangles.size() <= most && mesh.nodes.size() + 3 * mesh.triangles.size() <= most,
          "refine_mesh: " + std::to_string(mesh.triangles.size()) + " triangles are too many to be refined");
  RefinedMesh result;
  result.parents = sides_of(mesh);
  Midpoints const midpoints(result.parents, mesh.nodes.size());
  MeshData& fine = result.mesh;
  fine.region_names = mesh.region_names;
  fine.boundary_names = mesh.boundary_names;
  fine.nodes.reserve(mesh.nodes.size() + result.parents.size());
  fine.nodes = mesh.nodes;
  for (auto const& [a, b] : result.parents) {
    auto const& from = mesh.nodes[static_cast<std::size_t>(a)];
    auto const& to = mesh.nodes[static_cast<std::size_t>(b)];
    fine.nodes.push_back({0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])});
  }
  fine.triangles.reserve(4 * mesh.triangles.size());
  fine.regions.reserve(4 * mesh.regions.size());
  for (auto const& [a, b, c] : mesh.triangles) {
    int const ab = midpoints.between(a, b), bc = midpoints.between(b, c), ca = midpoints.between(c, a);
    fine.triangles.insert(fine.triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  for (int const region : mesh.regions) fine.regions.insert(fine.regions.end(), 4, region);
  fine.edges.reserve(2 * mesh.edges.size());
  fine.edge_labels.reserve(2 * mesh.edge_labels.size());
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const& [from, to] = mesh.edges[e];
    int const middle = midpoints.between(from, to);
    require(middle >= 0, "refine_mesh: edge " + std::to_string(e) + " is no side of a triangle");
    fine.edges.insert(fine.edges.end(), {{from, middle}, {middle, to}});
  }
  for (int const label : mesh.edge_labels) fine.edge_labels.insert(fine.edge_labels.end(), 2, label);
  return result;
}

std::vector<double> refined_values(std::vector<double> values, std::vector<std::array<int, 2>> const& parents) {
  std::size_t const given = values.size();
  values.reserve(given + parents.size());
  for (auto const& [a, b] : parents) {
    require(a >= 0 && b >= 0 && static_cast<std::size_t>(std::max(a, b)) < given,
            "refined_values: nodes " + std::to_string(a) + " and " + std::to_string(b) + " of a new node, " +
                std::to_string(given) + " values");
    values.push_back(0.5 * (values[static_cast<std::size_t>(a)] + values[static_cast<std::size_t>(b)]));
  }
  return values;
}

}  // namespace karman
