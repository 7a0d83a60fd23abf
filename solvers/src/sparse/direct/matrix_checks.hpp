// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Properties of a matrix on the host that decide on its factorisation.
#pragma once

#include "sparse_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

namespace karman::detail {

/// Calls action(e, f) for each entry e below the diagonal and its mirror image f above. False when an entry has none,
/// or where an action returns false. Columns ascend in each row, so the images of a row's entries come in order.
template <class Number, class Action>
bool all_mirrored(HostRows<Number> const& a, Action const& action) {
  auto const rows = static_cast<std::size_t>(a.n);
  std::vector<int> next(rows);
  for (int row = 0; row < a.n; ++row) {
    int const begin = a.offsets[row], end = a.offsets[row + 1];
    int e = begin;
    for (; e < end && a.columns[e] < row; ++e) {
      int const above = a.columns[e];
      int const image = next[above]++;
      if (image >= a.offsets[above + 1] || a.columns[image] != row || !action(e, image)) return false;
    }
    next[row] = e < end && a.columns[e] == row ? e + 1 : e;
  }
  for (int row = 0; row < a.n; ++row)
    if (next[row] != a.offsets[row + 1]) return false;
  return true;
}

template <class Number>
bool has_symmetric_profile(HostRows<Number> const& a) {
  return all_mirrored(a, [](int, int) { return true; });
}

/// A^T = A up to the rounding of sums, in another order, of terms as large as the entries of both rows.
template <class Number>
bool has_symmetric_values(HostRows<Number> const& a) {
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  std::vector<double> largest(static_cast<std::size_t>(a.n), 0);
  std::vector<int> row_of(a.columns.size());
  for (int row = 0; row < a.n; ++row) {
    for (int e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
      row_of[e] = row;
      largest[row] = std::max(largest[row], std::abs(a.values[e]));
    }
  }
  return all_mirrored(a, [&](int e, int image) {
    double const size = std::min(largest[row_of[e]], largest[row_of[image]]);
    return std::abs(a.values[e] - a.values[image]) <= rounding * size;
  });
}

}  // namespace karman::detail
