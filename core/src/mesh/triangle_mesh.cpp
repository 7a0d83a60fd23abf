// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/error.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace karman {

namespace {

void require_countable(std::size_t count, char const* what) {
  require(count <= std::size_t(std::numeric_limits<int>::max()),
          std::string("TriangleMesh: more than 2^31 - 1 ") + what);
}

}  // namespace

template <ExecutionSpace Exec>
TriangleMesh<Exec> make_triangle_mesh(Exec const& space, MeshData const& mesh) {
  require_countable(mesh.nodes.size(), "nodes");
  require_countable(mesh.triangles.size(), "triangles");
  require_countable(mesh.edges.size(), "boundary edges");
  require(mesh.regions.size() == mesh.triangles.size(), "TriangleMesh: every triangle needs a region label");
  require(mesh.edge_labels.size() == mesh.edges.size(), "TriangleMesh: every boundary edge needs a label");
  TriangleMesh<Exec> result;
  result.nodes = device_copy(space, mesh.nodes, "karman::mesh::nodes");
  result.triangles = device_copy(space, mesh.triangles, "karman::mesh::triangles");
  result.regions = device_copy(space, mesh.regions, "karman::mesh::regions");
  result.edges = device_copy(space, mesh.edges, "karman::mesh::edges");
  result.edge_labels = device_copy(space, mesh.edge_labels, "karman::mesh::edge_labels");
  return result;
}

#define KARMAN_INSTANTIATE(Exec) template TriangleMesh<Exec> make_triangle_mesh(Exec const&, MeshData const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
