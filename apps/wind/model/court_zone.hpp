// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flow in the courts of a building, and in the open storeys of a garage.
///
/// Court: x is the distance from its upwind inner wall, S its length on the line of the wind. 2 y_c is its extent
/// across the wind. The cavity of an inner wall, but never longer than the court:
///   d = min(S, L_r sqrt((1 - (y / y_c)^2) (1 - (z / H)^2))),
///   u = -U_H (1 - x / d)^2 sqrt(1 - |y / y_c|) for x < d,  u0 (1 - (d / x)^1.5) for d <= x < 3 d.
#pragma once

#include "common/fields/host_device.hpp"

#include <cmath>

namespace karman::wind {

/// One court of a building, in wind-aligned coordinates.
struct Court {
  double y = 0;                           ///< its middle across the wind, from the domain's corner
  double half_width = 0;                  ///< y_c
  double cavity_length = 0;               ///< L_r
  int first_corner = 0, last_corner = 0;  ///< of its ring in the list of corners
};

/// Wind in an open storey as a factor of the undisturbed wind: the pressure 1.1 rho U^2 / 2 between the two sides
/// drives it against entry, exit and friction,
///   u = U sqrt(1.1 / (1.5 + friction length / (2 height))), at most U.
/// `height`: between floor and ceiling.
KARMAN_HOST_DEVICE inline double storey_factor(double length, double height, double friction) {
  constexpr double pressure = 0.8 + 0.3;  // coefficients of a windward and a lee wall
  constexpr double entry_and_exit = 0.5 + 1.0;
  double const square = pressure / (entry_and_exit + friction * length / (2 * height));
  return square < 1 ? std::sqrt(square) : 1.0;
}

}  // namespace karman::wind
