// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refinement of the mesh of a case.
#pragma once

#include "mesh_shapes.hpp"
#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

/// RefinedMesh::parents of each refinement.
using MeshParents = std::vector<std::vector<std::array<int, 2>>>;

/// Applies refine_mesh() `need.refinements` times, and reports the numbers of nodes in `remarks`. Throws CaseError for
/// more nodes than a mesh may have. Throws like require_node_memory() before the mesh is made.
MeshParents refine(Case const& input, MeshNeed const& need, MeshData& mesh, std::vector<std::string>& remarks);

}  // namespace karman::app
