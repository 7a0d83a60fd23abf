// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Places of points in a mesh of which they may lie outside, for values of another mesh.
#pragma once

#include "point_finder.hpp"
#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace karman::app {

/// A point outside of a mesh.
struct PointOutside {
  std::size_t point = 0;  ///< its number
  double distance = 0;    ///< to the mesh
};

/// Places of points in a mesh.
struct PlacesInMesh {
  std::vector<PointInMesh> places;    ///< of each point, or of the nearest point of the mesh
  std::vector<PointOutside> outside;  ///< points outside of it, in their order
};

/// Finds points in a mesh without faults. Points outside take the nearest point of the nearest triangle. Cost: that of
/// PointFinder; for each point outside a pass over all sides of the boundary.
PlacesInMesh places_in(MeshData const& mesh, std::span<std::array<double, 2> const> points);

}  // namespace karman::app
