// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Height of the ground.
#pragma once

#include <karman/core/uniform_grid.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace karman::wind {

/// Height of the ground in each column of the domain, metres above z = 0. Empty: flat at z = 0.
class Terrain {
 public:
  Terrain() = default;
  /// `heights`: at the centres of the columns, row by row from the domain's corner. Precondition: one for each column,
  /// all finite and >= 0.
  Terrain(UniformGrid const& grid, std::vector<double> heights);

  bool empty() const { return heights_.empty(); }
  /// Height in column i of row j; 0 without terrain.
  double height(int i, int j) const { return empty() ? 0 : heights_[index(i, j)]; }
  /// Height in the column that contains a position, in metres from the domain's corner. A position outside of the
  /// domain counts for the nearest column.
  double height_at(double x, double y) const;
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  /// Height above the sea, as in the file, of z = 0.
  double level() const { return level_; }
  void set_level(double level) { level_ = level; }
  /// All heights, (ny, nx); none without terrain.
  std::span<double const> heights() const { return heights_; }

 private:
  std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(i);
  }

  std::vector<double> heights_;
  int nx_ = 0, ny_ = 0;
  double dx_ = 1, dy_ = 1;
  double lowest_ = 0, highest_ = 0;
  double level_ = 0;
};

/// Number of layers with their centre below a height: the layers of the ground in a column.
int layers_below(UniformGrid const& grid, double height);

/// Lowers the terrain along the sides of the domain: with s the mean height of the outermost columns and d the distance
/// of a column from them,
///   h = s + (h - s) (1 - cos(pi min(d / halo, 1))) / 2.
/// Every side is then flat at the height s. `heights`: (ny, nx). No change for a halo of 0.
void flatten_sides(UniformGrid const& grid, double halo, std::vector<double>& heights);

}  // namespace karman::wind
