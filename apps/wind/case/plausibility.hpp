// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Warnings about a case that can be run but whose domain or grid changes its results.
#pragma once

#include "wind_case.hpp"

#include <functional>
#include <string>
#include <vector>

namespace karman::wind {

/// Name of a building in messages.
using BuildingName = std::function<std::string(Building const&)>;

/// Least height of the domain, in units of the highest roof. In a lower one the lid changes the flow at that roof by
/// more than 2 % of the wind speed there (measured in docs/wind.md).
inline constexpr double least_lid = 2;
/// The same above the lowest ground, in units of the highest: a hill is wider than a building (measured in
/// docs/wind_terrain.md).
inline constexpr double least_lid_over_hills = 4;
/// Least distance of a building to a side of the domain, in units of the height of its roof. A nearer side changes the
/// flow around it by more than 1 % of the wind speed at the roof (measured in docs/wind_profiles.md).
inline constexpr double least_distance = 3;
/// Least number of layers over the height of a building.
inline constexpr int least_layers = 4;
/// Largest angle in degrees between the wind over a building and the axis of the zones, of several sensors (measured
/// in docs/wind_sensors.md).
inline constexpr double most_turn_from_axis = 10;

/// Warnings about a case without errors, at most one line of each kind. A line names the worst building and the number
/// of others:
/// - maps below the centre of the lowest layer
/// - domain top below `least_lid` times the highest roof, or `least_lid_over_hills` times the highest ground; over a
///   terrain all above the lowest ground
/// - terrain along the sides of the domain that rises by more than the lowest layer
/// - ground above the roof of a building
/// - a building nearer to a side than `least_distance` times its roof
/// - a wake that leaves the domain through a side
/// - fewer than `least_layers` layers over the height of a building
/// - a wind over a building that is more than `most_turn_from_axis` off the axis of the zones
///
/// Cost: O(buildings layers); of several sensors also O(times buildings sensors^2).
std::vector<std::string> plausibility_warnings(WindCase const& wind_case, BuildingName const& name_of);

}  // namespace karman::wind
