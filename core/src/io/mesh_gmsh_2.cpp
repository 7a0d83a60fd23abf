// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gmsh reference manual, "MSH file format version 2 (Legacy)", and the writing of what both versions share.
#include "mesh_gmsh.hpp"

#include <stdexcept>

namespace karman::detail {

void GmshReading::nodes_2_2() {
  text.open_line("the number of nodes");
  std::size_t const count = text.count("nodes", 8);
  text.close_line("the number of nodes");
  std::string const all = std::to_string(count);
  for (std::size_t i = 1; i <= count; ++i) {
    text.open_line("node", i, all);
    nodes.add(text);
    point();
    text.close_line("the coordinates of a node");
  }
  nodes.finish(text);
  expect_line(text, "$EndNodes");
}

void GmshReading::point() {
  double const x = text.real("the x of a node, a number");
  double const y = text.real("the y of a node, a number");
  found.z.push_back(text.real("the z of a node, a number"));
  found.mesh.nodes.push_back({x, y});
  found.node_lines.push_back(text.line());
}

namespace {

/// Version 2.2 has an element of an entity in several physical groups once for each, one after the other. It is in the
/// first of them, as in version 4.1.
template <std::size_t corners>
bool repeats(std::array<int, corners> const& nodes, int group, int entity,
             std::vector<std::array<int, corners>> const& elements, std::vector<int> const& groups,
             std::vector<int> const& entities) {
  return !elements.empty() && elements.back() == nodes && entities.back() == entity && groups.back() != group;
}

}  // namespace

void GmshReading::element(GmshElement type, int group, int entity) {
  std::array<int, 3> node{};
  std::size_t const corners = type == GmshElement::triangle ? 3 : type == GmshElement::line ? 2 : 1;
  for (std::size_t i = 0; i < corners; ++i) node[i] = nodes.place(text);
  text.close_line("the nodes of an element");
  std::array<int, 2> const ends{node[0], node[1]};
  if (type == GmshElement::triangle) {
    if (repeats(node, group, entity, found.mesh.triangles, found.mesh.regions, found.region_entities)) return;
    found.mesh.triangles.push_back(node);
    found.mesh.regions.push_back(group);
    found.region_entities.push_back(entity);
    found.triangle_lines.push_back(text.line());
  } else if (type == GmshElement::line) {
    if (repeats(ends, group, entity, found.mesh.edges, found.mesh.edge_labels, found.edge_entities)) return;
    found.mesh.edges.push_back(ends);
    found.mesh.edge_labels.push_back(group);
    found.edge_entities.push_back(entity);
    found.edge_lines.push_back(text.line());
  }
}

void GmshReading::elements_2_2() {
  text.open_line("the number of elements");
  std::size_t const count = text.count("elements", 8);
  text.close_line("the number of elements");
  std::string const all = std::to_string(count);
  for (std::size_t i = 1; i <= count; ++i) {
    text.open_line("element", i, all);
    text.integer("the number of an element", 1, std::numeric_limits<std::int64_t>::max());
    GmshElement const type = read_gmsh_type(text);
    std::int64_t const tags = text.integer("the number of tags", 0, 100);
    int group = 0, entity = 0;
    for (std::int64_t t = 0; t < tags; ++t) {
      int const tag = text.label("a tag of an element");
      if (t == 0) group = tag;
      if (t == 1) entity = tag;
    }
    element(type, group, entity);
  }
  expect_line(text, "$EndElements");
}

namespace {

void require_positive(std::vector<int> const& labels) {
  for (int const label : labels) {
    if (label < 1) throw std::invalid_argument("write_mesh: Gmsh's formats need labels from 1 on");
  }
}

}  // namespace

void write_gmsh_head(AtomicFile& file, MeshData const& mesh, char const* version) {
  require_positive(mesh.regions);
  require_positive(mesh.edge_labels);
  TextLine line;
  file.write("$MeshFormat\n");
  (line << version << 0 << 8).end(file);
  file.write("$EndMeshFormat\n");
  if (mesh.boundary_names.empty() && mesh.region_names.empty()) return;
  file.write("$PhysicalNames\n");
  (line << (mesh.boundary_names.size() + mesh.region_names.size())).end(file);
  for (auto const* names : {&mesh.boundary_names, &mesh.region_names}) {
    for (auto const& [label, name] : *names) {
      require_name(name, "\"", "Gmsh's format");
      (line << (names == &mesh.boundary_names ? 1 : 2) << label << '"' + name + '"').end(file);
    }
  }
  file.write("$EndPhysicalNames\n");
}

void write_gmsh_2_2(AtomicFile& file, MeshData const& mesh) {
  write_gmsh_head(file, mesh, "2.2");
  TextLine line;
  file.write("$Nodes\n");
  (line << mesh.nodes.size()).end(file);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    (line << n + 1 << mesh.nodes[n][0] << mesh.nodes[n][1] << 0).end(file);
  file.write("$EndNodes\n$Elements\n");
  (line << mesh.edges.size() + mesh.triangles.size()).end(file);
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    int const label = mesh.edge_labels[e];
    (line << e + 1 << 1 << 2 << label << label << mesh.edges[e][0] + 1 << mesh.edges[e][1] + 1).end(file);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto const& nodes = mesh.triangles[t];
    int const label = mesh.regions[t];
    (line << mesh.edges.size() + t + 1 << 2 << 2 << label << label << nodes[0] + 1 << nodes[1] + 1 << nodes[2] + 1)
        .end(file);
  }
  file.write("$EndElements\n");
}

}  // namespace karman::detail
