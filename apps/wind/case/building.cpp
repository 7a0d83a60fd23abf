// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "building.hpp"

#include "angles.hpp"

#include <algorithm>
#include <cmath>

namespace karman::wind {

std::array<std::array<double, 2>, 4> Building::corners() const {
  auto const [c, s] = direction_cosines(rotation);
  double const a = 0.5 * length;
  double const b = 0.5 * width;
  auto const corner = [&](double along, double across) {
    return std::array{x + along * c - across * s, y + along * s + across * c};
  };
  return {corner(-a, -b), corner(a, -b), corner(a, b), corner(-a, b)};
}

std::array<double, 2> Building::half_extents() const {
  auto const [c, s] = direction_cosines(rotation);
  return {0.5 * (length * std::abs(c) + width * std::abs(s)), 0.5 * (length * std::abs(s) + width * std::abs(c))};
}

bool overlap(Building const& a, Building const& b) {
  double const slack = 1e-6 * std::min({a.length, a.width, a.height, b.length, b.width, b.height});
  if (a.top() <= b.base + slack || b.top() <= a.base + slack) return false;
  // Two convex footprints are disjoint exactly when the normal of one of their edges separates them. Positions are
  // relative to the first block, so that large coordinates cost no digits.
  double const apart_x = b.x - a.x;
  double const apart_y = b.y - a.y;
  auto const half_shadow = [](Building const& block, double nx, double ny) {
    auto const [c, s] = direction_cosines(block.rotation);
    return 0.5 * (block.length * std::abs(nx * c + ny * s) + block.width * std::abs(ny * c - nx * s));
  };
  for (Building const* block : {&a, &b}) {
    auto const [c, s] = direction_cosines(block->rotation);
    for (auto const& [nx, ny] : {std::array{c, s}, std::array{-s, c}}) {
      double const distance = std::abs(apart_x * nx + apart_y * ny);
      if (distance >= half_shadow(a, nx, ny) + half_shadow(b, nx, ny) - slack) return false;
    }
  }
  return true;
}

}  // namespace karman::wind
