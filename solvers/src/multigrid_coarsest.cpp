// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/solvers/detail/multigrid_coarsest.hpp>

#include <cstddef>
#include <numeric>

namespace karman::detail {

namespace {

using Row = std::array<double, 8>;
constexpr std::size_t own = 6;
constexpr std::size_t volume = 7;

/// The cell beyond face `face`, or -1 outside.
int neighbour(MultigridCoarsest const& grid, int cell, int face) {
  auto const& n = grid.extents;
  std::array<int, 3> at{cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
  auto const axis = static_cast<std::size_t>(face / 2);
  at[axis] += face % 2 == 0 ? 1 : -1;
  if (at[axis] < 0 || at[axis] >= n[axis]) {
    if (!grid.periodic[axis]) return -1;
    at[axis] = (at[axis] + n[axis]) % n[axis];
  }
  return (at[2] * n[1] + at[1]) * n[0] + at[0];
}

/// Dense square matrices, row by row.
struct Matrix {
  int n;
  std::vector<double> values;
  explicit Matrix(int size) : n(size), values(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0) {}
  double& operator()(int row, int column) { return values[static_cast<std::size_t>(row * n + column)]; }
};

/// Gauss and Jordan, without pivoting: the matrix is positive definite.
Matrix inverse_of(Matrix a) {
  Matrix b(a.n);
  for (int i = 0; i < a.n; ++i) b(i, i) = 1;
  for (int p = 0; p < a.n; ++p) {
    double const scale = 1 / a(p, p);
    for (int j = 0; j < a.n; ++j) {
      a(p, j) *= scale;
      b(p, j) *= scale;
    }
    for (int i = 0; i < a.n; ++i) {
      double const factor = i == p ? 0 : a(i, p);
      if (factor == 0) continue;
      for (int j = 0; j < a.n; ++j) {
        a(i, j) -= factor * a(p, j);
        b(i, j) -= factor * b(p, j);
      }
    }
  }
  return b;
}

/// Which connected set each cell belongs to: the number of one of its cells.
std::vector<int> connected_sets(MultigridCoarsest const& grid) {
  std::vector<int> set(grid.cells.size());
  std::iota(set.begin(), set.end(), 0);
  auto const root = [&](int cell) {
    while (set[static_cast<std::size_t>(cell)] != cell) cell = set[static_cast<std::size_t>(cell)];
    return cell;
  };
  for (int cell = 0; cell < static_cast<int>(set.size()); ++cell) {
    for (int face = 0; face < 6; ++face) {
      int const next = neighbour(grid, cell, face);
      bool const open = grid.cells[static_cast<std::size_t>(cell)][static_cast<std::size_t>(face)] > 0;
      if (next >= 0 && open) set[static_cast<std::size_t>(root(cell))] = root(next);
    }
  }
  for (int cell = 0; cell < static_cast<int>(set.size()); ++cell) set[static_cast<std::size_t>(cell)] = root(cell);
  return set;
}

}  // namespace

std::vector<double> inverse_of(MultigridCoarsest const& grid) {
  int const n = static_cast<int>(grid.cells.size());
  auto const at = [&](int cell) -> Row const& { return grid.cells[static_cast<std::size_t>(cell)]; };
  std::vector<int> const set = connected_sets(grid);
  // What is taken out of each set by given values, beside the sum of its weights.
  std::vector<double> loss(static_cast<std::size_t>(n), 0), weight(loss), volume_of(loss);
  Matrix a(n);
  for (int cell = 0; cell < n; ++cell) {
    Row const& row = at(cell);
    auto const s = static_cast<std::size_t>(set[static_cast<std::size_t>(cell)]);
    double inside = 0;
    for (int face = 0; face < 6; ++face) {
      int const next = neighbour(grid, cell, face);
      double const coefficient = row[static_cast<std::size_t>(face)];
      if (next < 0 || coefficient == 0) continue;
      a(cell, next) -= row[volume] * coefficient;
      inside += coefficient;
    }
    a(cell, cell) += row[own] > 0 ? row[volume] * row[own] : 1;
    loss[s] += row[volume] * (row[own] - inside);
    weight[s] += row[volume] * row[own];
    volume_of[s] += row[volume];
  }
  constexpr double rounding = 1e-10;
  auto const floats = [&](int cell) {
    auto const s = static_cast<std::size_t>(set[static_cast<std::size_t>(cell)]);
    return weight[s] > 0 && loss[s] <= rounding * weight[s];
  };
  // The constant of a floating set gets an eigenvalue of the size of the others.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      auto const s = static_cast<std::size_t>(set[static_cast<std::size_t>(i)]);
      if (set[static_cast<std::size_t>(i)] != set[static_cast<std::size_t>(j)] || !floats(i)) continue;
      a(i, j) += weight[s] * at(i)[volume] * at(j)[volume] / (volume_of[s] * volume_of[s]);
    }
  }
  Matrix b = inverse_of(a);
  // x = -b V rhs, with the means taken out before and after.
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) b(i, j) *= at(i)[own] > 0 && at(j)[own] > 0 ? -at(j)[volume] : 0;
  }
  auto const together = [&](int i, int j) {
    return set[static_cast<std::size_t>(i)] == set[static_cast<std::size_t>(j)] && floats(i);
  };
  for (int side = 0; side < 2; ++side) {
    Matrix const before = b;
    Matrix copy = before;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        auto const s = static_cast<std::size_t>(set[static_cast<std::size_t>(side == 0 ? i : j)]);
        double mean = 0;
        for (int m = 0; m < n; ++m) {
          if (side == 0 && together(i, m)) mean += at(m)[volume] / volume_of[s] * copy(m, j);
          if (side == 1 && together(j, m)) mean += copy(i, m) * at(j)[volume] / volume_of[s];
        }
        b(i, j) -= mean;
      }
    }
  }
  return b.values;
}

}  // namespace karman::detail
