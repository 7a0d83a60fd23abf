// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assembly_problem.hpp"
#include "mesh/hilbert.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

namespace karman::perf {

namespace {

/// Hash of a number (a finaliser in the manner of MurmurHash3).
std::uint32_t mixed(std::uint32_t bits) {
  bits = (bits ^ (bits >> 16)) * 0x85ebca6bU;
  bits = (bits ^ (bits >> 13)) * 0xc2b2ae35U;
  return bits ^ (bits >> 16);
}

/// In [-0.2, 0.2], with equal values on every machine.
double shift(int node, std::uint32_t which) {
  return 0.4 * (double(mixed(2 * std::uint32_t(node) + which) >> 8) / double(1 << 24) - 0.5);
}

MeshData cells(int n) {
  MeshData mesh;
  int const side = n + 1;
  mesh.nodes.reserve(std::size_t(side) * std::size_t(side));
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      int const node = j * side + i;
      double const dx = i > 0 && i < n ? shift(node, 0) : 0, dy = j > 0 && j < n ? shift(node, 1) : 0;
      mesh.nodes.push_back({(i + dx) / n, (j + dy) / n});
    }
  }
  mesh.triangles.reserve(2 * std::size_t(n) * std::size_t(n));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      int const a = j * side + i, b = a + 1, c = a + side + 1, d = a + side;
      if (mixed(std::uint32_t(a)) % 8 == 0) {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      } else {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      }
    }
  }
  mesh.regions.assign(mesh.triangles.size(), 1);
  return mesh;
}

std::vector<int> random_order(std::size_t n, unsigned seed) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(seed);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Renumbers: node k is the former node nodes[k], triangle k the former triangle triangles[k].
MeshData permuted(MeshData const& mesh, std::vector<int> const& nodes, std::vector<int> const& triangles) {
  MeshData result;
  std::vector<int> place(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    place[std::size_t(nodes[k])] = int(k);
    result.nodes.push_back(mesh.nodes[std::size_t(nodes[k])]);
  }
  for (int t : triangles) {
    auto const& from = mesh.triangles[std::size_t(t)];
    result.triangles.push_back({place[std::size_t(from[0])], place[std::size_t(from[1])], place[std::size_t(from[2])]});
  }
  result.regions = mesh.regions;
  return result;
}

/// 0, 1, ... sorted by their places along the curve through the unit square.
template <class Point>
std::vector<int> along_curve(std::size_t n, Point const& point) {
  auto const square = karman::detail::square_around(0, 1, 0, 1);
  std::vector<std::pair<std::uint32_t, int>> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::array<double, 2> const at = point(i);
    keys[i] = {square.place(at[0], at[1]), int(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = keys[i].second;
  return order;
}

MeshData ordered_along_curve(MeshData const& mesh) {
  auto const nodes = along_curve(mesh.nodes.size(), [&](std::size_t i) { return mesh.nodes[i]; });
  auto const triangles = along_curve(mesh.triangles.size(), [&](std::size_t t) {
    std::array<double, 2> center{0, 0};
    for (int node : mesh.triangles[t]) {
      for (std::size_t k = 0; k < 2; ++k) center[k] += mesh.nodes[std::size_t(node)][k] / 3;
    }
    return center;
  });
  return permuted(mesh, nodes, triangles);
}

}  // namespace

std::shared_ptr<MeshData const> assembly_mesh(int n, Numbering numbering) {
  static std::shared_ptr<MeshData const> last;
  static std::pair<int, Numbering> which{0, Numbering::ordered};
  if (last && which == std::pair{n, numbering}) return last;
  last.reset();
  auto mesh = cells(n);
  if (numbering != Numbering::ordered) {
    mesh = permuted(mesh, random_order(mesh.nodes.size(), 11), random_order(mesh.triangles.size(), 12));
  }
  if (numbering == Numbering::renumbered) mesh = ordered_along_curve(mesh);
  last = std::make_shared<MeshData const>(std::move(mesh));
  which = {n, numbering};
  return last;
}

}  // namespace karman::perf
