// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lists of values by row, on the host.
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace karman::detail {

/// A place in a list.
inline std::size_t at(int n) { return static_cast<std::size_t>(n); }

/// Lists by row, from (row, value) pairs: a stable counting sort.
template <class Value>
struct Lists {
  std::vector<int> begin;
  std::vector<Value> values;

  Lists(int rows, std::vector<std::pair<int, Value>> const& pairs) : begin(at(rows) + 1, 0), values(pairs.size()) {
    for (auto const& [row, value] : pairs) ++begin[at(row) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (auto const& [row, value] : pairs) values[at(next[at(row)]++)] = value;
  }
};

}  // namespace karman::detail
