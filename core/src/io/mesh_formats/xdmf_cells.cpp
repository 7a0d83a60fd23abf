// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// xdmf.org, "XDMF Model and Format": Topology.
#include "xdmf_cells.hpp"

#include <array>
#include <map>
#include <string>

namespace karman::detail {
namespace {

/// Corners and nodes of a cell; the corners come first.
struct CellKind {
  int corners = 0, nodes = 0;
};

std::map<std::string, CellKind> const kinds_by_name{
    {"polyline", {2, 2}},        {"edge_3", {2, 3}},        {"triangle", {3, 3}},        {"triangle_6", {3, 6}},
    {"tri_6", {3, 6}},           {"quadrilateral", {4, 4}}, {"quadrilateral_8", {4, 8}}, {"quad_8", {4, 8}},
    {"quadrilateral_9", {4, 9}}, {"quad_9", {4, 9}}};

/// Kinds in a topology of several. Points and lines have their number of nodes after their kind.
std::map<std::int64_t, CellKind> const kinds_by_number{{4, {3, 3}},  {5, {4, 4}},  {34, {2, 3}},
                                                       {35, {4, 9}}, {36, {3, 6}}, {37, {4, 8}}};
constexpr std::int64_t polyvertex = 1, polyline = 2;

CellKind kind_of(pugi::xml_node const& topology) {
  auto const found = kinds_by_name.find(lower(attribute(topology, {"TopologyType", "Type"})));
  return found == kinds_by_name.end() ? CellKind{} : found->second;
}

/// The cells of one topology.
class CellReading {
 public:
  CellReading(XdmfItems& items, pugi::xml_node const& topology, FoundMesh& found)
      : items_(items), found_(found), data_(items.numbers<std::int64_t>(items.only_item(topology))) {
    MeshText text(items.text().source(), attribute(topology, {"BaseOffset"}, "0"), items.line(topology));
    text.next_line();
    base_ = text.integer("BaseOffset 0 or 1", 0, 1);
  }

  std::vector<std::uint8_t> equal_cells(CellKind const& kind) {
    std::size_t const columns = static_cast<std::size_t>(kind.nodes);
    items_.require_rows(data_, columns,
                        std::to_string(columns) + (kind.corners == 2   ? " nodes per line"
                                                   : kind.corners == 3 ? " nodes per triangle"
                                                                       : " nodes per quadrilateral"));
    std::size_t const cells = data_.values.size() / columns;
    reserve(kind, cells);
    for (std::size_t cell = 0; cell < cells; ++cell) add(kind);
    return std::vector<std::uint8_t>(cells, static_cast<std::uint8_t>(kind.corners));
  }

  std::vector<std::uint8_t> mixed_cells() {
    std::vector<std::uint8_t> corners;
    while (at_ < data_.values.size()) {
      CellKind const kind = next_kind();
      if (kind.corners == 0) at_ += static_cast<std::size_t>(kind.nodes);
      else add(kind);
      corners.push_back(static_cast<std::uint8_t>(kind.corners));
    }
    return corners;
  }

 private:
  [[noreturn]] void fail(std::string const& what, std::string const& expected) const {
    items_.text().fail(data_.line, what, expected);
  }

  void require_left(int count) const {
    if (static_cast<std::size_t>(count) > data_.values.size() - at_)
      fail("the end of the cells", "all nodes of the last cell");
  }

  CellKind next_kind() {
    std::int64_t const number = data_.values[at_++];
    CellKind kind;
    if (number == polyvertex || number == polyline) {
      require_left(1);
      std::int64_t const nodes = data_.values[at_++];
      std::int64_t const wanted = number == polyline ? 2 : 1;
      if (nodes != wanted) fail(std::to_string(nodes) + " nodes of a point or line", "one of a point, two of a line");
      kind = {number == polyline ? 2 : 0, static_cast<int>(nodes)};
    } else if (auto const found = kinds_by_number.find(number); found != kinds_by_number.end()) {
      kind = found->second;
    } else {
      fail("cells of kind " + std::to_string(number), "points, lines, triangles and quadrilaterals");
    }
    require_left(kind.nodes);
    return kind;
  }

  void reserve(CellKind const& kind, std::size_t cells) {
    if (kind.corners == 3) found_.mesh.triangles.reserve(found_.mesh.triangles.size() + cells);
    if (kind.corners == 3) found_.mesh.regions.reserve(found_.mesh.regions.size() + cells);
  }

  int node() {
    std::int64_t const n = data_.values[at_++];
    if (n < base_ || n - base_ > most_numbers)
      fail(std::to_string(n), "the number of a node, from " + std::to_string(base_));
    return static_cast<int>(n - base_);
  }

  void add(CellKind const& kind) {
    std::array<int, 4> nodes{};
    for (int k = 0; k < kind.corners; ++k) nodes[static_cast<std::size_t>(k)] = node();
    for (int k = kind.corners; k < kind.nodes; ++k) found_.middle_nodes.push_back(node());
    if (kind.corners == 2) {
      found_.mesh.edges.push_back({nodes[0], nodes[1]});
      found_.mesh.edge_labels.push_back(1);
      found_.edge_lines.push_back(data_.line);
    } else if (kind.corners == 3) {
      found_.mesh.triangles.push_back({nodes[0], nodes[1], nodes[2]});
      found_.mesh.regions.push_back(1);
      found_.triangle_lines.push_back(data_.line);
    } else {
      add_quadrilateral(found_, nodes, 1, data_.line);
    }
  }

  XdmfItems& items_;
  FoundMesh& found_;
  XdmfNumbers<std::int64_t> data_;
  std::int64_t base_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

int xdmf_corners(pugi::xml_node const& topology) {
  CellKind const kind = kind_of(topology);
  // A polyline may have more than two nodes.
  std::string const nodes = attribute(topology, {"NodesPerElement"}, "2");
  return kind.corners == 2 && kind.nodes == 2 && nodes != "2" ? 0 : kind.corners;
}

bool is_mixed(pugi::xml_node const& topology) {
  return lower(attribute(topology, {"TopologyType", "Type"})) == "mixed";
}

std::vector<std::uint8_t> add_xdmf_cells(XdmfItems& items, pugi::xml_node const& topology, FoundMesh& found) {
  CellReading reading(items, topology, found);
  return is_mixed(topology) ? reading.mixed_cells() : reading.equal_cells(kind_of(topology));
}

}  // namespace karman::detail
