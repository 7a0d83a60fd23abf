// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random boxes of a grid, one for each process, the same in all processes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

namespace karman::test {

/// Numbers of parts along x, y, z, whose product is the number of processes.
/// \tparam axes number of axes that may be cut, x first
template <unsigned axes>
std::array<int, 3> random_parts(int processes, std::mt19937& random) {
  static_assert(1 <= axes && axes <= 3);
  std::array<int, 3> parts{1, 1, 1};
  int left = processes;
  for (int divisor = 2; left > 1; ++divisor) {
    for (; left % divisor == 0; left /= divisor) parts[random() % axes] *= divisor;
  }
  return parts;
}

/// Edges of the parts of an axis. They may coincide: processes without cells, and boxes of one cell.
/// \param multiple parts begin at multiples of this number of cells
inline std::vector<int> random_edges(int cells, int parts, std::mt19937& random, int multiple = 1) {
  std::vector<int> edges{0, cells};
  for (int part = 1; part < parts; ++part) {
    edges.push_back(static_cast<int>(random() % static_cast<unsigned>(cells / multiple + 1)) * multiple);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace karman::test
