// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sweep of a line over walls in plan.
#pragma once

#include "footprint.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace karman::wind {

/// A point where two walls cross, each with ends on both sides of the other. Walls that only touch do not cross.
std::optional<Point> crossing(Wall const& p, Wall const& q);

/// A point where two walls cross. A line sweeps over all walls. A balanced tree has those that the line meets, in their
/// order [Shamos and Hoey 1976]. Precondition: ends below 1e100. Cost: O(n log n) for n walls, whatever their
/// order and length.
std::optional<Point> find_crossing(std::span<Wall const> walls);

/// Two walls that cross, as indices.
struct CrossingWalls {
  std::size_t first = 0, second = 0;
  Point at{};
};

/// The walls of find_crossing().
std::optional<CrossingWalls> find_crossing_walls(std::span<Wall const> walls);

/// Area inside of the walls of closed rings by the even-odd rule, square metres. Exact up to round-off for walls that
/// do not cross; they may touch and coincide. Precondition and cost as find_crossing().
double even_odd_area(std::span<Wall const> walls);

}  // namespace karman::wind
