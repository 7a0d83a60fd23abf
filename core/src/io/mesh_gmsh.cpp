// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the versions of Gmsh's format share: the head, the names, and sections that are passed over.
#include "mesh_gmsh.hpp"

#include "mesh_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
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

}  // namespace karman::detail
