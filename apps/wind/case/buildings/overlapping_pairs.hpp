// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pairs of buildings that overlap.
#pragma once

#include "building.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Pairs of solid buildings that overlap and must not, in the order of the list: the first `limit` of them. Cost:
/// O(n log n) for n buildings, plus overlap() for each pair of boxes that meet.
std::vector<std::array<std::size_t, 2>> overlapping_pairs(std::vector<Building> const& buildings, std::size_t limit);

/// One warning for each file of buildings that may overlap and do: their number. Cost: O(n log n) for n buildings, plus
/// overlap() for each with its neighbors up to the first that overlaps it.
std::vector<std::string> overlap_warnings(std::vector<Building> const& buildings, Case const& input);

}  // namespace karman::wind
