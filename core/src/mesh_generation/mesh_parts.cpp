// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"

#include <karman/core/error.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace karman::detail {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string place_text(std::array<double, 2> const& place) {
  return '(' + number_text(place[0]) + ", " + number_text(place[1]) + ')';
}

void require_length(double value, std::string const& who, std::string const& what) {
  require(std::isfinite(value) && value > 0,
          who + ": " + what + ": " + number_text(value) + ": must be positive and finite");
}

void require_countable(double nodes, std::string const& who) {
  require(nodes <= most_nodes, who + ": size: too small: more than 2^31 - 1 nodes or triangles");
}

void add_edge(MeshData& mesh, int from, int to, int label) {
  mesh.edges.push_back({from, to});
  mesh.edge_labels.push_back(label);
}

}  // namespace karman::detail
