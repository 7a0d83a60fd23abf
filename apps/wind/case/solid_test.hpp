// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Test whether a point is inside a building.
#pragma once

#include "building.hpp"
#include "common/host_device.hpp"

namespace karman::wind {

/// A building in the form for tests in kernels. A cell is solid where its centre is inside, boundary included: walls
/// follow the cells like stairs.
struct SolidTest {
  double x = 0, y = 0;                     ///< centre of the footprint, from the domain's corner
  double cosine = 1, sine = 0;             ///< of the block's rotation
  double half_length = 0, half_width = 0;  ///< with a slack for round-off
  double bottom = 0, top = 0;              ///< above the ground, with the same slack

  KARMAN_HOST_DEVICE bool holds_height(double z) const { return z >= bottom && z <= top; }

  KARMAN_HOST_DEVICE bool holds_point(double px, double py) const {
    double const dx = px - x;
    double const dy = py - y;
    double const along = dx * cosine + dy * sine;
    double const across = dy * cosine - dx * sine;
    return along >= -half_length && along <= half_length && across >= -half_width && across <= half_width;
  }
};

SolidTest solid_test(Building const& building);

}  // namespace karman::wind
