// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polygons with holes: the plans of buildings.
#pragma once

#include "outline.hpp"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace karman::wind {

/// Position (x, y) in plan, metres.
using Point = std::array<double, 2>;
/// Corners of a closed polygon in order. The last is joined to the first and not repeated.
using Ring = std::vector<Point>;

/// Area of a ring in square metres by the shoelace formula, positive for counter-clockwise corners. Cost: O(corners).
double signed_area(Ring const& ring);

/// Outer ring with holes, relative to the middle of its upright box; empty by default. Immutable: copies share one
/// block of memory with 24 bytes, 16 for each corner and 4 for each hole.
class Footprint {
 public:
  Footprint() = default;
  /// Orients the rings: the outer one counter-clockwise, holes clockwise. Preconditions: at least three corners in each
  /// ring, coordinates finite and relative to the middle of the upright box around `outer`.
  Footprint(Ring outer, std::vector<Ring> holes);
  Footprint(Footprint const& other) noexcept;
  Footprint(Footprint&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Footprint& operator=(Footprint other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Footprint();

  bool empty() const { return block_ == nullptr; }
  /// Corners of the outer ring. Cost: O(corners).
  Ring outer() const { return ring(0); }
  /// Corners of the holes. Cost: O(corners).
  std::vector<Ring> holes() const;
  std::size_t hole_count() const { return empty() ? 0 : outline().ring_count - 1; }
  std::size_t corner_count() const { return outline().corner_count(); }
  /// All rings, the outer one first. This footprint or a copy must outlive the result.
  PlanOutline outline() const;
  /// The walls of all rings, outer ring first. Cost: O(corners).
  std::vector<Wall> walls() const;
  /// Area of the outer ring less the areas of the holes, square metres.
  double area() const;
  /// Half the extents of the upright box, (x, y). Cost: O(corners).
  std::array<double, 2> half_extents() const;

 private:
  struct Block;

  /// The outer ring, or hole n - 1.
  Ring ring(std::size_t n) const;

  Block* block_ = nullptr;
};

}  // namespace karman::wind
