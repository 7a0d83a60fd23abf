// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Crossing of two streets at a corner of a building with street canyons along both of its lee walls.
///
/// The crossing is the parallelogram outward of both walls, as wide as the two streets. With t_1, t_2 along the streets
/// the undisturbed wind is u0 = a t_1 + b t_2. Each street brings its part into the crossing and there is no wall to
/// turn it: the wind in the crossing is their sum, u0, and the vortices end.
#pragma once

#include "common/fields/host_device.hpp"
#include "wall_faces.hpp"
#include "zone_state.hpp"

#include <vector>

namespace karman::wind {

/// In wind-aligned coordinates from the domain's corner.
struct Crossing {
  double x = 0, y = 0;                              ///< corner of the upwind building
  double first_normal_x = 1, first_normal_y = 0;    ///< out of one wall
  double second_normal_x = 0, second_normal_y = 1;  ///< out of the other
  double first_width = 0, second_width = 0;         ///< of the streets along them
  double bottom = 0, top = 0;                       ///< heights of both canyons

  KARMAN_HOST_DEVICE bool holds(double wx, double wy, double z) const {
    double const first = (wx - x) * first_normal_x + (wy - y) * first_normal_y;
    double const second = (wx - x) * second_normal_x + (wy - y) * second_normal_y;
    return z >= bottom && z < top && first > 0 && first < first_width && second > 0 && second < second_width;
  }

  /// Mixes at the top as a canyon does.
  KARMAN_HOST_DEVICE void apply(double z, double undisturbed, double mixing, PointState& state) const {
    double share = 1;
    if (mixing > 0 && top - z < mixing * (top - bottom)) share = (top - z) / (mixing * (top - bottom));
    state.flag = CellFlag::canyon;
    state.along = share * undisturbed + (1 - share) * state.along;
    state.across = (1 - share) * state.across;
    state.vertical = (1 - share) * state.vertical;
  }
};

/// The two walls of a canyon, and its heights.
struct CanyonWalls {
  WallFace lee, downwind;
  double bottom = 0, top = 0;
};

/// Crossings of a building's canyons: pairs whose lee walls meet at a convex corner of 45 to 135 degrees. Both walls
/// opposite have to reach to half a street's width of the corner. Cost: O(canyons^2).
std::vector<Crossing> find_crossings(std::vector<CanyonWalls> const& canyons);

}  // namespace karman::wind
