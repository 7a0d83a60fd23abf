// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "outflow_check.hpp"

#include "common/case/texts.hpp"

#include <cstddef>

namespace karman::euler {

std::vector<std::string> slow_outflows(FlowProblem const& problem, MeshData const& mesh,
                                       std::vector<Conservative> const& states) {
  std::vector<std::string> sentences;
  for (auto const& [label, boundary] : problem.boundaries) {
    if (boundary.kind != EulerBoundaryKind::outflow) continue;
    std::size_t edges = 0, slow = 0, slowest = 0;
    double least = 1;
    for (std::size_t n = 0; n < mesh.edges.size(); ++n) {
      if (mesh.edge_labels[n] != label) continue;
      double const mach = mach_through(problem.scheme.gamma, mesh, states, mesh.edges[n]);
      ++edges;
      slow += mach < 1 ? 1 : 0;
      if (mach >= least) continue;
      least = mach;
      slowest = n;
    }
    if (slow == 0) continue;
    auto const name = mesh.boundary_names.find(label);
    auto const& at = mesh.nodes[static_cast<std::size_t>(mesh.edges[slowest][0])];
    sentences.push_back("boundary " + (name == mesh.boundary_names.end() ? std::to_string(label) : name->second) +
                        app::formatted(": outflow below the speed of sound on %zu of %zu edges, Mach %.3g through the "
                                       "one at (x, y) = ",
                                       slow, edges, least) +
                        app::place_text(at[0], at[1]) + "; use far_field or outlet there");
  }
  return sentences;
}

}  // namespace karman::euler
