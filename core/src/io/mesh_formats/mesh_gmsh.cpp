// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Common parts of the versions of Gmsh's format: head, names, coordinates, elements, and skipped sections.
#include "mesh_gmsh.hpp"

#include "io/files/plain_text.hpp"
#include "mesh_text.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {

void expect_line(MeshText& text, std::string_view wanted) {
  text.open_line(wanted);
  std::string_view const found = text.rest();
  if (found != wanted) text.fail('"' + std::string(found.substr(0, 40)) + '"', wanted);
}

void read_gmsh_names(MeshText& text, MeshData& mesh) {
  text.open_line("the number of physical names");
  std::size_t const names = text.count("physical names", 7);
  text.close_line("the number of physical names");
  std::string const expected = "a dimension, the number of a physical group and its name in quotes";
  for (std::size_t i = 0; i < names; ++i) {
    text.open_line(expected);
    std::int64_t const dimension = text.integer("a dimension", 0, 3);
    int const label = text.label("the number of a physical group");
    std::string_view const quoted = text.rest();
    if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"' ||
        quoted.find('"', 1) != quoted.size() - 1) {
      text.fail(std::string(quoted.substr(0, 40)), expected);
    }
    if (dimension != 1 && dimension != 2) continue;
    std::string_view const name = without_blanks(quoted.substr(1, quoted.size() - 2));
    if (name.empty()) continue;
    auto& where = dimension == 1 ? mesh.boundary_names : mesh.region_names;
    if (!where.emplace(label, name).second) {
      text.fail(std::to_string(label), "one name per physical group");
    }
  }
  expect_line(text, "$EndPhysicalNames");
}

GmshElement read_gmsh_type(GmshNumbers& in) {
  char const* const expected = "the type of an element: a line (1), a triangle (2), a quadrangle (3) or a point (15)";
  std::int64_t const type = in.tag(expected, 1, 200);
  if (type == 2) return {2, 3, 3};  // by far the most frequent
  switch (type) {
    case 15: return {0, 1, 1};
    case 1: return {1, 2, 2};
    // Second order and higher: the corners come first.
    case 8: return {1, 2, 3};
    case 26: return {1, 2, 4};
    case 27: return {1, 2, 5};
    case 28: return {1, 2, 6};
    case 9: return {2, 3, 6};
    case 20: return {2, 3, 9};
    case 21: return {2, 3, 10};
    case 22: return {2, 3, 12};
    case 23:
    case 24: return {2, 3, 15};
    case 25: return {2, 3, 21};
    case 3: return {2, 4, 4};
    case 16: return {2, 4, 8};
    case 10: return {2, 4, 9};
    case 36: return {2, 4, 16};
    case 37: return {2, 4, 25};
    default: in.fail(std::to_string(type) + " (another type)", expected);
  }
}

void GmshReading::point() {
  double const x = in.real("the x of a node, a number");
  double const y = in.real("the y of a node, a number");
  found.z.push_back(in.real("the z of a node, a number"));
  found.mesh.nodes.push_back({x, y});
  if (!in.are_bytes()) found.node_lines.push_back(in.line());
}

void GmshReading::middle_nodes(GmshElement const& type) {
  for (int i = type.corners; i < type.nodes; ++i) found.middle_nodes.push_back(nodes.place(in));
}

void GmshReading::element(GmshElement const& type, int group, int entity) {
  std::array<int, 4> node{};
  auto const corners = static_cast<std::size_t>(type.corners);
  for (std::size_t i = 0; i < corners; ++i) node[i] = nodes.place(in);
  if (type.nodes > type.corners) middle_nodes(type);
  in.close_line("the nodes of an element");
  if (type.dimension == 2) {
    if (corners == 4) {
      add_quadrilateral(found, node, group, in.line());
      found.region_entities.insert(found.region_entities.end(), 2, entity);
      return;
    }
    found.mesh.triangles.push_back({node[0], node[1], node[2]});
    found.mesh.regions.push_back(group);
    found.region_entities.push_back(entity);
    if (!in.are_bytes()) found.triangle_lines.push_back(in.line());
  } else if (type.dimension == 1) {
    found.mesh.edges.push_back({node[0], node[1]});
    found.mesh.edge_labels.push_back(group);
    found.edge_entities.push_back(entity);
    if (!in.are_bytes()) found.edge_lines.push_back(in.line());
  }
}

namespace {

void skip_section(MeshText& text, std::string const& name, bool in_bytes) {
  std::string const end = "$End" + name.substr(1);
  if (in_bytes) {
    if (!text.skip_past('\n' + end + '\n')) text.fail("end of the file", end);
    return;
  }
  do text.open_line(end);
  while (text.rest() != end);
}

}  // namespace

MeshData read_gmsh(MeshText& text, MeshReadOptions const& options) {
  expect_line(text, "$MeshFormat");
  std::string const expected = "the version of the format: 2.2 or 4.1, 0 for text or 1 for bytes, 8";
  text.open_line(expected);
  std::string const version(text.word());
  // Versions 2.0 and 2.1 have the same sections as 2.2.
  bool const second = version == "2" || version == "2.0" || version == "2.1" || version == "2.2";
  if (!second && version != "4.1") text.fail('"' + version.substr(0, 40) + '"', expected);
  bool const bytes = text.integer("0 for text or 1 for bytes", 0, 1) != 0;
  if (bytes && second) text.fail("1, a binary file", "0 for a file of text, or version 4.1");
  text.integer("the size of a number, 8", 8, 8);
  text.close_line("the format");
  if ((options.format == MeshFormat::gmsh_2_2 && !second) || (options.format == MeshFormat::gmsh_4_1 && second)) {
    text.fail(version, second ? "version 4.1, as requested" : "version 2.2, as requested");
  }
  FoundMesh found;
  GmshReading reading(text, found);
  if (bytes) reading.in.begin_bytes();
  expect_line(text, "$EndMeshFormat");
  std::set<std::string> seen;
  while (text.next_line()) {
    std::string const section(text.rest());
    bool const one_of_four =
        section == "$PhysicalNames" || section == "$Entities" || section == "$Nodes" || section == "$Elements";
    if (one_of_four && !seen.insert(section).second) text.fail(section, "each section once");
    if (section == "$PhysicalNames") read_gmsh_names(text, found.mesh);
    else if (section == "$Entities" && seen.count("$Elements") > 0) text.fail(section, "$Entities before $Elements");
    else if (section == "$Entities" && !second) reading.entities_4_1();
    else if (section == "$Nodes") second ? reading.nodes_2_2() : reading.nodes_4_1();
    else if (section == "$Elements" && seen.count("$Nodes") == 0) text.fail(section, "$Nodes before $Elements");
    else if (section == "$Elements") second ? reading.elements_2_2() : reading.elements_4_1();
    else if (section == "$PartitionedEntities") text.fail(section, "a mesh that is not partitioned");
    else if (section == "$ParametricNodes") text.fail(section, "$Nodes, saved without parametric coordinates");
    else if (section.size() > 1 && section[0] == '$' && section.rfind("$End", 0) != 0)
      skip_section(text, section, reading.in.are_bytes());
    else text.fail('"' + section.substr(0, 40) + '"', "the name of a section, such as $Nodes");
  }
  if (second) drop_repeated_triangles(found, options);
  if (reading.in_several_groups > 0)
    remark(options, "curves and surfaces in several groups: " + std::to_string(reading.in_several_groups) +
                        "; the first group is kept");
  for (char const* section : {"$Nodes", "$Elements"}) {
    if (seen.count(section) == 0) text.fail("end of the file", section);
  }
  return finished(std::move(found), text, options);
}

namespace {

void require_positive(std::vector<int> const& labels) {
  for (int const label : labels) {
    if (label < 1) throw std::invalid_argument("write_mesh: Gmsh formats need labels of at least 1");
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

}  // namespace karman::detail
