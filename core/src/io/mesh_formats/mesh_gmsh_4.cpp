// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gmsh reference manual, "MSH file format": version 4.1.
#include "mesh_gmsh.hpp"
#include <karman/mesh/plane_box.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

namespace karman::detail {
namespace {

constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();

void read_tags(GmshNumbers& in, std::string const& what) {
  std::size_t const count = in.count(what, 2);
  for (std::size_t i = 0; i < count; ++i) in.tag("the number of one of the " + what, -most_numbers, most_numbers);
}

}  // namespace

void GmshReading::entities_4_1() {
  std::string const head = "the numbers of points, curves, surfaces and volumes";
  in.open_line(head);
  std::array<std::size_t, 4> counts{};
  for (std::size_t& count : counts) count = in.count("points, curves, surfaces or volumes", 8);
  in.close_line(head);
  std::array<char const*, 4> const names{"point", "curve", "surface", "volume"};
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    std::string const name = names[dimension];
    std::set<std::int64_t> tags;
    for (std::size_t i = 0; i < counts[dimension]; ++i) {
      in.open_line(name, i + 1, std::to_string(counts[dimension]));
      std::int64_t const tag = in.tag("the number of a " + name, -most_numbers, most_numbers);
      for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
        in.real("a coordinate of a " + name, std::numeric_limits<double>::max());
      if (!tags.insert(tag).second) {
        in.fail(name + ' ' + std::to_string(tag) + " twice", "a unique number per " + name);
      }
      std::size_t const physical = in.count("physical groups", 2);
      if (physical > 1 && (dimension == 1 || dimension == 2)) ++in_several_groups;
      for (std::size_t k = 0; k < physical; ++k) {
        // A minus sign means that the group traverses the curve backwards.
        int const group =
            std::abs(static_cast<int>(in.tag("the number of a physical group", -most_numbers, most_numbers)));
        if (k == 0 && (dimension == 1 || dimension == 2)) groups[dimension - 1][tag] = group;
      }
      if (dimension > 0) read_tags(in, "entities on the boundary");
      in.close_line("a " + name);
    }
  }
  expect_line(text, "$EndEntities");
}

namespace {

/// Head of a block, and its number.
struct Block {
  std::string name;
  std::int64_t dimension = 0, entity = 0;
  std::size_t size = 0;
};

/// Reads a section of blocks of `things`, each of `least_bytes` or more. `kind(in)` reads the third number in the head
/// of a block, `items(block, that)` the part behind the head.
template <class Kind, class Items>
void read_blocks(GmshNumbers& in, std::string const& things, std::size_t least_bytes, Kind const& kind,
                 Items const& items) {
  std::string const head = "the numbers of blocks and " + things + ", the least and the greatest number of them";
  in.open_line(head);
  std::size_t const blocks = in.count("blocks of " + things, 8);
  std::size_t const count = in.count(things, least_bytes);
  in.number("the least number of the " + things, 0, any);
  in.number("the greatest number of the " + things, 0, any);
  in.close_line(head);
  std::size_t read = 0;
  for (std::size_t b = 1; b <= blocks; ++b) {
    Block block{"block " + std::to_string(b) + " of " + std::to_string(blocks)};
    in.open_line(block.name);
    block.dimension = in.tag("the dimension of an entity", 0, 3);
    block.entity = in.tag("the number of an entity", -most_numbers, most_numbers);
    auto const third = kind(in);
    block.size = in.count(things + " of a block", least_bytes);
    in.close_line("the head of a block of " + things);
    if (block.size > count - read) {
      in.fail(std::to_string(block.size), std::to_string(count) + ' ' + things + " in all blocks together");
    }
    items(block, third);
    read += block.size;
  }
  if (read != count) in.fail(std::to_string(read) + ' ' + things + " in all blocks", std::to_string(count));
}

}  // namespace

void GmshReading::nodes_4_1() {
  auto const parametric = [](GmshNumbers& head) { return head.tag("0 or 1 for parametric coordinates", 0, 1) != 0; };
  read_blocks(in, "nodes", 8, parametric, [&](Block const& block, bool has_parameters) {
    if (!has_parameters && plain_nodes(block.size)) return;
    for (std::size_t i = 1; i <= block.size; ++i) {
      in.open_line("the number of node", i, block.name);
      nodes.add(in);
      in.close_line("the number of a node");
    }
    for (std::size_t i = 1; i <= block.size; ++i) {
      in.open_line("the coordinates of node", i, block.name);
      point();
      for (std::int64_t k = 0; has_parameters && k < block.dimension; ++k) in.real("a parametric coordinate");
      in.close_line("the coordinates of a node");
    }
  });
  nodes.finish(text);
  expect_line(text, "$EndNodes");
}

void GmshReading::elements_4_1() {
  read_blocks(in, "elements", 4, read_gmsh_type, [&](Block const& block, GmshElement const& type) {
    if (block.dimension != type.dimension) {
      in.fail("dimension " + std::to_string(block.dimension),
              "dimension " + std::to_string(type.dimension) + " for elements of this type");
    }
    int group = 0;
    if (block.dimension > 0) {
      auto const& of_dimension = groups[static_cast<std::size_t>(block.dimension) - 1];
      if (auto const known = of_dimension.find(block.entity); known != of_dimension.end()) group = known->second;
    }
    bool const triangles = type.dimension == 2 && type.nodes == 3;
    if (triangles && plain_triangles(block.size, group, static_cast<int>(block.entity))) return;
    for (std::size_t i = 1; i <= block.size; ++i) {
      in.open_line("element", i, block.name);
      in.number("the number of an element", 1, any);
      element(type, group, static_cast<int>(block.entity));
    }
  });
  expect_line(text, "$EndElements");
}

namespace {

/// An entity for each label, with the bounding box of its elements and the physical group of the same number.
template <std::size_t corners>
std::map<int, PlaneBox> boxes(MeshData const& mesh, std::vector<std::array<int, corners>> const& elements,
                              std::vector<int> const& labels) {
  std::map<int, PlaneBox> found;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (int const n : elements[i]) found[labels[i]].hold(mesh.nodes[static_cast<std::size_t>(n)]);
  }
  return found;
}

std::size_t runs(std::vector<int> const& labels) {
  std::size_t count = labels.empty() ? 0 : 1;
  for (std::size_t i = 1; i < labels.size(); ++i) count += labels[i] != labels[i - 1] ? 1 : 0;
  return count;
}

/// A block for each run of elements with one label, which keeps their order.
template <std::size_t corners>
void write_blocks(AtomicFile& file, std::vector<std::array<int, corners>> const& elements,
                  std::vector<int> const& labels, std::size_t first) {
  TextLine line;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i == 0 || labels[i] != labels[i - 1]) {
      std::size_t end = i;
      while (end < labels.size() && labels[end] == labels[i]) ++end;
      (line << corners - 1 << labels[i] << corners - 1 << end - i).end(file);
    }
    line << first + i;
    for (int const n : elements[i]) line << n + 1;
    line.end(file);
  }
}

}  // namespace

void write_gmsh_4_1(AtomicFile& file, MeshData const& mesh) {
  write_gmsh_head(file, mesh, "4.1");
  TextLine line;
  auto const curves = boxes(mesh, mesh.edges, mesh.edge_labels);
  auto const surfaces = boxes(mesh, mesh.triangles, mesh.regions);
  file.write("$Entities\n");
  (line << 0 << curves.size() << surfaces.size() << 0).end(file);
  for (auto const* entities : {&curves, &surfaces}) {
    for (auto const& [label, box] : *entities) {
      line << label << box.low[0] << box.low[1] << 0 << box.high[0] << box.high[1] << 0;
      (line << 1 << label << 0).end(file);
    }
  }
  file.write("$EndEntities\n$Nodes\n");
  std::size_t const nodes = mesh.nodes.size();
  std::size_t const blocks = nodes > 0 ? 1 : 0;
  (line << blocks << nodes << blocks << nodes).end(file);
  if (nodes > 0) {
    (line << 2 << (surfaces.empty() ? 1 : surfaces.begin()->first) << 0 << nodes).end(file);
    for (std::size_t n = 1; n <= nodes; ++n) (line << n).end(file);
    for (auto const& p : mesh.nodes) (line << p[0] << p[1] << 0).end(file);
  }
  file.write("$EndNodes\n$Elements\n");
  std::size_t const elements = mesh.edges.size() + mesh.triangles.size();
  (line << runs(mesh.edge_labels) + runs(mesh.regions) << elements << std::min<std::size_t>(1, elements) << elements)
      .end(file);
  write_blocks(file, mesh.edges, mesh.edge_labels, 1);
  write_blocks(file, mesh.triangles, mesh.regions, mesh.edges.size() + 1);
  file.write("$EndElements\n");
}

}  // namespace karman::detail
