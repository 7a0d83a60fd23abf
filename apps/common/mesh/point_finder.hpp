// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points of a triangle mesh, and nodal values there.
#pragma once

#include <karman/mesh/mesh_data.hpp>
#include <karman/mesh/plane_box.hpp>

#include <array>
#include <optional>
#include <vector>

namespace karman::app {

/// A point of a triangle: its value is the weighted sum of the values at its nodes.
struct PointInMesh {
  int triangle = 0;
  std::array<double, 3> weights{};
};

/// Finds the triangles that contain points, through a grid of cells with a few triangles each. The mesh must outlive
/// it.
class PointFinder {
 public:
  explicit PointFinder(MeshData const& mesh);
  /// The first triangle that contains the point, with a tolerance of 1e-9 of its size. Empty for a point outside the
  /// mesh.
  std::optional<PointInMesh> find(double x, double y) const;

  /// Corners of the smallest box around the mesh.
  std::array<double, 2> const& low() const { return box_.low; }
  std::array<double, 2> const& high() const { return box_.high; }

 private:
  std::array<int, 2> cell_of(double x, double y) const;

  MeshData const& mesh_;
  PlaneBox box_;
  double cell_ = 1;
  std::array<int, 2> cells_{1, 1};
  std::vector<int> begin_, members_;  ///< triangles of each cell
};

/// Interpolates nodal values at a point.
template <class Values>
auto value_at(MeshData const& mesh, PointInMesh const& point, Values const& values) {
  auto const& nodes = mesh.triangles[static_cast<std::size_t>(point.triangle)];
  return point.weights[0] * values[static_cast<std::size_t>(nodes[0])] +
         point.weights[1] * values[static_cast<std::size_t>(nodes[1])] +
         point.weights[2] * values[static_cast<std::size_t>(nodes[2])];
}

}  // namespace karman::app
