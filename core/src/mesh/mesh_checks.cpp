// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "mesh_generation/mesh_parts.hpp"
#include "mesh_hanging_nodes.hpp"
#include "mesh_sides.hpp"
#include "triangle_turn.hpp"
#include <karman/mesh/mesh_checks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace karman {

namespace {

using Point = std::array<double, 2>;

using detail::at;

/// "1 triangle runs" or "5 triangles run".
struct Noun {
  char const* one = "";
  char const* many = "";
};

std::string counted(std::size_t count, Noun const& noun) {
  return std::to_string(count) + ' ' + (count == 1 ? noun.one : noun.many);
}

class Check {
 public:
  explicit Check(MeshData const& mesh) : mesh_(mesh) {}

  MeshReport run() {
    if (!sizes() || !node_numbers()) return finished();
    bool const placed = coordinates();
    if (placed) areas();
    duplicates();
    unused_nodes();
    auto const sides = detail::mesh_sides(mesh_);
    edges(sides);
    listed_edges(sides);
    if (placed) hanging_nodes(sides);
    return finished();
  }

 private:
  /// Counts a fault. Describes the first of each kind.
  template <class Describe>
  void note(MeshFault fault, std::size_t item, Noun const& noun, Describe const& describe) {
    auto const [found, is_first] = found_.try_emplace(fault, report_.problems.size());
    if (is_first) {
      report_.problems.push_back({fault, 0, item, describe()});
      nouns_[fault] = noun;
    }
    ++report_.problems[found->second].count;
  }

  MeshReport finished() {
    for (auto const& [fault, place] : found_) {
      auto& problem = report_.problems[place];
      problem.message =
          counted(problem.count, nouns_[fault]) + (problem.count == 1 ? ": " : "; the first is ") + problem.message;
    }
    return std::move(report_);
  }

  std::string triangle(std::size_t t) const {
    auto const& nodes = mesh_.triangles[t];
    return "triangle " + std::to_string(t) + " (nodes " + std::to_string(nodes[0]) + ", " + std::to_string(nodes[1]) +
           ", " + std::to_string(nodes[2]) + ")";
  }
  std::string edge(int a, int b) const { return std::to_string(a) + " to " + std::to_string(b); }
  std::string listed(std::size_t e) const {
    return "edge " + std::to_string(e) + " (nodes " + edge(mesh_.edges[e][0], mesh_.edges[e][1]) + ")";
  }
  std::string node(std::size_t n) const {
    return "node " + std::to_string(n) + " at " + detail::place_text(mesh_.nodes[n]);
  }

  bool sizes() {
    auto const limit = std::size_t(std::numeric_limits<int>::max());
    std::size_t const most = std::max({mesh_.nodes.size(), mesh_.triangles.size(), mesh_.edges.size()});
    auto const problem = [&](MeshFault fault, std::string message) {
      report_.problems.push_back({fault, 1, 0, std::move(message)});
    };
    if (most > limit) problem(MeshFault::too_large, "more than 2^31 - 1 nodes, triangles or boundary edges");
    if (mesh_.regions.size() != mesh_.triangles.size()) {
      problem(MeshFault::label_count, std::to_string(mesh_.regions.size()) + " region labels for " +
                                          std::to_string(mesh_.triangles.size()) + " triangles");
    }
    if (mesh_.edge_labels.size() != mesh_.edges.size()) {
      problem(MeshFault::label_count, std::to_string(mesh_.edge_labels.size()) + " labels for " +
                                          std::to_string(mesh_.edges.size()) + " boundary edges");
    }
    return most <= limit;
  }

  bool node_numbers() {
    auto const in_range = [&](int n) { return n >= 0 && at(n) < mesh_.nodes.size(); };
    bool right = true;
    auto const check_corners = [&](auto const& nodes, std::size_t item, auto const& describe) {
      if (std::all_of(nodes.begin(), nodes.end(), in_range)) return;
      right = false;
      note(MeshFault::node_out_of_range, item,
           {"triangle or boundary edge names a missing node", "triangles or boundary edges name a missing node"},
           [&] { return describe(item) + ", but there are " + std::to_string(mesh_.nodes.size()) + " nodes"; });
    };
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      check_corners(mesh_.triangles[t], t, [&](std::size_t item) { return triangle(item); });
    }
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      check_corners(mesh_.edges[e], e, [&](std::size_t item) { return listed(item); });
    }
    return right;
  }

  bool coordinates() {
    constexpr double huge = 1e100;
    bool right = true;
    for (std::size_t n = 0; n < mesh_.nodes.size(); ++n) {
      auto const& [x, y] = mesh_.nodes[n];
      if (std::abs(x) <= huge && std::abs(y) <= huge) continue;  // false for NaN
      right = false;
      note(MeshFault::bad_coordinate, n,
           {"node has a coordinate that is not finite or above 1e100",
            "nodes have a coordinate that is not finite or above 1e100"},
           [&] { return node(n); });
    }
    return right;
  }

  void areas() {
    without_direction_.assign(mesh_.triangles.size(), 0);
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      auto const& [a, b, c] = mesh_.triangles[t];
      int const turn = detail::triangle_turn(mesh_.nodes[at(a)], mesh_.nodes[at(b)], mesh_.nodes[at(c)]);
      without_direction_[t] = turn <= 0;
      if (turn == 0) {
        note(MeshFault::no_area, t, {"triangle has no area", "triangles have no area"}, [&] { return triangle(t); });
      } else if (turn < 0) {
        note(MeshFault::clockwise, t, {"triangle runs clockwise", "triangles run clockwise"},
             [&] { return triangle(t); });
      }
    }
  }

  /// False for a triangle that is clockwise, whose sides are all reversed and give no information.
  bool has_direction(int t) const { return without_direction_.empty() || !without_direction_[at(t)]; }

  void duplicates() {
    // Three sorted node numbers identify a triangle.
    std::vector<std::pair<std::array<int, 3>, std::size_t>> sorted(mesh_.triangles.size());
    for (std::size_t t = 0; t < sorted.size(); ++t) {
      sorted[t] = {mesh_.triangles[t], t};
      std::sort(sorted[t].first.begin(), sorted[t].first.end());
    }
    std::sort(sorted.begin(), sorted.end());
    std::map<std::size_t, std::size_t> twins;  // by the later one, so that the first is reported
    for (std::size_t i = 1, original = 0; i < sorted.size(); ++i) {
      if (sorted[i].first != sorted[i - 1].first) {
        original = i;
      } else {
        twins[sorted[i].second] = sorted[original].second;
      }
    }
    for (auto const& [t, original] : twins) {
      note(MeshFault::duplicate_triangle, t,
           {"triangle has the nodes of another", "triangles have the nodes of another"},
           [&, first = t, of = original] { return triangle(first) + ", as triangle " + std::to_string(of); });
    }
  }

  void unused_nodes() {
    std::vector<char> used(mesh_.nodes.size(), 0);
    for (auto const& nodes : mesh_.triangles) {
      for (int const n : nodes) used[at(n)] = 1;
    }
    for (std::size_t n = 0; n < used.size(); ++n) {
      if (used[n]) continue;
      note(MeshFault::unused_node, n, {"node belongs to no triangle", "nodes belong to no triangle"},
           [&] { return node(n); });
    }
  }

  void edges(detail::MeshSides const& all) {
    detail::for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
      auto const& side = all.sides[first];
      auto const describe = [&] {
        return "the one from node " + edge(lower, side.higher) + ", of triangles " + std::to_string(side.triangle) +
               " and " + std::to_string(all.sides[first + 1].triangle);
      };
      if (last - first > 2) {
        note(MeshFault::crowded_edge, at(side.triangle),
             {"edge belongs to more than two triangles", "edges belong to more than two triangles"}, describe);
      } else if (last - first == 2 && side.forward == all.sides[first + 1].forward && has_direction(side.triangle) &&
                 has_direction(all.sides[first + 1].triangle)) {
        note(MeshFault::opposed_edge, at(side.triangle),
             {"edge has two triangles on the same side", "edges have two triangles on the same side"}, describe);
      }
    });
  }

  void listed_edges(detail::MeshSides const& all) {
    std::set<std::array<int, 2>> seen;
    for (std::size_t e = 0; e < mesh_.edges.size(); ++e) {
      auto const& [a, b] = mesh_.edges[e];
      int const lower = std::min(a, b), higher = std::max(a, b);
      auto const begin = all.sides.begin();
      auto const under =
          std::pair{begin + std::ptrdiff_t(all.offsets[at(lower)]), begin + std::ptrdiff_t(all.offsets[at(lower) + 1])};
      auto const first = std::lower_bound(under.first, under.second, higher,
                                          [](detail::MeshSide const& side, int node) { return side.higher < node; });
      auto const last = std::upper_bound(first, under.second, higher,
                                         [](int node, detail::MeshSide const& side) { return node < side.higher; });
      auto const describe = [&] { return listed(e); };
      if (!seen.insert({lower, higher}).second) {
        note(MeshFault::duplicate_edge, e, {"boundary edge is listed twice", "boundary edges are listed twice"},
             describe);
      } else if (first == last) {
        note(MeshFault::edge_of_no_triangle, e,
             {"boundary edge is not a side of any triangle", "boundary edges are not sides of any triangle"}, describe);
      } else if (last - first > 1) {
        note(MeshFault::edge_inside, e,
             {"boundary edge lies between two triangles", "boundary edges lie between two triangles"}, describe);
      } else if (first->forward != (a < b) && has_direction(first->triangle)) {
        note(MeshFault::edge_backwards, e,
             {"boundary edge has the domain on its right", "boundary edges have the domain on their right"}, describe);
      }
    }
    detail::for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
      report_.unlisted_edges += last - first == 1 && !seen.contains({lower, all.sides[first].higher});
    });
  }

  void hanging_nodes(detail::MeshSides const& all) {
    for (auto const& [n, ends] : detail::hanging_nodes(mesh_, all)) {
      note(MeshFault::hanging_node, at(n),
           {"node lies inside an edge of a triangle", "nodes lie inside an edge of a triangle"},
           [&, item = at(n), a = ends[0], b = ends[1]] {
             return node(item) + ", inside the edge from node " + edge(a, b);
           });
    }
  }

  MeshData const& mesh_;
  MeshReport report_;
  std::map<MeshFault, std::size_t> found_;  // place among the problems
  std::map<MeshFault, Noun> nouns_;
  std::vector<char> without_direction_;  // clockwise triangles, or those without area
};

}  // namespace

std::string MeshReport::text() const {
  std::string lines;
  for (auto const& problem : problems) lines += (lines.empty() ? "" : "\n") + problem.message;
  return lines;
}

MeshReport check_mesh(MeshData const& mesh) { return Check(mesh).run(); }

}  // namespace karman
