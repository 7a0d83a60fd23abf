// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Outlines of maps that cross themselves.
#pragma once

#include "footprint.hpp"

#include <vector>

namespace karman::wind {

/// Loops of an outline that crosses itself. It is divided where two of its walls cross, and where it passes through a
/// corner twice. The largest loop is the first; loops below a millionth of it are dropped. Empty for an outline that
/// has more than 100 crossings, or crosses itself in another way. Cost: O(n log n) for n corners and each crossing.
std::vector<Ring> divided_at_crossings(Ring const& outline);

/// True if all rings have an area, and positions within reach of a map: such rings are no footprint only because they
/// cross.
bool are_plain(Ring const& outer, std::vector<Ring> const& holes);

}  // namespace karman::wind
