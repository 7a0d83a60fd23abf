// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rings of corners in plan, and the walls between them.
#pragma once

#include "common/fields/host_device.hpp"

#include <cstdint>

namespace karman::wind {

/// Corner of a ring in plan, metres.
struct Corner {
  double x = 0, y = 0;
};

/// Straight wall from corner a to corner b. The building is on its left, on the outer ring and around holes.
struct Wall {
  double ax = 0, ay = 0, bx = 0, by = 0;
};

/// Rings one after the other, in memory of another owner on the host or on the device.
struct PlanOutline {
  Corner const* corners = nullptr;
  std::uint32_t const* ring_ends = nullptr;  ///< in the corners
  std::uint32_t ring_count = 0;

  KARMAN_HOST_DEVICE bool empty() const { return ring_count == 0; }
  KARMAN_HOST_DEVICE std::uint32_t corner_count() const { return ring_count == 0 ? 0 : ring_ends[ring_count - 1]; }
};

/// The walls of an outline one by one, ring after ring. Precondition: no ring is empty.
///
///     for (OutlineWalls walls(outline); walls.next();) use(walls.wall());
class OutlineWalls {
 public:
  KARMAN_HOST_DEVICE explicit OutlineWalls(PlanOutline const& outline) : outline_(outline) {}

  /// Goes to the next wall; false after the last.
  KARMAN_HOST_DEVICE bool next() {
    if (at_ == end_) {
      if (ring_ == outline_.ring_count) return false;
      first_ = at_;
      end_ = outline_.ring_ends[ring_++];
      move_to(first_);
    }
    wall_.ax = wall_.bx;
    wall_.ay = wall_.by;
    ++at_;
    // The last wall of a ring ends at its first corner.
    move_to(at_ == end_ ? first_ : at_);
    return true;
  }

  KARMAN_HOST_DEVICE Wall const& wall() const { return wall_; }

 private:
  KARMAN_HOST_DEVICE void move_to(std::uint32_t corner) {
    wall_.bx = outline_.corners[corner].x;
    wall_.by = outline_.corners[corner].y;
  }

  PlanOutline outline_;
  std::uint32_t ring_ = 0, first_ = 0, at_ = 0, end_ = 0;
  Wall wall_;
};

}  // namespace karman::wind
