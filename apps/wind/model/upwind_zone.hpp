// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flow in front of a face across the wind: Roeckle (1990), MVP (Bagal et al. 2004) and HMVP (Nelson et al. 2008).
///
/// x is the distance from the wall against the wind. y is counted across the wind from the middle of the face, z from
/// the building's underside. W is the width of the face across the wind. L_f = c W / (1 + 0.8 W / H).
///
/// - The zone: x <= L_f sqrt((1 - (y / (W/2))^2) (1 - (z / (0.6 H))^2)).
/// - roeckle: still air in the whole zone.
/// - mvp: still air or a vortex in the inner zone, 0.4 times as long; elsewhere 0.4 times the undisturbed wind.
/// - hmvp: the height 0.6 min(H, W) for the inner zone; the factor falls linearly from 1 at the edge to 0.4.
/// - The vortex, with the component U_n of U_H along the inward normal:
///   u_n = -U_n (0.6 cos(2 pi z / H) - 0.05) 0.6 sin(pi x / (0.4 L_f)), the tangential component undisturbed,
///   w = -U_H (0.1 cos(pi x / (0.4 L_f)) - 0.05); min(H, W) replaces H in hmvp.
#pragma once

#include "common/fields/host_device.hpp"
#include "wind/case/parameterisations.hpp"
#include "zone_state.hpp"

#include <cmath>

namespace karman::wind {

/// Height of an upwind cavity in units of the building's height.
inline constexpr double upwind_cavity_height = 0.6;

/// A face across the wind, in wind-aligned coordinates from the domain's corner.
struct FrontalFace {
  double x = 0, y = 0;                ///< middle of the face
  double slope = 0;                   ///< dx/dy along the face
  double half_width = 0;              ///< half its extent across the wind
  double normal_x = 1, normal_y = 0;  ///< into the building
  double cavity_length = 0;           ///< L_f, 0 for no upwind cavity
  double cavity_height = 0;           ///< of the whole zone
  double inner_height = 0;            ///< of the inner zone
  bool rooftop_vortex = false;        ///< the roof behind it has a vortex

  /// Wind-aligned x of the face on the line y = const.
  KARMAN_HOST_DEVICE double wall(double wy) const { return x + slope * (wy - y); }
};

/// sqrt((1 - a^2) (1 - b^2)), 0 outside of the unit square: the outline of upwind cavities, cavities and wakes.
KARMAN_HOST_DEVICE inline double outline(double a, double b) {
  double const p = 1 - a * a;
  double const q = 1 - b * b;
  return p > 0 && q > 0 ? std::sqrt(p * q) : 0.0;
}

/// Effect of all upwind cavities on one point. Its result does not depend on the order of the faces: the inner zone of
/// the nearest wall counts, else the least factor.
struct UpwindFlow {
  bool inside = false, inner = false;
  double factor = 1;    ///< of the undisturbed wind, outside of inner zones
  double distance = 0;  ///< from the wall of the inner zone
  double along = 0, across = 0, vertical = 0;

  /// Adds the face at a point at the distance `from_wall` within its zone of length `reach`; z above the underside.
  /// `upward`: 1, or -1 for a vortex upside down.
  KARMAN_HOST_DEVICE void add(FrontalFace const& face, UpwindModel model, UpwindInner flow, double roof_speed,
                              double undisturbed, double from_wall, double reach, double wy, double z,
                              double upward = 1) {
    constexpr double inner_length = 0.4;
    constexpr double retardation = 0.4;
    inside = true;
    double const inner_reach =
        model == UpwindModel::roeckle
            ? reach
            : inner_length * face.cavity_length * outline((wy - face.y) / face.half_width, z / face.inner_height);
    if (from_wall <= inner_reach) {
      if (inner && distance <= from_wall) return;
      inner = true;
      distance = from_wall;
      bool const still = model == UpwindModel::roeckle || flow == UpwindInner::still;
      if (still) along = across = vertical = 0;
      else add_vortex(face, roof_speed, undisturbed, from_wall / (inner_length * face.cavity_length), z);
      vertical *= upward;
      return;
    }
    double const here =
        model == UpwindModel::mvp ? retardation : 1 - (1 - retardation) * (reach - from_wall) / (reach - inner_reach);
    if (here < factor) factor = here;
  }

  KARMAN_HOST_DEVICE void apply(PointState& state) const {
    if (!inside) return;
    state.flag = CellFlag::upwind_cavity;
    state.along = inner ? along : factor * state.along;
    state.across = inner ? across : factor * state.across;
    state.vertical = inner ? vertical : factor * state.vertical;
  }

 private:
  KARMAN_HOST_DEVICE void add_vortex(FrontalFace const& face, double roof_speed, double undisturbed, double fraction,
                                     double z) {
    constexpr double pi = 3.14159265358979323846;
    double const vortex_height = face.inner_height / upwind_cavity_height;
    double const into_wall = -roof_speed * face.normal_x * (0.6 * std::cos(2 * pi * z / vortex_height) - 0.05) * 0.6 *
                             std::sin(pi * fraction);
    double const along_wall = -undisturbed * face.normal_y;
    along = into_wall * face.normal_x - along_wall * face.normal_y;
    across = into_wall * face.normal_y + along_wall * face.normal_x;
    vertical = -roof_speed * (0.1 * std::cos(pi * fraction) - 0.05);
  }
};

}  // namespace karman::wind
