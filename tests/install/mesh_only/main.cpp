// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const space;
  auto const mesh = karman::make_triangle_mesh(space, karman::mesh_disc({.radius = 1, .size = 0.1}));
  auto const around = karman::triangles_around_nodes(space, mesh);
  return mesh.triangle_count() > 100 && around.rows() == mesh.node_count() ? 0 : 1;
}
