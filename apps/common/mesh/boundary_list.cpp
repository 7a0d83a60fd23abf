// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boundary_list.hpp"

#include "common/case/texts.hpp"
#include <karman/mesh/coinciding_nodes.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace karman::app {
namespace {

/// Middle of an edge.
std::array<double, 2> middle_of(MeshData const& mesh, std::size_t edge) {
  auto const& a = mesh.nodes[static_cast<std::size_t>(mesh.edges[edge][0])];
  auto const& b = mesh.nodes[static_cast<std::size_t>(mesh.edges[edge][1])];
  return {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
}

/// One boundary.
struct Boundary {
  std::size_t edges = 0, coinciding = 0;
  double length = 0;
  std::array<double, 2> first{0, 0};  ///< middle of its first edge
};

std::map<int, Boundary> boundaries_of(MeshData const& mesh) {
  std::vector<bool> const coincides = coinciding_edges(mesh, coincidence_tolerance(mesh));
  std::map<int, Boundary> result;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const& a = mesh.nodes[static_cast<std::size_t>(mesh.edges[e][0])];
    auto const& b = mesh.nodes[static_cast<std::size_t>(mesh.edges[e][1])];
    Boundary& boundary = result[mesh.edge_labels[e]];
    if (boundary.edges++ == 0) boundary.first = middle_of(mesh, e);
    boundary.coinciding += coincides[e] ? 1 : 0;
    boundary.length += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  return result;
}

}  // namespace

std::set<int> seam_labels(MeshData const& mesh) {
  std::set<int> labels;
  for (auto const& [label, boundary] : boundaries_of(mesh)) {
    if (boundary.coinciding > 0) labels.insert(label);
  }
  return labels;
}

std::string place_of(MeshData const& mesh, int label) {
  auto const first = std::find(mesh.edge_labels.begin(), mesh.edge_labels.end(), label);
  auto const count = std::count(first, mesh.edge_labels.end(), label);
  auto const [x, y] = middle_of(mesh, static_cast<std::size_t>(first - mesh.edge_labels.begin()));
  return formatted("%td edges, the first at (x, y) = ", count) + place_text(x, y);
}

std::vector<std::string> boundary_list(MeshData const& mesh, std::map<int, std::string> const& conditions) {
  constexpr std::size_t most_listed = 24;
  std::vector<std::string> lines;
  auto const all = boundaries_of(mesh);
  for (auto const& [label, boundary] : all) {
    if (lines.size() == most_listed) {
      lines.push_back(formatted("boundary    %zu more", all.size() - most_listed));
      break;
    }
    auto const name = mesh.boundary_names.find(label);
    auto const condition = conditions.find(label);
    std::string line =
        formatted("boundary    %s: %zu edge%s, %.4g m, %s",
                  name == mesh.boundary_names.end() ? std::to_string(label).c_str() : name->second.c_str(),
                  boundary.edges, boundary.edges == 1 ? "" : "s", boundary.length,
                  condition == conditions.end() ? "no condition" : condition->second.c_str());
    bool const unlisted = name != mesh.boundary_names.end() && (name->second == "unnamed" || name->second == "seam");
    if (unlisted) {
      line += "; not listed in the file, the first at (x, y) = " + place_text(boundary.first[0], boundary.first[1]);
    }
    if (boundary.coinciding > 0)
      line += formatted("; %zu coincide with others, which /mesh/merge joins", boundary.coinciding);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace karman::app
