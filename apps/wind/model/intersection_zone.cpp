// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "intersection_zone.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace karman::wind {
namespace {

constexpr double least_sine = 0.70710678;  // of the angle between the walls

double dot(std::array<double, 2> const& a, std::array<double, 2> const& b) { return a[0] * b[0] + a[1] * b[1]; }

std::array<double, 2> from(std::array<double, 2> const& a, std::array<double, 2> const& b) {
  return {b[0] - a[0], b[1] - a[1]};
}

/// Distance of the middle of the downwind wall from the lee wall.
double width(CanyonWalls const& canyon) {
  WallFace const& far = canyon.downwind;
  std::array<double, 2> const middle{0.5 * (far.start[0] + far.end[0]), 0.5 * (far.start[1] + far.end[1])};
  return dot(from(canyon.lee.start, middle), canyon.lee.normal);
}

/// True if the downwind wall comes to half a width of the corner. `toward`: +1 if the lee wall ends there, else -1.
bool reaches(CanyonWalls const& canyon, std::array<double, 2> const& corner, double toward) {
  double const first = toward * dot(from(corner, canyon.downwind.start), canyon.lee.tangent);
  double const second = toward * dot(from(corner, canyon.downwind.end), canyon.lee.tangent);
  return std::max(first, second) >= -0.5 * width(canyon);
}

}  // namespace

std::vector<Crossing> find_crossings(std::vector<CanyonWalls> const& canyons) {
  std::vector<Crossing> crossings;
  for (CanyonWalls const& one : canyons) {
    for (CanyonWalls const& other : canyons) {
      std::array<double, 2> const corner = one.lee.end;
      std::array<double, 2> const gap = from(corner, other.lee.start);
      if (std::hypot(gap[0], gap[1]) > 1e-9 * one.lee.length) continue;
      double const sine = one.lee.normal[0] * other.lee.normal[1] - one.lee.normal[1] * other.lee.normal[0];
      if (sine < least_sine || !reaches(one, corner, 1) || !reaches(other, corner, -1)) continue;
      Crossing crossing;
      crossing.x = corner[0];
      crossing.y = corner[1];
      crossing.first_normal_x = one.lee.normal[0];
      crossing.first_normal_y = one.lee.normal[1];
      crossing.second_normal_x = other.lee.normal[0];
      crossing.second_normal_y = other.lee.normal[1];
      crossing.first_width = width(one);
      crossing.second_width = width(other);
      crossing.bottom = std::max(one.bottom, other.bottom);
      crossing.top = std::min(one.top, other.top);
      if (crossing.bottom < crossing.top) crossings.push_back(crossing);
    }
  }
  return crossings;
}

}  // namespace karman::wind
