// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Triangle mesh of files and generators: plain arrays on the host, no Kokkos.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace karman {

/// Triangles in the plane. Numbers count from 0.
///
/// Requirements of the solvers, checked by check_mesh():
/// - every triangle is anticlockwise and has an area;
/// - every node belongs to a triangle;
/// - a boundary edge belongs to one triangle, any other edge to two that run through it in opposite directions;
/// - no two triangles have the same nodes;
/// - no node lies inside an edge.
///
/// \par Units
/// Lengths are in the unit of the caller, metres in the applications.
struct MeshData {
  std::vector<std::array<double, 2>> nodes;   ///< (x, y)
  std::vector<std::array<int, 3>> triangles;  ///< nodes, anticlockwise
  std::vector<int> regions;                   ///< label of each triangle
  std::vector<std::array<int, 2>> edges;      ///< boundary edges, the domain on the left from first node to second
  std::vector<int> edge_labels;               ///< label of each boundary edge
  std::map<int, std::string> region_names;    ///< names of region labels, where given
  std::map<int, std::string> boundary_names;  ///< names of boundary labels, where given
};

}  // namespace karman
