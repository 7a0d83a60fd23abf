// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Matrix and right-hand side of amg_source.hpp in rows, for peers in separate programs.
#pragma once

#include "../amg_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace karman::perf {

/// One row of the matrix by grid numbers: the neighbours lie at most one row and one column of the grid away.
class MatrixRow {
 public:
  MatrixRow(AmgGrid const& grid, int node) : grid_(grid), node_(node) {
    int const side = grid.side(), i = node % side, j = node / side;
    for (int cell_j = std::max(j - 1, 0); cell_j <= std::min(j, grid.cells - 1); ++cell_j) {
      for (int cell_i = std::max(i - 1, 0); cell_i <= std::min(i, grid.cells - 1); ++cell_i) {
        for (int half = 0; half < 2; ++half) add(2 * (cell_j * grid.cells + cell_i) + half);
      }
    }
  }

  /// Numbers of the mesh and values, given values eliminated.
  std::vector<std::pair<int, double>> entries() const {
    std::vector<std::pair<int, double>> result;
    for (int slot = 0; slot < 9; ++slot) {
      int const other = node_ + (slot / 3 - 1) * grid_.side() + slot % 3 - 1;
      bool const own = other == node_;
      if (!used_[std::size_t(slot)] || (!own && (grid_.fixed(node_) || grid_.fixed(other)))) continue;
      result.emplace_back(grid_.node_place(other), values_[std::size_t(slot)]);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  /// Integrals of grad N . grad N_k over a triangle.
  void add(int triangle) {
    int corner[3];
    grid_.corners(triangle, corner);
    auto const at = std::find(corner, corner + 3, node_) - corner;
    if (at == 3) return;
    double x[3], y[3];
    for (int m = 0; m < 3; ++m) grid_.position(corner[m], x[m], y[m]);
    double const twice_area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    auto const edge = [&](long m) {
      return std::pair{x[(m + 2) % 3] - x[(m + 1) % 3], y[(m + 2) % 3] - y[(m + 1) % 3]};
    };
    auto const [own_x, own_y] = edge(at);
    for (int m = 0; m < 3; ++m) {
      auto const [other_x, other_y] = edge(m);
      int const side = grid_.side();
      auto const slot = std::size_t(3 * (corner[m] / side - node_ / side + 1) + corner[m] % side - node_ % side + 1);
      values_[slot] += (own_x * other_x + own_y * other_y) / (2 * twice_area);
      used_[slot] = true;
    }
  }

  AmgGrid const& grid_;
  int node_;
  std::array<double, 9> values_{};
  std::array<bool, 9> used_{};
};

/// Rows `begin` to `end` - 1 in the order of the mesh, columns ascending: entries of row n from row_begins[n - begin].
struct AmgMatrix {
  std::vector<int> row_begins{0}, columns;
  std::vector<double> values, source;

  AmgMatrix(AmgGrid const& grid, int begin, int end) : source(std::size_t(end - begin)) {
    std::vector<int> nodes(source.size());
    for (int node = 0; node < grid.nodes(); ++node) {
      int const place = grid.node_place(node);
      if (place >= begin && place < end) nodes[std::size_t(place - begin)] = node;
    }
    for (std::size_t row = 0; row < nodes.size(); ++row) {
      source[row] = grid.source(nodes[row]);
      for (auto const& [column, value] : MatrixRow(grid, nodes[row]).entries()) {
        columns.push_back(column);
        values.push_back(value);
      }
      row_begins.push_back(int(columns.size()));
    }
  }
  explicit AmgMatrix(AmgGrid const& grid) : AmgMatrix(grid, 0, grid.nodes()) {}

  int rows() const { return int(source.size()); }
  int entries() const { return int(columns.size()); }

  /// |b - A x| / |b|, if all rows are here.
  double relative_residual(std::vector<double> const& x) const {
    double rest = 0, all = 0;
    for (std::size_t row = 0; row < source.size(); ++row) {
      double r = source[row];
      for (auto k = std::size_t(row_begins[row]); k < std::size_t(row_begins[row + 1]); ++k)
        r -= values[k] * x[std::size_t(columns[k])];
      rest += r * r;
      all += source[row] * source[row];
    }
    return std::sqrt(rest / all);
  }
};

}  // namespace karman::perf
