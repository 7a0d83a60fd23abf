// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "building_shapes.hpp"

#include "wind/case/wind/angles.hpp"

#include <cmath>
#include <numbers>

namespace karman::wind {
namespace {

/// Corners at equal angles about the length axis, at `radius` times the semi-axes.
Ring round_outline(int corners, double radius, double length, double width, double rotation) {
  auto const [c, s] = direction_cosines(rotation);
  Ring ring;
  for (int n = 0; n < corners; ++n) {
    auto const [cosine, sine] = direction_cosines(360.0 * (n - 0.5) / corners);
    double const along = 0.5 * length * (radius * cosine);
    double const across = 0.5 * width * (radius * sine);
    ring.push_back({along * c - across * s, along * s + across * c});
  }
  return ring;
}

}  // namespace

Ring ellipse_outline(double length, double width, double rotation) {
  // A regular polygon of n corners at the radius r has the area n r^2 sin(2 pi / n) / 2.
  constexpr double angle = 2 * std::numbers::pi / ellipse_corners;
  return round_outline(ellipse_corners, std::sqrt(angle / std::sin(angle)), length, width, rotation);
}

Ring regular_outline(int sides, double length, double width, double rotation) {
  return round_outline(sides, 1 / direction_cosines(180.0 / sides)[0], length, width, rotation);
}

}  // namespace karman::wind
