// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Outlines of the shapes that a case names, about their own centre.
#pragma once

#include "footprint.hpp"

namespace karman::wind {

/// Corners of the polygon that replaces an ellipse.
inline constexpr int ellipse_corners = 64;

/// Polygon that replaces an ellipse of the axes `length` and `width`, turned by `rotation` degrees counter-clockwise.
/// It has ellipse_corners corners and the area of the ellipse, pi length width / 4. Its corners lie outside of the
/// ellipse by 8.0e-4 of the semi-axes, the middles of its walls inside by 4.0e-4.
Ring ellipse_outline(double length, double width, double rotation);

/// Regular polygon around the unit circle, scaled to the axes `length` and `width`, then turned by `rotation` degrees.
/// The first wall meets the positive length axis. Four sides: the rectangle of `length` and `width`. Precondition:
/// sides >= 3.
Ring regular_outline(int sides, double length, double width, double rotation);

}  // namespace karman::wind
