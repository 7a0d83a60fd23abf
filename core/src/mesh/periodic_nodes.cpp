// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_index.hpp"
#include "mesh_generation/mesh_parts.hpp"
#include "mesh_generation/mesh_predicates.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/periodic_nodes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace karman {
namespace {

using Point = std::array<double, 2>;
using detail::number_text;

char const* const who = "periodic_pairs";

using detail::at;

Point moved(Point const& p, Point const& by) { return {p[0] + by[0], p[1] + by[1]}; }

/// Nodes and edges of one boundary label.
struct Boundary {
  std::string name;                      // for messages
  std::map<int, double> nodes{};         // number, and length of the shortest edge there
  std::set<std::array<int, 2>> edges{};  // lower and higher node
  Point centroid{0, 0};

  Boundary(MeshData const& mesh, int label) : name("label " + std::to_string(label)) {
    auto const given = mesh.boundary_names.find(label);
    if (given != mesh.boundary_names.end()) name += " \"" + given->second + '"';
    require(mesh.edge_labels.size() == mesh.edges.size(), std::string(who) + ": every boundary edge needs a label");
    auto const in_range = [&](int n) { return n >= 0 && at(n) < mesh.nodes.size(); };
    double whole = 0;
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
      if (mesh.edge_labels[e] != label) continue;
      auto const [from, to] = mesh.edges[e];
      if (!in_range(from) || !in_range(to)) {
        require(false, std::string(who) + ": edge " + std::to_string(e) + ": a node number out of range");
      }
      Point const &p = mesh.nodes[at(from)], &q = mesh.nodes[at(to)];
      double const length = std::sqrt(detail::distance2(p, q));
      for (int const n : {from, to}) {
        auto const [found, is_new] = nodes.try_emplace(n, length);
        if (!is_new) found->second = std::min(found->second, length);
      }
      edges.insert({std::min(from, to), std::max(from, to)});
      whole += length;
      for (std::size_t d = 0; d < 2; ++d) centroid[d] += 0.5 * length * (p[d] + q[d]);
    }
    require(!edges.empty(), std::string(who) + ": " + name + ": must have boundary edges; found none");
    for (double& c : centroid) c /= whole;
  }

  /// Names the nodes without partner and the first of them with its distance from the nearest node.
  std::string alone(std::size_t count, int node, double distance) const {
    return std::to_string(count) + (count == 1 ? " node of " : " nodes of ") + name + (count == 1 ? " has" : " have") +
           " no partner; node " + std::to_string(node) + " is " + number_text(distance) + " from the nearest one";
  }

  std::string counted() const { return name + " (" + std::to_string(nodes.size()) + " nodes)"; }
};

/// Nodes of a boundary in buckets, to find the nearest one within a distance.
class Buckets {
 public:
  Buckets(MeshData const& mesh, Boundary const& boundary, Point const& shift, double reach) : reach_(reach) {
    for (auto const& [n, length] : boundary.nodes) {
      Point const place = moved(mesh.nodes[at(n)], shift);
      entries_.push_back({std::floor(place[0] / reach), std::floor(place[1] / reach), place, n});
    }
    std::sort(entries_.begin(), entries_.end(), before);
  }

  /// Nearest node within `distance`, which is at most the reach; -1: none.
  int nearest(Point const& place, double distance) const {
    int found = -1;
    double least = distance * distance;
    double const column = std::floor(place[0] / reach_), row = std::floor(place[1] / reach_);
    for (double c = column - 1; c <= column + 1; ++c) {
      Entry const first{c, row - 1, {}, -1};
      for (auto e = std::lower_bound(entries_.begin(), entries_.end(), first, before);
           e != entries_.end() && e->column == c && e->row <= row + 1; ++e) {
        double const d2 = detail::distance2(place, e->place);
        if (d2 > least) continue;
        least = d2;
        found = e->node;
      }
    }
    return found;
  }

  /// Distance to the nearest node, wherever it is.
  double nearest_distance(Point const& place) const {
    double least = std::numeric_limits<double>::infinity();
    for (Entry const& e : entries_) least = std::min(least, detail::distance2(place, e.place));
    return std::sqrt(least);
  }

 private:
  struct Entry {
    double column, row;
    Point place;
    int node;
  };
  static bool before(Entry const& a, Entry const& b) {
    return std::tie(a.column, a.row, a.node) < std::tie(b.column, b.row, b.node);
  }

  double reach_;
  std::vector<Entry> entries_;
};

}  // namespace

PeriodicPairs periodic_pairs(MeshData const& mesh, int label_a, int label_b, std::optional<Point> const& translation,
                             PeriodicOptions const& options) {
  std::string const name = who;
  require(options.tolerance > 0 && options.tolerance < 0.5,
          name + ": tolerance: " + number_text(options.tolerance) + ": must be above 0 and below 0.5");
  require(label_a != label_b, name + ": label " + std::to_string(label_a) + ": must differ from its partner");
  Boundary const a(mesh, label_a), b(mesh, label_b);

  PeriodicPairs result;
  result.translation = translation.value_or(Point{b.centroid[0] - a.centroid[0], b.centroid[1] - a.centroid[1]});
  Point const& shift = result.translation;
  double greatest = 0;
  for (auto const& [n, length] : b.nodes) greatest = std::max(greatest, length);
  double const reach = options.tolerance * greatest;
  require(
      std::isfinite(shift[0]) && std::isfinite(shift[1]) && std::hypot(shift[0], shift[1]) > reach,
      name + ": translation: " + detail::place_text(shift) + ": must be finite and move " + a.name + " to " + b.name);

  Buckets const targets(mesh, a, shift, reach);
  std::map<int, int> image;  // of nodes of a
  std::string const cannot =
      name + ": " + b.counted() + " must be " + a.counted() + " moved by " + detail::place_text(shift) + ": ";
  std::size_t alone = 0;
  int first_alone = -1;
  for (auto const& [n, length] : b.nodes) {
    int const partner = targets.nearest(mesh.nodes[at(n)], options.tolerance * length);
    if (partner >= 0 && image.try_emplace(partner, n).second) {
      result.pairs.push_back({n, partner});
    } else if (alone++ == 0) {
      first_alone = n;
    }
  }
  if (alone > 0) {
    double const distance = targets.nearest_distance(mesh.nodes[at(first_alone)]);
    require(false, cannot + b.alone(alone, first_alone, distance));
  }
  for (auto const& [n, length] : a.nodes) {
    if (image.count(n) > 0) continue;
    double const distance = Buckets(mesh, b, {0, 0}, reach).nearest_distance(moved(mesh.nodes[at(n)], shift));
    require(false, cannot + a.alone(a.nodes.size() - image.size(), n, distance));
  }
  for (auto const& [from, to] : a.edges) {
    int const p = image.at(from), q = image.at(to);
    bool const matched = b.edges.count({std::min(p, q), std::max(p, q)}) == 1 && a.edges.size() == b.edges.size();
    if (matched) continue;
    require(false, cannot + "their nodes match, their edges (" + std::to_string(a.edges.size()) + " and " +
                       std::to_string(b.edges.size()) + ") do not, as at node " + std::to_string(p));
  }
  return result;
}

std::vector<int> periodic_groups(MeshData const& mesh, std::vector<std::array<int, 2>> const& label_pairs,
                                 PeriodicOptions const& options) {
  std::vector<int> lowest(mesh.nodes.size());
  std::iota(lowest.begin(), lowest.end(), 0);
  // Every node refers to one of a lower number, the lowest of a group to itself.
  auto const root = [&](int n) {
    while (lowest[at(n)] != n) {
      lowest[at(n)] = lowest[at(lowest[at(n)])];
      n = lowest[at(n)];
    }
    return n;
  };
  for (auto const& [label_a, label_b] : label_pairs) {
    for (auto const& [node, partner] : periodic_pairs(mesh, label_a, label_b, {}, options).pairs) {
      int const p = root(node), q = root(partner);
      lowest[at(std::max(p, q))] = std::min(p, q);
    }
  }
  for (int& n : lowest) n = root(n);
  return lowest;
}

std::vector<float> group_shares(std::vector<int> const& group) {
  std::vector<int> members(group.size(), 0);
  for (int const first : group) ++members[at(first)];
  std::vector<float> shares;
  for (int const first : group) shares.push_back(1.0F / static_cast<float>(members[at(first)]));
  return shares;
}

}  // namespace karman
