// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of one thread on a short row of numbers.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Lets the value at `root` sink in a heap of n values, the greatest on top.
KOKKOS_INLINE_FUNCTION void sink(int* values, int n, int root) {
  int const value = values[root];
  // root < n / 2: it has a child, and 2 root + 1 does not overflow
  while (root < n / 2) {
    int child = 2 * root + 1;
    if (child + 1 < n && values[child + 1] > values[child]) ++child;
    if (values[child] <= value) break;
    values[root] = values[child];
    root = child;
  }
  values[root] = value;
}

/// Sorts n values, ascending. Insertion is the fastest for short rows, as of most meshes. But the number of triangles
/// around a node is unbounded, and a heap limits a long row to n log n steps.
KOKKOS_INLINE_FUNCTION void sort_ascending(int* values, int n) {
  constexpr int long_row = 32;
  if (n <= long_row) {
    for (int i = 1; i < n; ++i) {
      int const value = values[i];
      int place = i;
      for (; place > 0 && values[place - 1] > value; --place) values[place] = values[place - 1];
      values[place] = value;
    }
    return;
  }
  for (int root = n / 2 - 1; root >= 0; --root) sink(values, n, root);
  for (int last = n - 1; last > 0; --last) {
    int const greatest = values[0];
    values[0] = values[last];
    values[last] = greatest;
    sink(values, last, 0);
  }
}

/// Moves one of each of n ascending values to the front; returns their number.
KOKKOS_INLINE_FUNCTION int keep_distinct(int* values, int n) {
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    if (kept == 0 || values[kept - 1] != values[i]) values[kept++] = values[i];
  }
  return kept;
}

/// First place among n ascending values whose value is at least `value`; n if there is none.
KOKKOS_INLINE_FUNCTION int lower_place(int const* values, int n, int value) {
  int first = 0;
  while (n > 0) {
    int const half = n / 2;
    if (values[first + half] < value) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

}  // namespace karman::detail
