// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/plain_text.hpp"
#include "mesh/array_index.hpp"
#include "mesh/triangle_turn.hpp"
#include "mesh_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace karman::detail {
namespace {

/// "edge 3 with nodes 4 5 (counted from 1)"
template <std::size_t corners>
std::string numbered(char const* what, std::size_t i, std::array<int, corners> const& nodes) {
  std::string text = what + (' ' + std::to_string(i + 1)) + " with nodes";
  for (int const n : nodes) text += ' ' + std::to_string(n + std::int64_t{1});
  return text + " (counted from 1)";
}

int line_of(std::vector<int> const& lines, std::size_t i) { return i < lines.size() ? lines[i] : 0; }

/// Names go into lists with one line each.
void check_names(std::map<int, std::string> const& names, MeshText const& text) {
  for (auto const& [label, name] : names) {
    if (!is_utf8(name))
      text.fail(0, "the name \"" + name + "\" of label " + std::to_string(label), "a name in UTF-8; convert the file");
    if (!is_plain_name(name))
      text.fail(0, "the name \"" + name + "\" of label " + std::to_string(label),
                "a name without control characters such as tabs");
  }
}

void check_coordinates(FoundMesh const& found, MeshText const& text) {
  auto const& nodes = found.mesh.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto const [x, y] = nodes[n];
    if (std::abs(x) < 1e100 && std::abs(y) < 1e100) continue;
    text.fail(line_of(found.node_lines, n),
              "node " + std::to_string(n + 1) + " at " + shortest_digits(x) + ", " + shortest_digits(y),
              "finite coordinates below 1e100");
  }
}

/// "x and z" of the coordinates that become the coordinates of the plane.
char const* words_of(MeshPlane plane) {
  return plane == MeshPlane::xz ? "x and z" : plane == MeshPlane::yz ? "y and z" : "x and y";
}

/// Turns the plane of the mesh into that of the first two coordinates.
void turn_plane(FoundMesh& found, MeshText const& text, MeshReadOptions const& options) {
  if (options.plane == MeshPlane::xy) return;
  if (found.z.empty())
    text.fail(0, "nodes with two coordinates", std::string("three, for a mesh of ") + words_of(options.plane));
  for (std::size_t n = 0; n < found.z.size(); ++n) {
    auto& node = found.mesh.nodes[n];
    double const z = found.z[n];
    found.z[n] = options.plane == MeshPlane::xz ? node[1] : node[0];
    node = {options.plane == MeshPlane::xz ? node[0] : node[1], z};
  }
}

/// Extent of the nodes along x (0) or y (1).
double extent_of(MeshData const& mesh, std::size_t axis) {
  auto const [low, high] = std::minmax_element(mesh.nodes.begin(), mesh.nodes.end(),
                                               [=](auto const& a, auto const& b) { return a[axis] < b[axis]; });
  return low == mesh.nodes.end() ? 0 : (*high)[axis] - (*low)[axis];
}

/// Names the plane of a mesh that has no extent in this one.
void check_flat(FoundMesh const& found, MeshText const& text, MeshReadOptions const& options) {
  if (found.z.empty() || options.plane != MeshPlane::xy) return;
  auto const [low, high] = std::minmax_element(found.z.begin(), found.z.end());
  bool const x = extent_of(found.mesh, 0) > 0, y = extent_of(found.mesh, 1) > 0;
  if (x == y || !(*high > *low)) return;
  text.fail(0, std::string("all nodes with the same ") + (x ? "y" : "x"),
            std::string("a mesh of x and y, or the plane ") + (x ? "xz" : "yz"));
}

/// Third coordinates may differ by rounding errors of the program that computed them.
void check_plane(FoundMesh const& found, MeshText const& text, MeshReadOptions const& options) {
  if (options.ignore_z || found.z.empty()) return;
  double const extent = std::max(extent_of(found.mesh, 0), extent_of(found.mesh, 1));
  double const first = found.z.front();
  for (std::size_t n = 0; n < found.z.size(); ++n) {
    if (std::abs(found.z[n] - first) <= 1e-9 * extent) continue;
    text.fail(line_of(found.node_lines, n), "z = " + shortest_digits(found.z[n]) + " of node " + std::to_string(n + 1),
              "the same z for all nodes of a plane mesh, " + shortest_digits(first) + " as for node 1");
  }
}

/// Least ratio of twice the area and the square of the longest side over two triangles; of the sign of the least area
/// where the triangles turn in opposite directions.
double least_quality(std::vector<std::array<double, 2>> const& nodes, std::array<int, 3> const& first,
                     std::array<int, 3> const& second) {
  std::array<double, 2> quality{};
  for (std::size_t k = 0; k < 2; ++k) {
    auto const& t = k == 0 ? first : second;
    double longest = 0;
    for (std::size_t m = 0; m < 3; ++m) {
      auto const& a = nodes[at(t[m])];
      auto const& b = nodes[at(t[(m + 1) % 3])];
      longest = std::max(longest, std::hypot(b[0] - a[0], b[1] - a[1]));
    }
    auto const& a = nodes[at(t[0])];
    auto const& b = nodes[at(t[1])];
    auto const& c = nodes[at(t[2])];
    double const twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    quality[k] = longest > 0 ? twice / (longest * longest) : 0;
  }
  bool const same_turn = (quality[0] > 0) == (quality[1] > 0);
  return same_turn ? std::min(std::abs(quality[0]), std::abs(quality[1])) : -1;
}

/// Divides each quadrilateral by the diagonal whose triangles are better; a concave one by that through its inner
/// corner.
void choose_diagonals(FoundMesh& found, MeshReadOptions const& options) {
  MeshData& mesh = found.mesh;
  int const nodes = static_cast<int>(mesh.nodes.size());
  for (std::size_t const i : found.split) {
    auto& first = mesh.triangles[i];
    auto& second = mesh.triangles[i + 1];
    std::array<int, 4> const q{first[0], first[1], first[2], second[2]};
    if (std::any_of(q.begin(), q.end(), [&](int n) { return n < 0 || n >= nodes; })) continue;  // an error later on
    std::array<int, 3> const one{q[0], q[1], q[3]}, two{q[1], q[2], q[3]};
    if (least_quality(mesh.nodes, one, two) <= least_quality(mesh.nodes, first, second)) continue;
    first = one;
    second = two;
  }
  if (!found.split.empty())
    remark(options, std::to_string(found.split.size()) + " quadrilaterals became two triangles each");
}

void check_triangles(FoundMesh& found, MeshText const& text, MeshReadOptions const& options) {
  MeshData& mesh = found.mesh;
  int const nodes = static_cast<int>(mesh.nodes.size());
  if (mesh.triangles.empty()) text.fail(0, "no triangles", "a mesh of triangles");
  auto const fail = [&](std::size_t i, std::string const& what, std::string const& expected) {
    text.fail(line_of(found.triangle_lines, i), numbered("triangle", i, mesh.triangles[i]) + what, expected);
  };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    auto& t = mesh.triangles[i];
    for (int const n : t) {
      if (n < 0 || n >= nodes) fail(i, "", "three of the " + std::to_string(nodes) + " nodes");
    }
    int const side = triangle_turn(mesh.nodes[at(t[0])], mesh.nodes[at(t[1])], mesh.nodes[at(t[2])]);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || side == 0) fail(i, "", "a triangle with positive area");
    if (side > 0) continue;
    if (!options.orient) fail(i, " runs clockwise", "anticlockwise triangles, or the option orient");
    std::swap(t[1], t[2]);
  }
}

/// The listed edges, sorted by their nodes. No hash: a file could choose edges that collide in a predictable hash.
class ListedEdges {
 public:
  struct Edge {
    std::array<int, 2> nodes;  ///< lower, higher
    std::size_t number = 0;
    int triangles = 0;
    bool turned = false;

    bool operator<(Edge const& other) const { return std::tie(nodes, number) < std::tie(other.nodes, other.number); }
  };

  explicit ListedEdges(MeshData const& mesh) : touched_(mesh.nodes.size(), 0) {
    for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
      auto const [a, b] = mesh.edges[i];
      edges_.push_back({{std::min(a, b), std::max(a, b)}, i});
      touched_[at(a)] = touched_[at(b)] = 1;
    }
    std::sort(edges_.begin(), edges_.end());
  }

  /// Drops edges that were listed before. Returns their numbers: in all, and with another label than the first.
  std::array<std::size_t, 2> drop_repeated(MeshData const& mesh) {
    std::array<std::size_t, 2> dropped{};
    std::size_t kept = 0;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (kept > 0 && edges_[i].nodes == edges_[kept - 1].nodes) {
        ++dropped[0];
        if (mesh.edge_labels[edges_[i].number] != mesh.edge_labels[edges_[kept - 1].number]) ++dropped[1];
      } else {
        edges_[kept++] = edges_[i];
      }
    }
    edges_.resize(kept);
    return dropped;
  }

  /// Records the side of a triangle from a to b.
  void pass(MeshData const& mesh, int a, int b) {
    if (touched_[at(a)] == 0 || touched_[at(b)] == 0) return;
    std::array<int, 2> const nodes{std::min(a, b), std::max(a, b)};
    auto const edge = std::lower_bound(edges_.begin(), edges_.end(), Edge{nodes});
    if (edge == edges_.end() || edge->nodes != nodes) return;
    ++edge->triangles;
    edge->turned = mesh.edges[edge->number][0] != a;
  }

  /// In the order of the file.
  std::vector<Edge> in_order() && {
    std::sort(edges_.begin(), edges_.end(), [](Edge const& a, Edge const& b) { return a.number < b.number; });
    return std::move(edges_);
  }

 private:
  std::vector<Edge> edges_;
  std::vector<char> touched_;  ///< the nodes of edges
};

/// Orients boundary edges, and drops those between two triangles and those listed before.
void check_edges(FoundMesh& found, MeshText const& text, MeshReadOptions const& options) {
  MeshData& mesh = found.mesh;
  int const nodes = static_cast<int>(mesh.nodes.size());
  auto const fail = [&](std::size_t i, std::string const& what, std::string const& expected) {
    text.fail(line_of(found.edge_lines, i), numbered("edge", i, mesh.edges[i]) + what, expected);
  };
  for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
    auto const [a, b] = mesh.edges[i];
    if (a < 0 || b < 0 || a >= nodes || b >= nodes || a == b) {
      fail(i, "", "two of the " + std::to_string(nodes) + " nodes");
    }
  }
  ListedEdges edges(mesh);
  if (auto const [repeated, relabelled] = edges.drop_repeated(mesh); repeated > 0)
    remark(options, "edges listed before: " + std::to_string(repeated) + ", of which " + std::to_string(relabelled) +
                        " in another boundary; the first one is kept");
  for (auto const& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) edges.pass(mesh, t[k], t[(k + 1) % 3]);
  }
  std::size_t kept = 0, apart = 0;
  for (auto const& edge : std::move(edges).in_order()) {
    std::size_t const i = edge.number;
    if (edge.triangles == 0 && found.node_strings) {
      ++apart;
      continue;
    }
    if (edge.triangles == 0 || edge.triangles > 2) {
      std::string const sides = edge.triangles == 0 ? "no triangle" : std::to_string(edge.triangles) + " triangles";
      fail(i, " is the side of " + sides, "a side of one triangle");
    }
    if (edge.triangles == 2) continue;
    mesh.edges[kept] = mesh.edges[i];
    if (edge.turned) std::swap(mesh.edges[kept][0], mesh.edges[kept][1]);
    mesh.edge_labels[kept++] = mesh.edge_labels[i];
  }
  mesh.edges.resize(kept);
  mesh.edge_labels.resize(kept);
  if (apart > 0)
    remark(options, "neighbours in lists of boundary nodes without a common side: " + std::to_string(apart));
}

/// Drops nodes without a triangle among those marked in `may_go`. Returns their number.
std::size_t drop_unused(MeshData& mesh, std::vector<char> const& may_go) {
  std::size_t const before = mesh.nodes.size();
  std::vector<int> place(before);
  for (std::size_t n = 0; n < before; ++n) place[n] = may_go[n] != 0 ? -1 : 0;
  for (auto const& t : mesh.triangles) {
    for (int const n : t) place[at(n)] = 0;
  }
  if (std::find(place.begin(), place.end(), -1) == place.end()) return 0;
  int kept = 0;
  for (std::size_t n = 0; n < place.size(); ++n) {
    if (place[n] < 0) continue;
    mesh.nodes[at(kept)] = mesh.nodes[n];
    place[n] = kept++;
  }
  mesh.nodes.resize(at(kept));
  for (auto& t : mesh.triangles) {
    for (int& n : t) n = place[at(n)];
  }
  for (auto& e : mesh.edges) {
    for (int& n : e) n = place[at(n)];
  }
  return before - mesh.nodes.size();
}

/// Reduces a mesh of higher order to its linear part: drops the nodes between the corners.
void drop_middle_nodes(FoundMesh& found, MeshReadOptions const& options) {
  if (found.middle_nodes.empty()) return;
  std::vector<char> may_go(found.mesh.nodes.size(), 0);
  for (int const n : found.middle_nodes) may_go[at(n)] = 1;
  std::size_t const dropped = drop_unused(found.mesh, may_go);
  remark(options,
         "higher-order elements reduced to linear ones: dropped " + std::to_string(dropped) + " nodes between corners");
}

/// Names belong to physical groups; entities have numbers of their own.
void use_entities(std::vector<int>& labels, std::vector<int>& entities, std::map<int, std::string>& names) {
  bool const none = std::all_of(labels.begin(), labels.end(), [](int label) { return label == 0; });
  if (!none || labels.empty() || entities.size() != labels.size()) return;
  labels.swap(entities);
  names.clear();
}

}  // namespace

void remark(MeshReadOptions const& options, std::string text) {
  if (options.remarks != nullptr) options.remarks->push_back(std::move(text));
}

void add_quadrilateral(FoundMesh& found, std::array<int, 4> const& nodes, int region, int line) {
  found.split.push_back(found.mesh.triangles.size());
  found.mesh.triangles.push_back({nodes[0], nodes[1], nodes[2]});
  found.mesh.triangles.push_back({nodes[0], nodes[2], nodes[3]});
  found.mesh.regions.insert(found.mesh.regions.end(), 2, region);
  found.triangle_lines.insert(found.triangle_lines.end(), 2, line);
}

MeshData finished(FoundMesh found, MeshText const& text, MeshReadOptions const& options) {
  for (int const n : found.middle_nodes) {
    if (n >= static_cast<int>(found.mesh.nodes.size()))
      text.fail(0, "node " + std::to_string(n + std::int64_t{1}) + " of an element of higher order",
                "one of the " + std::to_string(found.mesh.nodes.size()) + " nodes");
  }
  check_names(found.mesh.region_names, text);
  check_names(found.mesh.boundary_names, text);
  check_flat(found, text, options);
  turn_plane(found, text, options);
  check_coordinates(found, text);
  check_plane(found, text, options);
  choose_diagonals(found, options);
  check_triangles(found, text, options);
  use_entities(found.mesh.regions, found.region_entities, found.mesh.region_names);
  use_entities(found.mesh.edge_labels, found.edge_entities, found.mesh.boundary_names);
  check_edges(found, text, options);
  drop_middle_nodes(found, options);
  if (options.drop_unused) drop_unused(found.mesh, std::vector<char>(found.mesh.nodes.size(), 1));
  return std::move(found.mesh);
}

}  // namespace karman::detail
