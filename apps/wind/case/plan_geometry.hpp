// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Areas and crossings of polygons in plan, by the even-odd rule over all their walls.
#pragma once

#include "footprint.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace karman::wind {

/// Area inside of the walls by the even-odd rule, square metres. Exact up to round-off for walls that do not cross.
/// Cost: O(walls^2) at worst, O(walls) per level of corners that a horizontal line at this level meets.
double even_odd_area(std::span<Wall const> walls);

/// Area common to two polygons with holes, square metres. Ends early where the area exceeds `enough`: the result is
/// then above `enough` but not the whole area. Cost: O(n^2) for n walls in both.
double common_area(std::span<Wall const> first, std::span<Wall const> second, double enough = 1e300);

/// A point where two walls cross, each with ends on both sides of the other. Walls that only touch do not cross. Cost:
/// O(n log n) for walls that are short against the polygon, O(n^2) at worst.
std::optional<Point> find_crossing(std::span<Wall const> walls);

/// The ring without repeated corners: those equal to the corner before, and a last one equal to the first.
Ring without_repeats(Ring ring);

/// The reason why rings are no footprint, to follow the name of the polygon; empty for good ones. Rings are free of
/// repeated corners. Refused: fewer than three corners, no area, walls that cross, holes that are not inside or
/// overlap. `origin` is added to positions in the text.
std::string footprint_fault(Ring const& outer, std::vector<Ring> const& holes, Point const& origin);

}  // namespace karman::wind
