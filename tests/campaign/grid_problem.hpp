// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A random problem on a grid: A x = rhs of RedBlackSor and SevenPoint, as plain numbers.
#pragma once

#include <karman/core/box_decomposition.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace karman::campaign {

struct GridProblem {
  std::uint64_t seed = 0;
  bool single = false;  ///< solved in float; every number is one of float's
  std::array<int, 3> cells{1, 1, 1};
  std::array<double, 2> spacing{1, 1};
  std::vector<double> layers;
  std::array<double, 3> weights{1, 1, 1};
  Boundaries sides;
  std::vector<std::uint8_t> solid;
  double solid_share = 0;
  /// Orders of magnitude over which the open faces vary. 0: all are open, so that wall codes can hold them.
  double decades = 0;
  std::array<std::vector<double>, 6> face;         ///< in the order of Side, the sides' included
  std::array<std::vector<double>, 6> side_values;  ///< empty where zero
  std::vector<double> rhs, guess;
  char const* rhs_kind = "";
  double tolerance = 1e-8;

  std::size_t size() const { return solid.size(); }
  std::size_t index(int k, int j, int i) const {
    return (std::size_t(k) * std::size_t(cells[1]) + std::size_t(j)) * std::size_t(cells[0]) + std::size_t(i);
  }
  UniformGrid grid() const { return UniformGrid::with_layers({cells[0], cells[1]}, spacing, layers); }
  bool has_walls() const { return solid_share > 0; }
  bool uniform_layers() const;
  /// Axes of more than one cell, or of one with a value on a side.
  int dimensions() const;
  bool present(int axis) const;
  /// Largest by smallest weight of an open inner face of the present axes.
  double anisotropy() const;
};

GridProblem random_grid_problem(std::uint64_t seed);

/// A random part of the grid for each process, some of them empty. Parts begin at multiples of `multiple` cells. 2, for
/// colours: nothing cuts a periodic axis with an odd number of cells; empty where only such cuts are possible.
std::optional<BoxDecomposition> random_parts(GridProblem const& problem, int processes, int multiple);

/// One-line description.
std::string describe(GridProblem const& problem);

}  // namespace karman::campaign
