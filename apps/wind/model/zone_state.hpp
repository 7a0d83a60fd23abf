// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Zone and velocity at a point of the initial field.
#pragma once

#include "common/fields/host_device.hpp"

#include <cstdint>

namespace karman::wind {

/// Cell type, as in the output; numbers as in QUIC-URB's family of codes.
enum class CellFlag : std::uint8_t {
  solid = 0,
  air = 1,
  terrain = 2,
  upwind_cavity = 3,
  cavity = 4,
  wake = 5,
  canyon = 6,
  sidewall = 9,
  rooftop = 10,
  vegetation = 11
};

/// A range [first, last) in one of the lists of a plan.
struct ZoneRange {
  int first = 0, last = 0;
};

/// True for cells without air.
KARMAN_HOST_DEVICE inline bool is_solid(std::uint8_t flag) {
  return flag == static_cast<std::uint8_t>(CellFlag::solid) || flag == static_cast<std::uint8_t>(CellFlag::terrain);
}

/// Zone and wind-aligned velocity in m/s: along the heading of the undisturbed wind, across it to its left, upward.
struct PointState {
  CellFlag flag = CellFlag::air;
  double along = 0, across = 0, vertical = 0;
};

}  // namespace karman::wind
