// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodes that lie inside an edge of a triangle.
#pragma once

#include "mesh_sides.hpp"
#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <map>

namespace karman::detail {

/// The nodes of boundary edges that lie inside another boundary edge, to 1e-9 of its length, each with the ends of one
/// such edge. What hangs lies on an edge of one triangle, and has such edges itself: others need not be looked at.
/// Coordinates must be finite. Cost: for b boundary edges a tree of their nodes, b log b steps, and some sqrt(b) steps
/// an edge at worst.
std::map<int, std::array<int, 2>> hanging_nodes(MeshData const& mesh, MeshSides const& sides);

}  // namespace karman::detail
