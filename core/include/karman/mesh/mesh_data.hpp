// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A mesh of triangles as files and generators have it: plain arrays on the host, no Kokkos.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace karman {

/// Triangles in the plane. Lengths in the caller's unit, metres in the applications. Numbers count from 0.
///
/// What the solvers rely on, and check_mesh() checks: every triangle runs anticlockwise and has an area; every node
/// belongs to a triangle; an edge belongs to one triangle (then it is on the boundary) or to two that run through it in
/// opposite directions; no two triangles have the same nodes, no node lies inside an edge.
struct MeshData {
  std::vector<std::array<double, 2>> nodes;   ///< (x, y)
  std::vector<std::array<int, 3>> triangles;  ///< nodes, anticlockwise
  std::vector<int> regions;                   ///< label of each triangle
  std::vector<std::array<int, 2>> edges;      ///< boundary edges, first node to second with the domain on the left
  std::vector<int> edge_labels;               ///< label of each boundary edge
  std::map<int, std::string> region_names;    ///< of those labels that have one
  std::map<int, std::string> boundary_names;  ///< of those labels that have one
};

}  // namespace karman
