// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_text.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

namespace karman::detail {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string listed(int const* first, int const* last) {
  std::string text;
  for (; first != last; ++first) {
    if (!text.empty()) text += ' ';
    text += std::to_string(*first + std::int64_t{1});
  }
  return text;
}

int line_of(std::vector<int> const& lines, std::size_t i) { return i < lines.size() ? lines[i] : 0; }

/// -1, 0, 1; 0 also where rounding does not let the sign be told.
int turn(std::array<double, 2> const& a, std::array<double, 2> const& b, std::array<double, 2> const& c) {
  double const left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
  double const bound = 4 * std::numeric_limits<double>::epsilon() * (std::abs(left) + std::abs(right));
  return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

void check_coordinates(MeshData const& mesh, MeshText const& text) {
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    auto const [x, y] = mesh.nodes[n];
    if (std::abs(x) < 1e100 && std::abs(y) < 1e100) continue;
    text.fail(0, "node " + std::to_string(n + 1) + " at " + std::to_string(x) + ", " + std::to_string(y),
              "finite coordinates below 1e100");
  }
}

void check_plane(FoundMesh const& found, MeshText const& text, MeshReadOptions const& options) {
  if (options.ignore_z) return;
  auto const other = std::find_if(found.z.begin(), found.z.end(), [&](double z) { return z != found.z.front(); });
  if (other == found.z.end()) return;
  text.fail(0, "z = " + std::to_string(*other) + " of node " + std::to_string(other - found.z.begin() + 1),
            "the same z for all nodes of a plane mesh, " + std::to_string(found.z.front()) + " as for node 1");
}

void check_triangles(FoundMesh& found, MeshText const& text, MeshReadOptions const& options) {
  MeshData& mesh = found.mesh;
  int const nodes = static_cast<int>(mesh.nodes.size());
  if (mesh.triangles.empty()) text.fail(0, "no triangles", "a mesh of triangles");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    auto& t = mesh.triangles[i];
    int const line = line_of(found.triangle_lines, i);
    std::string const name = "triangle " + std::to_string(i + 1);
    for (int const n : t) {
      if (n < 0 || n >= nodes) {
        text.fail(line, name + " with nodes " + listed(t.begin(), t.end()) + " (counted from 1)",
                  "three of the " + std::to_string(nodes) + " nodes");
      }
    }
    int const side = turn(mesh.nodes[at(t[0])], mesh.nodes[at(t[1])], mesh.nodes[at(t[2])]);
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || side == 0) {
      text.fail(line, name + " with nodes " + listed(t.begin(), t.end()) + " (counted from 1)",
                "a triangle with an area");
    }
    if (side > 0) continue;
    if (!options.orient) {
      text.fail(line, name + " with nodes " + listed(t.begin(), t.end()) + " (counted from 1) runs clockwise",
                "anticlockwise triangles, or to be asked to turn them");
    }
    std::swap(t[1], t[2]);
  }
}

/// Turns boundary edges the right way, and leaves out those between two triangles.
void check_edges(FoundMesh& found, MeshText const& text) {
  MeshData& mesh = found.mesh;
  int const nodes = static_cast<int>(mesh.nodes.size());
  struct Sides {
    std::size_t edge = 0;
    int triangles = 0;
    bool turned = false;
  };
  auto const key = [](int a, int b) {
    return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | static_cast<std::uint64_t>(std::max(a, b));
  };
  std::unordered_map<std::uint64_t, Sides> sides;
  std::vector<char> touched(mesh.nodes.size(), 0);
  auto const describe = [&](std::size_t i) {
    auto const& e = mesh.edges[i];
    return "edge " + std::to_string(i + 1) + " with nodes " + listed(e.begin(), e.end()) + " (counted from 1)";
  };
  for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
    auto const [a, b] = mesh.edges[i];
    int const line = line_of(found.edge_lines, i);
    if (a < 0 || b < 0 || a >= nodes || b >= nodes || a == b) {
      text.fail(line, describe(i), "two of the " + std::to_string(nodes) + " nodes");
    }
    if (!sides.emplace(key(a, b), Sides{i, 0, false}).second) text.fail(line, describe(i), "every edge listed once");
    touched[at(a)] = touched[at(b)] = 1;
  }
  for (auto const& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3 && !sides.empty(); ++k) {
      int const a = t[k], b = t[(k + 1) % 3];
      if (touched[at(a)] == 0 || touched[at(b)] == 0) continue;
      auto const side = sides.find(key(a, b));
      if (side == sides.end()) continue;
      ++side->second.triangles;
      side->second.turned = mesh.edges[side->second.edge][0] != a;
    }
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mesh.edges.size(); ++i) {
    auto edge = mesh.edges[i];
    Sides const& found_sides = sides.at(key(edge[0], edge[1]));
    if (found_sides.triangles == 0 || found_sides.triangles > 2) {
      text.fail(line_of(found.edge_lines, i),
                describe(i) + " is the side of " +
                    (found_sides.triangles == 0 ? std::string("no triangle")
                                                : std::to_string(found_sides.triangles) + " triangles"),
                "a side of one triangle");
    }
    if (found_sides.triangles == 2) continue;
    if (found_sides.turned) std::swap(edge[0], edge[1]);
    mesh.edges[kept] = edge;
    mesh.edge_labels[kept++] = mesh.edge_labels[i];
  }
  mesh.edges.resize(kept);
  mesh.edge_labels.resize(kept);
}

void drop_unused(MeshData& mesh) {
  std::vector<int> place(mesh.nodes.size(), -1);
  for (auto const& t : mesh.triangles) {
    for (int const n : t) place[at(n)] = 0;
  }
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
}

void use_entities(std::vector<int>& labels, std::vector<int>& entities) {
  bool const none = std::all_of(labels.begin(), labels.end(), [](int label) { return label == 0; });
  if (none && entities.size() == labels.size()) labels.swap(entities);
}

}  // namespace

MeshData finished(FoundMesh found, MeshText const& text, MeshReadOptions const& options) {
  check_coordinates(found.mesh, text);
  check_plane(found, text, options);
  check_triangles(found, text, options);
  use_entities(found.mesh.regions, found.region_entities);
  use_entities(found.mesh.edge_labels, found.edge_entities);
  check_edges(found, text);
  if (options.drop_unused) drop_unused(found.mesh);
  return std::move(found.mesh);
}

}  // namespace karman::detail
