// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FreeFEM documentation, "Mesh Generation": the file .msh of savemesh() for a mesh in the plane.
#include "mesh_text.hpp"

#include <string>
#include <utility>

namespace karman::detail {
namespace {

/// A line of three whole numbers and a label, or of two. Returns the label.
template <std::size_t corners>
int read_row(MeshText& text, std::array<int, corners>& nodes, std::size_t vertices) {
  for (int& node : nodes)
    node = static_cast<int>(text.integer("the number of a vertex", 1, static_cast<std::int64_t>(vertices))) - 1;
  int const label = text.label(corners == 3 ? "the label of a triangle" : "the label of an edge");
  text.close_line("a label");
  return label;
}

}  // namespace

bool is_freefem(MeshText const& text) {
  std::size_t const first = text.text().find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text.text()[first] >= '0' && text.text()[first] <= '9';
}

MeshData read_freefem(MeshText& text, MeshReadOptions const& options) {
  FoundMesh found;
  text.open_line("the numbers of vertices, triangles and edges");
  std::size_t const vertices = text.count("vertices", 6);
  std::size_t const triangles = text.count("triangles", 8);
  std::size_t const edges = text.count("edges", 6);
  text.close_line("the numbers of vertices, triangles and edges");
  found.expect_nodes(vertices);
  found.expect_triangles(triangles);
  std::string all = std::to_string(vertices);
  for (std::size_t i = 1; i <= vertices; ++i) {
    text.open_line("vertex", i, all);
    double const x = text.real("the x of a vertex, a number");
    found.mesh.nodes.push_back({x, text.real("the y of a vertex, a number")});
    found.node_lines.push_back(text.line());
    // A mesh in space has z here.
    text.label("the label of a vertex of a mesh in the plane, a whole number");
    text.close_line("the label of a vertex of a mesh in the plane");
  }
  all = std::to_string(triangles);
  for (std::size_t i = 1; i <= triangles; ++i) {
    text.open_line("triangle", i, all);
    found.mesh.regions.push_back(read_row(text, found.mesh.triangles.emplace_back(), vertices));
    found.triangle_lines.push_back(text.line());
  }
  all = std::to_string(edges);
  for (std::size_t i = 1; i <= edges; ++i) {
    text.open_line("edge", i, all);
    found.mesh.edge_labels.push_back(read_row(text, found.mesh.edges.emplace_back(), vertices));
    found.edge_lines.push_back(text.line());
  }
  if (text.next_line()) text.fail('"' + std::string(text.rest().substr(0, 40)) + '"', "nothing after the last edge");
  return finished(std::move(found), text, options);
}

}  // namespace karman::detail
