// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Mesh of a case from a generator.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

/// Nodes that a mesh of a case may have.
constexpr double most_mesh_nodes = 1e8;

/// Needs of a run with a mesh.
struct MeshNeed {
  double bytes_per_node = 0;  ///< host memory, at least
  int refinements = 0;        ///< after it is made; each makes four times as many nodes
};

/// Makes the mesh of the member `/mesh`, of any kind but "file". Throws CaseError for parameters that make no mesh.
/// Throws like require_host_memory() before it is made, where the memory would be too small.
MeshData mesh_of_shape(Case const& input, MeshNeed const& need);

/// Throws like require_host_memory() where `nodes` nodes and their refinements would need too much memory.
void require_node_memory(double nodes, MeshNeed const& need);

/// Schema of an application with the schemas of these shapes, in this order, as the first choices of `/mesh`. Shapes
/// are the kinds of mesh_shapes.json. Its members of "file" are added to the choice of that kind, its members of
/// "every_kind" to all choices.
std::string with_mesh_shapes(std::string_view schema, std::vector<std::string> const& shapes);

}  // namespace karman::app
