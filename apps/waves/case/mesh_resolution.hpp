// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodes per wavelength of a mesh.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <limits>
#include <vector>

namespace karman::waves {

/// Wavelength over the longest edge of a triangle, with the largest wave number at its nodes.
struct MeshResolution {
  double least = std::numeric_limits<double>::infinity();  ///< over the triangles
  double mean = std::numeric_limits<double>::infinity();   ///< harmonic mean over the triangles
  std::array<double, 2> coarsest{};                        ///< middle of the triangle with the least, m
};

/// \param mesh nodes in m
/// \param wave_number per node, 1 / m, positive
MeshResolution mesh_resolution(MeshData const& mesh, std::vector<double> const& wave_number);

/// The same with the wave numbers of linear waves of `period` (s) in water of `depth` (m, per node).
MeshResolution mesh_resolution(MeshData const& mesh, std::vector<double> const& depth, double period);

}  // namespace karman::waves
