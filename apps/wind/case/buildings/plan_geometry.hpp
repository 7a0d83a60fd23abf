// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of polygons in plan, and the area that two have in common.
#pragma once

#include "footprint.hpp"
#include "wall_sweep.hpp"

#include <span>
#include <string>
#include <vector>

namespace karman::wind {

/// Area common to two polygons with holes, square metres. Ends early where the area exceeds `enough`: the result is
/// then above `enough` but not the whole area. Cost: O(n log n) for n walls in both, plus O(m) at each height with a
/// corner for m walls there: few for most plans, O(n^2) for combs.
double common_area(std::span<Wall const> first, std::span<Wall const> second, double enough = 1e300);

/// The ring without repeated corners: those equal to the corner before, and a last one equal to the first.
Ring without_repeats(Ring ring);

/// False for less than three corners and for corners on one line.
bool has_area(Ring const& ring);

/// False for a ring with a corner that is NaN or infinite.
bool all_finite(std::vector<Ring> const& rings);

/// The reason why rings are no footprint, to follow the name of the polygon; empty for good ones. Rings are free of
/// repeated corners. Refused: fewer than three corners, no area, walls that cross, holes that are not inside or
/// overlap, positions beyond 1e9 m. `origin` is added to positions in the text. Cost: O(n log n) for n walls, and
/// O(n log n log h) for wrong ones with h holes.
std::string footprint_fault(Ring const& outer, std::vector<Ring> const& holes, Point const& origin);

}  // namespace karman::wind
