// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TELEMAC-2D user manual, "The boundary conditions file": kinds of the boundary nodes.
#include "mesh/array_index.hpp"
#include "mesh/mesh_sides.hpp"
#include "mesh_selafin.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace karman::detail {
namespace {

constexpr int solid_wall = 222;

bool is_solid(int code) { return code / 100 == 2; }

/// Sides of one triangle only, in the order of their lower nodes. The domain is on the left from first node to second.
std::vector<std::array<int, 2>> boundary_edges(MeshData const& mesh) {
  std::vector<std::array<int, 2>> edges;
  MeshSides const all = mesh_sides(mesh);
  for_each_edge(all, [&](int lower, std::size_t first, std::size_t last) {
    if (last - first != 1) return;
    MeshSide const& side = all.sides[first];
    edges.push_back(side.forward ? std::array<int, 2>{lower, side.higher} : std::array<int, 2>{side.higher, lower});
  });
  return edges;
}

/// The same among some nodes, whose sides are few. Triangles of a file run in any direction.
std::vector<std::array<int, 2>> boundary_edges_of(MeshData const& mesh, std::vector<int> const& codes) {
  std::vector<std::array<int, 2>> sides;
  for (auto const& nodes : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      int const a = nodes[k], b = nodes[(k + 1) % 3];
      if (codes[at(a)] != 0 && codes[at(b)] != 0) sides.push_back({a, b});
    }
  }
  auto const ends = [](std::array<int, 2> const& side) { return std::minmax(side[0], side[1]); };
  std::sort(sides.begin(), sides.end(), [&](auto const& a, auto const& b) {
    auto const first = ends(a), second = ends(b);
    return std::tie(first.first, first.second) < std::tie(second.first, second.second);
  });
  std::vector<std::array<int, 2>> edges;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    bool const before = i > 0 && ends(sides[i]) == ends(sides[i - 1]);
    bool const after = i + 1 < sides.size() && ends(sides[i]) == ends(sides[i + 1]);
    if (!before && !after) edges.push_back(sides[i]);
  }
  return edges;
}

/// Code of a label of a boundary.
int code_of(int label) { return label >= 100 && label <= 999 ? label : solid_wall; }

}  // namespace

std::vector<std::vector<int>> boundary_rings(MeshData const& mesh) {
  std::multimap<int, int> next;
  for (auto const& edge : boundary_edges(mesh)) next.emplace(edge[0], edge[1]);
  std::vector<std::vector<int>> rings;
  auto const sum = [&](int n) { return mesh.nodes[at(n)][0] + mesh.nodes[at(n)][1]; };
  while (!next.empty()) {
    auto start = next.begin();
    if (rings.empty()) {
      start = std::min_element(next.begin(), next.end(),
                               [&](auto const& a, auto const& b) { return sum(a.first) < sum(b.first); });
    }
    std::vector<int> ring;
    for (auto edge = start; edge != next.end(); edge = next.find(ring.back())) {
      if (ring.empty()) ring.push_back(edge->first);
      int const to = edge->second;
      next.erase(edge);
      if (to == ring.front()) break;
      ring.push_back(to);
    }
    rings.push_back(std::move(ring));
  }
  return rings;
}

std::filesystem::path boundary_file(std::filesystem::path const& path) {
  std::filesystem::path file = path;
  return file.replace_extension(".cli");
}

void read_boundary_file(MeshText& text, FoundMesh& found) {
  auto const nodes = static_cast<std::int64_t>(found.mesh.nodes.size());
  std::vector<int> codes(found.mesh.nodes.size(), 0);
  constexpr int numbers_between = 8;
  while (text.next_line()) {
    int code = 0;
    for (char const* what : {"LIHBOR, the kind of the depth", "LIUBOR, the kind of the velocity along x",
                             "LIVBOR, the kind of the velocity along y"})
      code = 10 * code + static_cast<int>(text.integer(what, 0, 9));
    for (int n = 0; n < numbers_between; ++n) text.real("a value of the boundary, a number");
    auto const node = text.integer("the number of a node", 1, nodes);
    text.integer("the number of a boundary node", 1, most_numbers);
    codes[static_cast<std::size_t>(node - 1)] = code;
  }
  for (auto const& edge : boundary_edges_of(found.mesh, codes)) {
    int const first = codes[at(edge[0])], second = codes[at(edge[1])];
    if (first == 0 || second == 0) continue;
    found.mesh.edges.push_back(edge);
    found.mesh.edge_labels.push_back(is_solid(second) && !is_solid(first) ? second : first);
  }
}

void write_boundary_file(AtomicFile& file, MeshData const& mesh) {
  std::map<std::array<int, 2>, int> code;
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) code[mesh.edges[e]] = code_of(mesh.edge_labels[e]);
  auto const of = [&](int from, int to) {
    auto const found = code.find({from, to});
    return found == code.end() ? solid_wall : found->second;
  };
  TextLine line;
  int number = 0;
  for (auto const& ring : boundary_rings(mesh)) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      int const before = of(ring[i == 0 ? ring.size() - 1 : i - 1], ring[i]);
      int const after = of(ring[i], ring[i + 1 == ring.size() ? 0 : i + 1]);
      // A node between an open and a solid edge is open: an edge is open where both its nodes are.
      int const chosen = is_solid(after) && !is_solid(before) ? before : after;
      line << chosen / 100 << chosen / 10 % 10 << chosen % 10;
      for (int n = 0; n < 4; ++n) line << "0.0";
      line << 2;
      for (int n = 0; n < 3; ++n) line << "0.0";
      (line << ring[i] + 1 << ++number).end(file);
    }
  }
}

}  // namespace karman::detail
