// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/meshes.md and of the generators in docs/mesh_files.md, between its marks. Ends with 1 when a result
// differs from the page.
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/mesh_checks.hpp>
#include <karman/mesh/mesh_connectivity.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/mesh_order.hpp>
#include <karman/mesh/periodic_nodes.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// A disc that was cut out of somebody's larger mesh: no boundary edges.
karman::MeshData a_disc() {
  auto mesh = karman::mesh_disc({.radius = 1, .size = 0.05});
  mesh.edges.clear();
  mesh.edge_labels.clear();
  return mesh;
}

bool checked() {
  auto mesh = a_disc();
  // [checks]
  karman::complete_boundary(mesh, 1);  // boundary edges that the file does not name: label 1
  karman::MeshReport const report = karman::check_mesh(mesh);
  if (!report.good()) std::fprintf(stderr, "%s\n", report.text().c_str());

  karman::MeshQuality const quality = karman::mesh_quality(mesh);
  double const worst = quality.smallest_angle.least * 180 / std::numbers::pi;
  std::printf("%zu triangles, area %.4f, smallest angle %.0f degrees\n", mesh.triangles.size(), quality.area, worst);
  // [checks]
  std::swap(mesh.triangles[4][0], mesh.triangles[4][1]);
  return report.good() && std::abs(quality.area - std::numbers::pi) < 0.01 && worst > 20 &&
         karman::check_mesh(mesh).text().rfind("1 triangle runs clockwise: triangle 4 (nodes ", 0) == 0;
}

bool ordered() {
  auto mesh = a_disc();
  karman::complete_boundary(mesh, 1);
  int const before = karman::bandwidth(mesh);
  // [orders]
  mesh = karman::renumbered(mesh, karman::reverse_cuthill_mckee(mesh));  // a narrow band: karman::bandwidth(mesh)
  // [orders]
  int const narrow = karman::bandwidth(mesh);
  // [curve]
  mesh = karman::renumbered(mesh, karman::hilbert_curve(mesh));  // compact blocks of consecutive triangles
  // [curve]
  return narrow < before && karman::check_mesh(mesh).good();
}

bool connected(Exec const& space, karman::TriangleMesh<Exec> const& mesh) {
  // [connectivity]
  karman::Graph<Exec> const around = karman::triangles_around_nodes(space, mesh);
  karman::Graph<Exec> const neighbors = karman::node_neighbors(space, mesh, around);
  karman::EdgeTable<Exec> const edges = karman::mesh_edges(space, mesh, neighbors);
  // [connectivity]
  // Euler: nodes - edges + triangles = 1 for a mesh without holes
  return mesh.node_count() - edges.count() + mesh.triangle_count() == 1 && around.rows() == mesh.node_count();
}

bool colored(Exec const& space, karman::TriangleMesh<Exec> const& mesh) {
  // [colours]
  karman::Coloring<Exec> const coloring = karman::color_elements(space, mesh, {.balanced = true});
  std::vector<int> const sizes = karman::class_sizes(space, coloring);
  std::printf("%d colours, at least %d; %d to %d triangles of each\n", coloring.colors, coloring.lower_bound,
              *std::min_element(sizes.begin(), sizes.end()), *std::max_element(sizes.begin(), sizes.end()));
  // [colours]
  // [blocks]
  karman::BlockedColoring<Exec> const blocked = karman::color_blocks(space, mesh, {.triangles_a_block = 256});
  std::printf("%d blocks of at most %d nodes in %d colours, at most %d colours inside\n", blocked.count(),
              blocked.most_nodes, blocked.blocks.colors, blocked.most_inner_colors);
  // [blocks]
  return karman::is_valid(space, mesh, coloring) && karman::is_valid(space, mesh, blocked);
}

bool generated() {
  // [flow]
  karman::MeshData const airfoil = karman::mesh_airfoil({.digits = "2412", .points = 160, .far_radius = 30});
  karman::MeshData const front = karman::mesh_bow_shock({.mach = 6, .around = 96, .radial = 32, .half = true});
  karman::MeshData const wedge = karman::mesh_wedge({.corner = 0.5, .angle = 15, .size = 0.05});
  // [flow]
  bool right = true;
  for (auto const* mesh : {&airfoil, &front, &wedge}) right = right && karman::check_mesh(*mesh).good();
  return right;
}

bool periodic() {
  // [periodic]
  karman::MeshData const square = karman::mesh_rectangle({.size = 0.25});  // south 1, east 2, north 3, west 4
  std::vector<int> const group = karman::periodic_groups(square, {{4, 2}, {1, 3}});
  karman::PeriodicPairs const sides = karman::periodic_pairs(square, 4, 2);  // sides.translation: (1, 0)
  // [periodic]
  return group[0] == 0 && group[4] == 0 && group[20] == 0 && group[24] == 0 && sides.pairs.size() == 5 &&
         std::abs(sides.translation[0] - 1) < 1e-12 && std::abs(sides.translation[1]) < 1e-12;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const space;
  auto const mesh = karman::make_triangle_mesh(space, karman::mesh_disc({.radius = 1, .size = 0.02}));
  bool const right =
      checked() && ordered() && generated() && periodic() && connected(space, mesh) && colored(space, mesh);
  if (!right) std::fprintf(stderr, "WRONG: meshes\n");
  return right ? 0 : 1;
}
