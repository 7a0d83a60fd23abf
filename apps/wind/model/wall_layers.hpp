// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Separated flow and boundary layers behind the sharp edges of roofs and side walls (after Wilson 1979; Pol et al.
/// 2006, Hayati et al. 2017).
///
/// R = B_s^(2/3) B_l^(1/3), with the smaller and the larger of the building's height and effective width. x is the
/// distance from the edge, n the distance from the roof or wall. With the length L_c and the height or width D, both
/// multiples of R:
/// - vortex: n < s = D sqrt(1 - ((L_c/2 - x) / (L_c/2))^2) for x < L_c, where u = -u0 (s - n) / D;
/// - boundary layer: n < delta = D sqrt(x / (L_c/2)), where u = u_delta ln((n + z0) / z0) / ln((delta + z0) / z0).
#pragma once

#include "common/fields/host_device.hpp"

#include <cmath>

namespace karman::wind {

/// Outline s of the vortex at the distance x from the edge.
KARMAN_HOST_DEVICE inline double separation_height(double x, double length, double height) {
  double const a = 1 - x / (0.5 * length);
  double const square = 1 - a * a;
  return square > 0 ? height * std::sqrt(square) : 0.0;
}

/// Height delta of the boundary layer at the distance x from the edge.
KARMAN_HOST_DEVICE inline double layer_height(double x, double length, double height) {
  return x > 0 ? height * std::sqrt(x / (0.5 * length)) : 0.0;
}

/// ln((n + z0) / z0) / ln((delta + z0) / z0): 0 at the wall, 1 at the edge of the layer.
KARMAN_HOST_DEVICE inline double layer_factor(double n, double delta, double roughness) {
  return std::log1p(n / roughness) / std::log1p(delta / roughness);
}

/// A side wall behind an edge, in wind-aligned coordinates from the domain's corner.
struct SideWall {
  double x = 0, y = 0;                  ///< the upwind edge
  double tangent_x = 1, tangent_y = 0;  ///< along the wall, with the wind
  double normal_x = 0, normal_y = 1;    ///< out of the building
  double length = 0;                    ///< of the wall
  double vortex_length = 0, vortex_width = 0;

  /// Factor of the undisturbed wind at a point; 1 outside of the zone.
  KARMAN_HOST_DEVICE double factor(double wx, double wy, double roughness) const {
    double const along = (wx - x) * tangent_x + (wy - y) * tangent_y;
    double const away = (wx - x) * normal_x + (wy - y) * normal_y;
    if (!(along > 0) || away < 0) return 1;
    double const separation = along < vortex_length ? separation_height(along, vortex_length, vortex_width) : 0.0;
    if (away < separation) return -(separation - away) / vortex_width;
    double const layer = along <= length ? layer_height(along, vortex_length, vortex_width) : 0.0;
    return away < layer ? layer_factor(away, layer, roughness) : 1;
  }
};

}  // namespace karman::wind
