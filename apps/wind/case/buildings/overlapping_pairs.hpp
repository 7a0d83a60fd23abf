// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pairs of buildings that overlap.
#pragma once

#include "building.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Pairs of solid buildings that overlap and for which `wanted` is true, in the order of the list. At most `limit` of
/// them, found by a sweep along x. Cost: O(n log n) for n buildings spread over the domain, plus overlap() for each
/// pair of boxes that meet.
std::vector<std::array<std::size_t, 2>> overlapping_pairs(
    std::vector<Building> const& buildings, std::size_t limit,
    std::function<bool(Building const&, Building const&)> const& wanted);

/// One warning for each file of buildings that may overlap and do: their number. Cost: that of overlapping_pairs().
std::vector<std::string> overlap_warnings(std::vector<Building> const& buildings, Case const& input);

}  // namespace karman::wind
