// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Outlines of maps that cross themselves.
#pragma once

#include "footprint.hpp"

#include <cstddef>
#include <vector>

namespace karman::wind {

constexpr int most_crossings = 100;  ///< of an outline that is divided

/// An outline that crosses itself as loops.
struct DividedOutline {
  std::vector<Ring> loops;  ///< the largest first; those below a millionth of it are dropped
  bool too_many_crossings = false;
};

/// Divides an outline where two of its walls cross, and where it passes through a corner twice. No loops for one with
/// more than `most_crossings`, or that crosses itself in another way. Cost: O(n log n) for n corners and each crossing.
DividedOutline divided_at_crossings(Ring const& outline);

/// Moves the holes that do not fit into an outline to the end: across its walls, outside of it, or over another hole
/// before them. Beyond 1000 holes all others count as such. Precondition: the outline is a footprint without holes.
/// Cost: O(n log n) for n corners and each hole.
/// \return number of holes that fit
std::size_t fitting_holes(Ring const& outline, std::vector<Ring>& holes);

/// True if all rings have an area, and positions within reach of a map: such rings are no footprint only because they
/// cross.
bool are_plain(Ring const& outer, std::vector<Ring> const& holes);

}  // namespace karman::wind
