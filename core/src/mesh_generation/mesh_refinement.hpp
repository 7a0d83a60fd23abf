// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts of mesh_polygon() that work on a triangulation whose segments are numbered pieces of the boundary.
#pragma once

#include "mesh_triangulation.hpp"
#include <karman/mesh/polygon_mesh.hpp>

#include <functional>
#include <vector>

namespace karman::detail {

using SizeAtPoint = std::function<double(PlanePoint const&)>;

/// Adds nodes until triangles have the desired size and shape. Segment s is not cut shorter than shortest[s].
void refine(Triangulation& mesh, std::vector<double> const& shortest, SizeAtPoint const& size,
            PolygonMeshOptions const& options);

/// Moves nodes that are on no segment, and flips edges.
void smooth(Triangulation& mesh, PolygonMeshOptions const& options);

}  // namespace karman::detail
