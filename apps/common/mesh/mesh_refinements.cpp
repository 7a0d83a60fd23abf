// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_refinements.hpp"

#include "common/case/texts.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/mesh/mesh_refinement.hpp>

#include <cmath>
#include <utility>

namespace karman::app {

MeshParents refine(Case const& input, MeshNeed const& need, MeshData& mesh, std::vector<std::string>& remarks) {
  MeshParents parents;
  int const steps = need.refinements;
  if (steps == 0) return parents;
  std::size_t const before = mesh.nodes.size();
  double const nodes = std::ldexp(0.5 * static_cast<double>(mesh.triangles.size()), 2 * steps);
  if (nodes > most_mesh_nodes) {
    throw input.error("/mesh/refine", formatted("expected at most %.0e nodes, found about %.1e from %zu",
                                                most_mesh_nodes, nodes, before));
  }
  require_node_memory(std::ldexp(nodes, -2 * steps), need);
  for (int step = 0; step < steps; ++step) {
    RefinedMesh refined = refine_mesh(mesh);
    mesh = std::move(refined.mesh);
    parents.push_back(std::move(refined.parents));
  }
  remarks.push_back(formatted("mesh: %zu nodes, after %d refinement%s of %zu", mesh.nodes.size(), steps,
                              steps == 1 ? "" : "s", before));
  return parents;
}

}  // namespace karman::app
