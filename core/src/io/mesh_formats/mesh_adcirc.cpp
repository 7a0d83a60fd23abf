// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADCIRC user's manual, "ADCIRC Grid and Boundary Information File (fort.14)".
#include "mesh_text.hpp"

#include <map>
#include <string>
#include <utility>

namespace karman::detail {
namespace {

/// Kind of a boundary with normal flow, by its number IBTYPE.
struct AdcircBoundary {
  std::string name;
  bool closed = false;  ///< a ring, whose last node is joined to the first
  bool pairs = false;   ///< two sides of a barrier: every node has a partner
};

AdcircBoundary boundary_of(std::int64_t type) {
  switch (type % 100) {
    case 0:
    case 10:
    case 20: return {"land"};
    case 1:
    case 11:
    case 21: return {"island", true};
    case 2:
    case 12:
    case 22:
    case 32:
    case 52: return {"river"};
    case 3:
    case 13:
    case 23: return {"weir"};
    case 4:
    case 24:
    case 64:
    case 5:
    case 25: return {"barrier", false, true};
    default: return {"type " + std::to_string(type)};
  }
}

/// State of reading one file. The rest of a line, behind its numbers, is a comment.
class AdcircReading {
 public:
  explicit AdcircReading(MeshText& text) : text_(text) {}

  /// Reads the title, the sizes and the nodes. Values are depths below the geoid, positive downwards.
  std::vector<double> nodes() {
    text_.open_line("a title");
    text_.open_line("the numbers of elements and nodes");
    triangles_ = text_.count("elements", 8);
    std::size_t const count = text_.count("nodes", 6);
    found_.mesh.nodes.resize(count);
    found_.node_lines.resize(count, 0);
    std::vector<double> depths(count);
    std::string const all = std::to_string(count);
    for (std::size_t i = 1; i <= count; ++i) {
      text_.open_line("node", i, all);
      std::size_t const n = static_cast<std::size_t>(node());
      if (found_.node_lines[n] != 0) text_.fail("node " + std::to_string(n + 1) + " twice", "a unique number per node");
      found_.node_lines[n] = text_.line();
      double const x = text_.real("the x of a node, a number");
      found_.mesh.nodes[n] = {x, text_.real("the y of a node, a number")};
      depths[n] = text_.real("the depth at a node, a number");
    }
    return depths;
  }

  MeshData mesh(MeshReadOptions const& options) {
    nodes();
    found_.expect_triangles(triangles_);
    std::string const all = std::to_string(triangles_);
    for (std::size_t i = 1; i <= triangles_; ++i) {
      text_.open_line("element", i, all);
      text_.integer("the number of an element", 1, most_numbers);
      text_.integer("3, the nodes of a triangle", 3, 3);
      std::array<int, 3> corners{};
      for (int& n : corners) n = node();
      found_.mesh.triangles.push_back(corners);
      found_.mesh.regions.push_back(1);
      found_.triangle_lines.push_back(text_.line());
    }
    open_boundaries();
    land_boundaries();
    found_.node_strings = true;
    return finished(std::move(found_), text_, options);
  }

 private:
  int node() {
    return static_cast<int>(
               text_.integer("the number of a node", 1, static_cast<std::int64_t>(found_.mesh.nodes.size()))) -
           1;
  }

  /// The number of boundaries and of their nodes; none where the file ends.
  std::size_t boundaries(char const* what) {
    if (!text_.next_line()) return 0;
    std::size_t const count = text_.count(what, 4);
    text_.open_line("the number of nodes of all " + std::string(what));
    text_.count("nodes of all " + std::string(what), 2);
    return count;
  }

  void add_edge(int from, int to, int label) {
    if (from == to) return;
    found_.mesh.edges.push_back({from, to});
    found_.mesh.edge_labels.push_back(label);
    found_.edge_lines.push_back(text_.line());
  }

  void open_boundaries() {
    std::size_t const count = boundaries("open boundaries");
    for (std::size_t b = 1; b <= count; ++b) {
      text_.open_line("open boundary", b, std::to_string(count));
      std::size_t const nodes = text_.count("nodes of an open boundary", 2);
      int const label = ++labels_;
      found_.mesh.boundary_names[label] = count == 1 ? "open" : "open " + std::to_string(b);
      chain(nodes, {}, label);
    }
  }

  void land_boundaries() {
    std::size_t const count = boundaries("boundaries with normal flow");
    std::map<std::string, int> known;
    for (std::size_t b = 1; b <= count; ++b) {
      text_.open_line("boundary", b, std::to_string(count));
      std::size_t const nodes = text_.count("nodes of a boundary", 2);
      AdcircBoundary const kind = boundary_of(text_.integer("IBTYPE, the kind of a boundary", 0, 999));
      auto const [place, is_new] = known.emplace(kind.name, labels_ + 1);
      if (is_new) found_.mesh.boundary_names[++labels_] = kind.name;
      chain(nodes, kind, place->second);
    }
  }

  /// Edges between nodes that follow each other.
  void chain(std::size_t nodes, AdcircBoundary const& kind, int label) {
    std::array<int, 2> first{}, last{};
    std::string const all = std::to_string(nodes) + " of a boundary";
    for (std::size_t i = 1; i <= nodes; ++i) {
      text_.open_line("node", i, all);
      std::array<int, 2> const here{node(), kind.pairs ? node() : 0};
      if (i == 1) first = here;
      for (std::size_t side = 0; i > 1 && side < (kind.pairs ? 2 : 1); ++side) add_edge(last[side], here[side], label);
      last = here;
    }
    if (kind.closed && nodes > 2) add_edge(last[0], first[0], label);
  }

  MeshText& text_;
  FoundMesh found_;
  std::size_t triangles_ = 0;
  int labels_ = 0;
};

}  // namespace

MeshData read_adcirc(MeshText& text, MeshReadOptions const& options) { return AdcircReading(text).mesh(options); }

std::vector<NodalField> read_adcirc_depth(MeshText& text, std::size_t nodes) {
  std::vector<double> depths = AdcircReading(text).nodes();
  if (depths.size() != nodes)
    text.fail(2, std::to_string(depths.size()) + " nodes", std::to_string(nodes) + ", as the mesh has");
  return {{"depth", 1, std::move(depths)}};
}

}  // namespace karman::detail
