// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Places where a case asks for the velocity, and their samples.
#pragma once

#include "wind/case/terrain/terrain.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/transforms/fft_options.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace karman::wind {

/// A place where the velocity is sampled. Positions in metres from the domain's corner; heights from the ground of the
/// column for points, lines and planes above the ground, else from z = 0.
///
/// Samples, in their order:
/// - point: one, at `from`
/// - vertical: at the layer centres above the x and y of `from`, upward
/// - line: `samples` of them at equal distances, the first at `from`, the last at `to`
/// - plane: at the cell centres of the two other axes, rows and columns in index order (k, j, i)
struct Probe {
  enum class Kind { point, vertical, line, plane };
  Kind kind = Kind::point;
  std::string name;
  std::array<double, 3> from{};
  std::array<double, 3> to{};
  int samples = 101;          ///< line only
  Axis axis = Axis::z;        ///< plane only: its normal
  double position = 0;        ///< plane only: along its normal
  bool above_ground = false;  ///< plane only, horizontal: `position` counts from the ground of each column

  /// Number of rows and columns; a single row for all but planes.
  std::array<int, 2> shape(UniformGrid const& grid) const;
  /// Number of samples.
  std::int64_t count(UniformGrid const& grid) const;
  /// Position of a sample, (x, y, z), z from the domain's lower side.
  std::array<double, 3> sample(UniformGrid const& grid, std::int64_t index, Terrain const& terrain = {}) const;

 private:
  std::array<double, 3> place(UniformGrid const& grid, std::int64_t index) const;
};

/// The samples at a height above the ground of each column.
Probe plane_above_ground(double height);

}  // namespace karman::wind
