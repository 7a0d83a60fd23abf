// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The direct solution on the coarsest level of multigrid, and how unknowns are aggregated.
#include "grid/multigrid/aggregation.hpp"
#include "grid/multigrid/coarsest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace multigrid_coarsest_test {

using namespace karman::detail;

/// A row of n cells of width 1, coupled by 1; couplings `ends` to zero beyond the first and the last.
MultigridCoarsest row_of(int n, double ends) {
  MultigridCoarsest grid{{n, 1, 1}, {}, {}};
  for (int i = 0; i < n; ++i) {
    grid.cells.push_back({i + 1 < n ? 1.0 : 0.0, i > 0 ? 1.0 : ends, 0, 0, 0, 0, 0, 1});
  }
  return grid;
}

double entry(std::vector<double> const& b, int n, int i, int j) { return b[static_cast<std::size_t>(i * n + j)]; }

/// x_i of a row held at one end is the sum over j of (1 / ends + min(i, j)) b_j, however weakly it is held.
TEST(MultigridCoarsest, WeaklyHeldRowsAreSolvedToRounding) {
  int const n = 9;
  for (double const ends : {1.0, 1e-6, 1e-15, 1e-30}) {
    auto const b = inverse_of(row_of(n, ends));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double const expected = -(1 / ends + std::min(i, j));
        EXPECT_NEAR(entry(b, n, i, j), expected, 1e-14 * std::abs(expected)) << ends;
      }
  }
}

TEST(MultigridCoarsest, FloatingSetsHaveThePseudoInverse) {
  int const n = 8;
  // Widths that differ: the volumes weight the means. The couplings are rounded to float, so that rows of the matrix do
  // not sum to zero in double.
  MultigridCoarsest grid{{n, 1, 1}, {}, {}};
  std::vector<double> width;
  for (int i = 0; i < n; ++i) width.push_back(1 + 0.37 * i);
  auto const coupling = [&](int i, int next) {
    double const distance = 0.5 * (width[std::size_t(i)] + width[std::size_t(next)]);
    return static_cast<double>(static_cast<float>(1 / (width[std::size_t(i)] * distance)));
  };
  double volume = 0;
  for (int i = 0; i < n; ++i) {
    grid.cells.push_back(
        {i + 1 < n ? coupling(i, i + 1) : 0.0, i > 0 ? coupling(i, i - 1) : 0.0, 0, 0, 0, 0, 0, width[std::size_t(i)]});
    volume += width[std::size_t(i)];
  }
  auto const b = inverse_of(grid);
  for (int j = 0; j < n; ++j) {
    double mean = 0, of_constant = 0;
    for (int i = 0; i < n; ++i) mean += width[std::size_t(i)] * entry(b, n, i, j);
    for (int i = 0; i < n; ++i) of_constant += entry(b, n, j, i);
    EXPECT_NEAR(mean, 0, 1e-12);
    EXPECT_NEAR(of_constant, 0, 1e-12);
    // A B e_j = e_j less its mean.
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int const next : {i - 1, i + 1}) {
        if (next >= 0 && next < n) sum += coupling(i, next) * (entry(b, n, next, j) - entry(b, n, i, j));
      }
      EXPECT_NEAR(sum, (i == j ? 1 : 0) - width[std::size_t(j)] / volume, 1e-6) << i << ' ' << j;
    }
  }
}

TEST(MultigridCoarsest, CellsThatKeepTheirValueHaveNoRow) {
  MultigridCoarsest grid = row_of(4, 1);
  grid.cells[3] = {0, 0, 0, 0, 0, 0, 0, 1};
  grid.cells[2][0] = 0;
  auto const b = inverse_of(grid);
  for (int m = 0; m < 4; ++m) {
    EXPECT_EQ(entry(b, 4, 3, m), 0);
    EXPECT_EQ(entry(b, 4, m, 3), 0);
  }
  EXPECT_NEAR(entry(b, 4, 2, 2), -3, 1e-14);
}

/// Rows of cells, coupled strongly within and weakly between.
MultigridNetwork rows_of_cells(int length, int rows, double weak, double to_zero) {
  MultigridNetwork net;
  net.between.columns = length * rows;
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < length; ++i) {
      int const n = r * length + i;
      if (i > 0) net.between.add(n - 1, 1);
      if (i + 1 < length) net.between.add(n + 1, 1);
      if (r > 0) net.between.add(n - length, weak);
      if (r + 1 < rows) net.between.add(n + length, weak);
      net.between.end_row();
      net.to_zero.push_back(n == 0 ? to_zero : 0);
    }
  return net;
}

TEST(MultigridAggregation, JoinsAlongStrongCouplings) {
  int const length = 90;
  auto const levels = aggregate(rows_of_cells(length, 8, 1e-4, 1));
  ASSERT_GE(levels.size(), 2u);
  auto const& p = levels[0].prolongation;
  ASSERT_EQ(p.rows(), length * 8);
  std::vector<int> row_of_set(static_cast<std::size_t>(p.columns), -1);
  for (int n = 0; n < p.rows(); ++n) {
    double sum = 0;
    for (int e = p.start[std::size_t(n)]; e < p.start[std::size_t(n) + 1]; ++e) {
      sum += p.value[std::size_t(e)];
      int& row = row_of_set[static_cast<std::size_t>(p.column[std::size_t(e)])];
      if (row < 0) row = n / length;
      EXPECT_EQ(row, n / length) << "a set reaches across a weak coupling";
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_LE(levels.back().network.between.rows(), coarsest_aggregates);
}

TEST(MultigridAggregation, FloatingNetworksFloatOnEveryLevel) {
  for (auto const& level : aggregate(rows_of_cells(60, 20, 0.5, 0))) {
    for (double const value : level.network.to_zero) EXPECT_EQ(value, 0);
    EXPECT_LE(level.radius, 4);
    EXPECT_GE(level.radius, 1);
  }
}

TEST(MultigridAggregation, ProductAndTransposeAreThoseOfMatrices) {
  SparseRows a, b;
  a.columns = 3;
  a.add(0, 2), a.add(2, 1), a.end_row();
  a.end_row();
  b.columns = 2;
  b.add(1, 5), b.end_row();
  b.add(0, 1), b.end_row();
  b.add(0, 3), b.add(1, -10), b.end_row();
  SparseRows const c = product(a, b);
  EXPECT_EQ(c.start, (std::vector<int>{0, 2, 2}));
  EXPECT_EQ(c.column, (std::vector<int>{0, 1}));
  EXPECT_EQ(c.value, (std::vector<double>{3, 0}));
  SparseRows const t = transposed(b);
  EXPECT_EQ(t.columns, 3);
  EXPECT_EQ(t.start, (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(t.column, (std::vector<int>{1, 2, 0, 2}));
  EXPECT_EQ(t.value, (std::vector<double>{1, 3, 5, -10}));
}

}  // namespace multigrid_coarsest_test
