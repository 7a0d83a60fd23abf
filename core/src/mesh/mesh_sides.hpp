// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sides of the triangles of a mesh, sorted so that equal ones are adjacent; on the host.
#pragma once

#include <karman/core/error.hpp>
#include <karman/mesh/mesh_data.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace karman::detail {

/// Throws std::invalid_argument for a triangle or an edge with a missing node.
inline void require_node_numbers(MeshData const& mesh, char const* who) {
  auto const in_range = [&](int n) { return n >= 0 && static_cast<std::size_t>(n) < mesh.nodes.size(); };
  bool right = true;
  for (auto const& t : mesh.triangles) right = right && std::all_of(t.begin(), t.end(), in_range);
  for (auto const& e : mesh.edges) right = right && std::all_of(e.begin(), e.end(), in_range);
  require(right, std::string(who) + ": a triangle or edge names a node that is not there");
}

/// A side of a triangle, listed under its lower node.
struct MeshSide {
  int higher;  ///< node
  int triangle;
  bool forward;  ///< true if the triangle traverses it from the lower to the higher node
};

/// The sides under node n: sides[offsets[n]] ... sides[offsets[n + 1] - 1], by higher node, then by triangle.
struct MeshSides {
  std::vector<std::size_t> offsets;
  std::vector<MeshSide> sides;
};

/// Node numbers must be in range.
inline MeshSides mesh_sides(MeshData const& mesh) {
  MeshSides result;
  result.offsets.assign(mesh.nodes.size() + 1, 0);
  auto const for_each_side = [&](auto const& function) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        int const from = mesh.triangles[t][k], to = mesh.triangles[t][k == 2 ? 0 : k + 1];
        function(static_cast<std::size_t>(std::min(from, to)),
                 MeshSide{std::max(from, to), static_cast<int>(t), from < to});
      }
    }
  };
  for_each_side([&](std::size_t lower, MeshSide const&) { ++result.offsets[lower + 1]; });
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) result.offsets[n + 1] += result.offsets[n];
  result.sides.resize(3 * mesh.triangles.size());
  auto place = result.offsets;
  for_each_side([&](std::size_t lower, MeshSide const& side) { result.sides[place[lower]++] = side; });
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    std::sort(result.sides.begin() + static_cast<std::ptrdiff_t>(result.offsets[n]),
              result.sides.begin() + static_cast<std::ptrdiff_t>(result.offsets[n + 1]),
              [](MeshSide const& a, MeshSide const& b) {
                return a.higher != b.higher ? a.higher < b.higher : a.triangle < b.triangle;
              });
  }
  return result;
}

/// Calls function(lower, first, last) for each edge: its sides are sides[first] ... sides[last - 1].
template <class Function>
void for_each_edge(MeshSides const& sides, Function const& function) {
  for (std::size_t lower = 0; lower + 1 < sides.offsets.size(); ++lower) {
    for (std::size_t first = sides.offsets[lower]; first < sides.offsets[lower + 1];) {
      std::size_t last = first;
      while (last < sides.offsets[lower + 1] && sides.sides[last].higher == sides.sides[first].higher) ++last;
      function(static_cast<int>(lower), first, last);
      first = last;
    }
  }
}

}  // namespace karman::detail
