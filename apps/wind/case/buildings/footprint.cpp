// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "footprint.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

Footprint::Footprint(Ring outer, std::vector<Ring> holes) : outer_(std::move(outer)), holes_(std::move(holes)) {
  orient(outer_, true);
  append_walls(walls_, outer_);
  area_ = signed_area(outer_);
  for (Ring& hole : holes_) {
    orient(hole, false);
    append_walls(walls_, hole);
    area_ += signed_area(hole);
  }
  for (Point const& corner : outer_) {
    half_extents_[0] = std::max(half_extents_[0], std::abs(corner[0]));
    half_extents_[1] = std::max(half_extents_[1], std::abs(corner[1]));
  }
}

}  // namespace karman::wind
