// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Laplace's equation on linear triangles over a rectangle, assembled serially: jittered nodes, diagonals in random
/// directions, cells of any shape, a hole, nodes in any order.
#pragma once

#include "sparse_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace karman::test {

struct TriangleCase {
  int across = 40, along = 40;  ///< cells in x and y
  double aspect = 1;            ///< width of a cell by its height
  double jitter = 0.2;          ///< displacement of inner nodes, in cells
  bool given = true;            ///< values are given at x = 0: their nodes have no unknown
  bool hole = false;            ///< the cells of the middle third are absent
  bool shuffled = false;        ///< unknowns in random order
  unsigned seed = 1;

  /// -div grad, natural conditions on all other sides.
  template <class Number>
  HostMatrix<Number> laplacian() const {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    int const width = across + 1, height = along + 1;
    auto const node = [&](int i, int j) { return j * width + i; };
    std::vector<std::array<double, 2>> points(std::size_t(width * height));
    for (int j = 0; j < height; ++j) {
      for (int i = 0; i < width; ++i) {
        bool const inner = i > 0 && j > 0 && i < across && j < along;
        double const dx = inner ? jitter * uniform(engine) : 0, dy = inner ? jitter * uniform(engine) : 0;
        points[std::size_t(node(i, j))] = {i + dx, (j + dy) / aspect};
      }
    }
    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j < along; ++j) {
      for (int i = 0; i < across; ++i) {
        if (hole && 3 * i >= across && 3 * i < 2 * across && 3 * j >= along && 3 * j < 2 * along) continue;
        int const a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
        if (uniform(engine) > 0) {
          triangles.push_back({a, b, c});
          triangles.push_back({a, c, d});
        } else {
          triangles.push_back({a, b, d});
          triangles.push_back({b, c, d});
        }
      }
    }
    auto const unknown = unknowns(triangles, width, engine);
    HostMatrix<Number> matrix(1 + *std::max_element(unknown.begin(), unknown.end()));
    for (auto const& t : triangles) add(matrix, t, points, unknown);
    return matrix;
  }

 private:
  /// Number of each node's unknown, -1 without one.
  std::vector<int> unknowns(std::vector<std::array<int, 3>> const& triangles, int width, std::mt19937& engine) const {
    std::vector<int> unknown(std::size_t(width * (along + 1)), -1);
    for (auto const& t : triangles) {
      for (int const n : t) {
        if (!given || n % width != 0) unknown[std::size_t(n)] = 0;
      }
    }
    std::vector<int> order(std::size_t(std::count(unknown.begin(), unknown.end(), 0)));
    std::iota(order.begin(), order.end(), 0);
    if (shuffled) std::shuffle(order.begin(), order.end(), engine);
    std::size_t next = 0;
    for (int& n : unknown) {
      if (n == 0) n = order[next++];
    }
    return unknown;
  }

  template <class Number>
  static void add(HostMatrix<Number>& matrix, std::array<int, 3> const& t,
                  std::vector<std::array<double, 2>> const& points, std::vector<int> const& unknown) {
    double bx[3], by[3];
    for (std::size_t m = 0; m < 3; ++m) {
      auto const& q = points[std::size_t(t[(m + 1) % 3])];
      auto const& r = points[std::size_t(t[(m + 2) % 3])];
      bx[m] = q[1] - r[1];
      by[m] = r[0] - q[0];
    }
    double const twice_area = std::abs(bx[0] * by[1] - bx[1] * by[0]);
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = 0; q < 3; ++q) {
        int const row = unknown[std::size_t(t[p])], column = unknown[std::size_t(t[q])];
        if (row < 0 || column < 0) continue;
        matrix.rows[std::size_t(row)][column] += Number((bx[p] * bx[q] + by[p] * by[q]) / (2 * twice_area));
      }
    }
  }
};

}  // namespace karman::test
