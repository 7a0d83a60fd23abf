// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fill_count.hpp"

#include <algorithm>
#include <cstddef>

namespace karman::detail {

std::int64_t count_fill(int n, std::vector<int> const& offsets, std::vector<int> const& columns,
                        std::vector<int> const& order) {
  if (n <= 0) return 0;
  auto const rows = static_cast<std::size_t>(n);
  // The strictly lower triangle of A + A^T in the new order, by rows. An entry in both halves occurs twice.
  std::vector<std::int64_t> begin(rows + 1, 0);
  auto const for_each_entry = [&](auto const& action) {
    for (int row = 0; row < n; ++row) {
      for (int e = offsets[std::size_t(row)]; e < offsets[std::size_t(row) + 1]; ++e) {
        int const here = order[std::size_t(row)], there = order[std::size_t(columns[std::size_t(e)])];
        if (here != there) action(std::size_t(std::max(here, there)), std::min(here, there));
      }
    }
  };
  for_each_entry([&](std::size_t row, int) { ++begin[row + 1]; });
  for (std::size_t row = 0; row < rows; ++row) begin[row + 1] += begin[row];
  std::vector<int> lower(static_cast<std::size_t>(begin[rows]));
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  for_each_entry([&](std::size_t row, int column) { lower[static_cast<std::size_t>(next[row]++)] = column; });

  // Row i of the factor is the part of the elimination tree on the paths from its entries up to i.
  std::vector<int> parent(rows, -1), reached(rows, -1);
  std::int64_t count = n;
  for (int row = 0; row < n; ++row) {
    reached[std::size_t(row)] = row;
    for (std::int64_t e = begin[std::size_t(row)]; e < begin[std::size_t(row) + 1]; ++e) {
      for (int at = lower[static_cast<std::size_t>(e)]; reached[std::size_t(at)] != row; at = parent[std::size_t(at)]) {
        if (parent[std::size_t(at)] < 0) parent[std::size_t(at)] = row;
        reached[std::size_t(at)] = row;
        ++count;
      }
    }
  }
  return count;
}

}  // namespace karman::detail
