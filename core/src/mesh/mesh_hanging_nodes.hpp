// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodes inside an edge of a triangle.
#pragma once

#include "mesh_sides.hpp"
#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <map>

namespace karman::detail {

/// The nodes of boundary edges inside another boundary edge, to 1e-9 of its length, with the ends of one such edge. A
/// hanging node lies on an edge with one triangle, and has such edges itself, so other edges are not searched.
/// Coordinates must be finite. Cost for b boundary edges: b log b steps for a tree of their nodes, and at worst some
/// sqrt(b) steps per edge.
std::map<int, std::array<int, 2>> hanging_nodes(MeshData const& mesh, MeshSides const& sides);

}  // namespace karman::detail
