// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "footprint.hpp"

#include <algorithm>
#include <cmath>

namespace karman::wind {
namespace {

void orient(Ring& ring, bool counter_clockwise) {
  // The first corner stays the first.
  if ((signed_area(ring) > 0) != counter_clockwise) std::reverse(ring.begin() + 1, ring.end());
}

void append_walls(std::vector<Wall>& walls, Ring const& ring) {
  for (std::size_t n = 0; n < ring.size(); ++n) {
    Point const& a = ring[n];
    Point const& b = ring[(n + 1) % ring.size()];
    walls.push_back({a[0], a[1], b[0], b[1]});
  }
}

}  // namespace

double signed_area(Ring const& ring) {
  if (ring.empty()) return 0;
  // Relative to the first corner, so that large coordinates cost no digits.
  auto const [x, y] = ring.front();
  double twice = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    Point const& a = ring[n];
    Point const& b = ring[(n + 1) % ring.size()];
    twice += (a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y);
  }
  return 0.5 * twice;
}

Footprint::Footprint(Ring outer, std::vector<Ring> holes) {
  std::size_t count = outer.size();
  for (Ring const& hole : holes) count += hole.size();
  walls_.reserve(count);
  hole_starts_.reserve(holes.size());
  orient(outer, true);
  append_walls(walls_, outer);
  area_ = signed_area(outer);
  for (Ring& hole : holes) {
    orient(hole, false);
    hole_starts_.push_back(static_cast<std::uint32_t>(walls_.size()));
    append_walls(walls_, hole);
    area_ += signed_area(hole);
  }
  for (Point const& corner : outer) {
    half_extents_[0] = std::max(half_extents_[0], std::abs(corner[0]));
    half_extents_[1] = std::max(half_extents_[1], std::abs(corner[1]));
  }
}

std::vector<Ring> Footprint::holes() const {
  std::vector<Ring> result;
  for (std::size_t n = 1; n <= hole_starts_.size(); ++n) result.push_back(ring(n));
  return result;
}

Ring Footprint::ring(std::size_t n) const {
  std::size_t const first = n == 0 ? 0 : hole_starts_[n - 1];
  std::size_t const end = n < hole_starts_.size() ? hole_starts_[n] : walls_.size();
  Ring result;
  result.reserve(end - first);
  for (std::size_t w = first; w < end; ++w) result.push_back({walls_[w].ax, walls_[w].ay});
  return result;
}

}  // namespace karman::wind
