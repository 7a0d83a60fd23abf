// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vortex in a street canyon: Roeckle (1990), after Kaplan and Dinar (1996) and Singh et al. (2008).
///
/// S is the distance between the lee wall and the wall downwind on a line of the wind. x is the distance from the lee
/// wall. n is the inward normal of the downwind wall, t the direction along it. U_c is the component along n of the
/// undisturbed wind one cell above the canyon's top. Where S < L_r of the upwind building:
///   u_n = -4 U_c (x / S) (1 - x / S), u_t undisturbed, w = (U_c / 2) (1 - 2 x / S) |1 - 2 x / S|.
#pragma once

#include "common/fields/host_device.hpp"
#include "zone_state.hpp"

#include <cmath>

namespace karman::wind {

/// Two opposing walls of two buildings, in wind-aligned coordinates from the domain's corner. It belongs to the upwind
/// building.
struct StreetCanyon {
  double lee_x = 0, lee_y = 0, lee_slope = 0;                 ///< a point of the lee wall, and its dx/dy
  double downwind_x = 0, downwind_y = 0, downwind_slope = 0;  ///< the same of the wall downwind
  double right = 0, left = 0;                                 ///< range of y where the walls face each other
  double bottom = 0, top = 0;                                 ///< common heights of both walls
  double most_width = 0;                                      ///< L_r of the upwind building
  double least_ratio = 0;                                     ///< least height over width; 0: any
  double normal_x = 1, normal_y = 0;                          ///< into the downwind building
  double reference_speed = 0;                                 ///< undisturbed, one cell above the top
  int downwind_building = 0;                                  ///< index in the plan

  KARMAN_HOST_DEVICE double lee_wall(double wy) const { return lee_x + lee_slope * (wy - lee_y); }
  KARMAN_HOST_DEVICE double downwind_wall(double wy) const { return downwind_x + downwind_slope * (wy - downwind_y); }
  KARMAN_HOST_DEVICE bool holds_line(double wy, double z) const {
    return wy >= right && wy <= left && z >= bottom && z < top;
  }
  KARMAN_HOST_DEVICE bool holds_width(double width) const {
    return width > 0 && width < most_width && top - bottom >= least_ratio * width;
  }

  /// Share of the vortex where the canyon mixes with the air around it: linear from 0 at the top over `mixing` times
  /// the height, and from 0 at both ends over `mixing` times the width. 1 for `mixing` = 0.
  KARMAN_HOST_DEVICE double share(double wy, double z, double width, double mixing) const {
    if (!(mixing > 0)) return 1;
    double const below_top = (top - z) / (mixing * (top - bottom));
    double const from_end = (wy - right < left - wy ? wy - right : left - wy) / (mixing * width);
    double const sides = from_end < 1 ? from_end : 1;
    return below_top < 1 ? below_top * sides : sides;
  }

  /// `fraction` = x / S.
  KARMAN_HOST_DEVICE void apply(double fraction, double undisturbed, PointState& state) const {
    double const cross = reference_speed * normal_x;
    double const across_canyon = -cross * 4 * fraction * (1 - fraction);
    double const along_canyon = -undisturbed * normal_y;
    double const from_middle = 1 - 2 * fraction;
    state.flag = CellFlag::canyon;
    state.along = across_canyon * normal_x - along_canyon * normal_y;
    state.across = across_canyon * normal_y + along_canyon * normal_x;
    state.vertical = 0.5 * cross * from_middle * std::fabs(from_middle);
  }
};

}  // namespace karman::wind
