// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the versions of Gmsh's format share: the head, names, coordinates, elements, and sections that are passed over.
#include "mesh_gmsh.hpp"

#include "mesh_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::detail {

void GmshNodes::add(MeshText& text) {
  tags_.push_back(text.integer("the number of a node", 1, std::numeric_limits<std::int64_t>::max()));
  lines_.push_back(text.line());
}

void GmshNodes::finish(MeshText const& text) {
  in_order_ = true;
  for (std::size_t i = 0; i < tags_.size(); ++i) in_order_ = in_order_ && tags_[i] == static_cast<std::int64_t>(i) + 1;
  if (in_order_) return;
  for (std::size_t i = 0; i < tags_.size(); ++i) sorted_.emplace_back(tags_[i], static_cast<int>(i));
  std::sort(sorted_.begin(), sorted_.end());
  auto const twice = std::adjacent_find(sorted_.begin(), sorted_.end(),
                                        [](auto const& a, auto const& b) { return a.first == b.first; });
  if (twice != sorted_.end()) {
    text.fail(lines_[static_cast<std::size_t>(std::next(twice)->second)],
              "node " + std::to_string(twice->first) + " twice", "every node to have a number of its own");
  }
}

int GmshNodes::place(MeshText& text) const {
  std::int64_t const tag = text.integer("the number of a node", 1, std::numeric_limits<std::int64_t>::max());
  if (in_order_ && tag <= static_cast<std::int64_t>(tags_.size())) return static_cast<int>(tag - 1);
  auto const found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{tag, 0});
  if (found == sorted_.end() || found->first != tag) {
    text.fail(std::to_string(tag), "the number of one of the " + std::to_string(tags_.size()) + " nodes");
  }
  return found->second;
}

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
    std::string_view const name = text.rest();
    if (name.size() < 2 || name.front() != '"' || name.back() != '"' || name.find('"', 1) != name.size() - 1) {
      text.fail(std::string(name.substr(0, 40)), expected);
    }
    if ((dimension != 1 && dimension != 2) || name.size() == 2) continue;
    auto& where = dimension == 1 ? mesh.boundary_names : mesh.region_names;
    if (!where.emplace(label, name.substr(1, name.size() - 2)).second) {
      text.fail(std::to_string(label), "every physical group to have one name");
    }
  }
  expect_line(text, "$EndPhysicalNames");
}

GmshElement read_gmsh_type(MeshText& text) {
  char const* const expected = "the type of an element: 1 (line), 2 (triangle) or 15 (point)";
  std::int64_t const type = text.integer(expected, 1, 200);
  switch (type) {
    case 1: return GmshElement::line;
    case 2: return GmshElement::triangle;
    case 15: return GmshElement::point;
    case 3: text.fail("3 (quadrangle)", expected);
    case 8: text.fail("8 (line of second order)", expected);
    case 9: text.fail("9 (triangle of second order)", expected);
    default: text.fail(std::to_string(type) + " (another type)", expected);
  }
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

namespace {

void skip_section(MeshText& text, std::string const& name) {
  std::string const end = "$End" + name.substr(1);
  do text.open_line(end);
  while (text.rest() != end);
}

}  // namespace

MeshData read_gmsh(MeshText& text, MeshReadOptions const& options) {
  expect_line(text, "$MeshFormat");
  std::string const expected = "the version of the format: 2.2 or 4.1, 0 for text, 8";
  text.open_line(expected);
  std::string const version(text.word());
  if (version != "2.2" && version != "4.1") text.fail('"' + version.substr(0, 40) + '"', expected);
  if (text.integer("0 for text (binary files are not read)", 0, 1) != 0) {
    text.fail("1, a binary file", "0 for a file of text");
  }
  text.integer("the size of a number, 8", 8, 8);
  text.close_line("the format");
  bool const second = version == "2.2";
  if ((options.format == MeshFormat::gmsh_2_2 && !second) || (options.format == MeshFormat::gmsh_4_1 && second)) {
    text.fail(version, second ? "version 4.1, as was asked for" : "version 2.2, as was asked for");
  }
  expect_line(text, "$EndMeshFormat");

  FoundMesh found;
  GmshReading reading{text, found, {}, {}};
  std::set<std::string> seen;
  while (text.next_line()) {
    std::string const section(text.rest());
    bool const one_of_four =
        section == "$PhysicalNames" || section == "$Entities" || section == "$Nodes" || section == "$Elements";
    if (one_of_four && !seen.insert(section).second) text.fail(section, "every section once");
    if (section == "$PhysicalNames") read_gmsh_names(text, found.mesh);
    else if (section == "$Entities" && seen.count("$Elements") > 0) text.fail(section, "$Entities before $Elements");
    else if (section == "$Entities" && !second) reading.entities_4_1();
    else if (section == "$Nodes") second ? reading.nodes_2_2() : reading.nodes_4_1();
    else if (section == "$Elements" && seen.count("$Nodes") == 0) text.fail(section, "$Nodes before $Elements");
    else if (section == "$Elements") second ? reading.elements_2_2() : reading.elements_4_1();
    else if (section == "$PartitionedEntities") text.fail(section, "a mesh that is not partitioned");
    else if (section == "$ParametricNodes") text.fail(section, "$Nodes, saved without parametric coordinates");
    else if (section.size() > 1 && section[0] == '$' && section.rfind("$End", 0) != 0) skip_section(text, section);
    else text.fail('"' + section.substr(0, 40) + '"', "the name of a section, such as $Nodes");
  }
  for (char const* section : {"$Nodes", "$Elements"}) {
    if (seen.count(section) == 0) text.fail("end of the file", section);
  }
  return finished(std::move(found), text, options);
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

}  // namespace karman::detail
