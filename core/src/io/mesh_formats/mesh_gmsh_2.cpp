// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gmsh reference manual, "MSH file format version 2 (Legacy)".
#include "mesh_cells.hpp"
#include "mesh_gmsh.hpp"

#include <algorithm>
#include <map>

namespace karman::detail {

void GmshReading::nodes_2_2() {
  text.open_line("the number of nodes");
  std::size_t const count = text.count("nodes", 8);
  found.expect_nodes(count);
  text.close_line("the number of nodes");
  std::string const all = std::to_string(count);
  for (std::size_t i = 1; i <= count; ++i) {
    text.open_line("node", i, all);
    nodes.add(in);
    point();
    text.close_line("the coordinates of a node");
  }
  nodes.finish(text);
  expect_line(text, "$EndNodes");
}

void GmshReading::elements_2_2() {
  text.open_line("the number of elements");
  std::size_t const count = text.count("elements", 8);
  text.close_line("the number of elements");
  std::string const all = std::to_string(count);
  for (std::size_t i = 1; i <= count; ++i) {
    text.open_line("element", i, all);
    text.integer("the number of an element", 1, std::numeric_limits<std::int64_t>::max());
    GmshElement const type = read_gmsh_type(in);
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

/// True if an entity has elements of several groups, so that elements may be listed twice.
bool several_groups(FoundMesh const& found) {
  std::map<int, int> first;
  for (std::size_t t = 0, last = 0; t < found.region_entities.size(); ++t) {
    int const entity = found.region_entities[t], group = found.mesh.regions[t];
    if (t > 0 && entity == found.region_entities[last] && group == found.mesh.regions[last]) continue;
    if (first.emplace(entity, group).first->second != group) return true;
    last = t;
  }
  return false;
}

}  // namespace

void drop_repeated_triangles(FoundMesh& found, MeshReadOptions const& options) {
  if (!several_groups(found)) return;
  std::vector<FileCell> const cells = cells_of(found);
  std::vector<FileCell> sorted = cells;
  std::sort(sorted.begin(), sorted.end());
  std::vector<char> repeated(found.mesh.triangles.size(), 0);
  std::size_t count = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].nodes != sorted[i - 1].nodes) continue;
    repeated[sorted[i].triangle] = 1;
    ++count;
  }
  if (count == 0) return;
  FoundMesh kept;
  for (FileCell const& cell : cells) {
    if (repeated[cell.triangle] != 0) continue;
    if (cell.triangles() == 2) kept.split.push_back(kept.mesh.triangles.size());
    for (std::size_t t = cell.triangle; t < cell.triangle + cell.triangles(); ++t) {
      kept.mesh.triangles.push_back(found.mesh.triangles[t]);
      kept.mesh.regions.push_back(found.mesh.regions[t]);
      kept.region_entities.push_back(found.region_entities[t]);
      kept.triangle_lines.push_back(found.triangle_lines[t]);
    }
  }
  found.mesh.triangles.swap(kept.mesh.triangles);
  found.mesh.regions.swap(kept.mesh.regions);
  found.region_entities.swap(kept.region_entities);
  found.triangle_lines.swap(kept.triangle_lines);
  found.split.swap(kept.split);
  remark(options, "elements listed again for another group: " + std::to_string(count) + "; the first group is kept");
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
