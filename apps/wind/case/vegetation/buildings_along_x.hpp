// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Search for the building that a plant is in.
#pragma once

#include "plant.hpp"
#include "wind/case/buildings/building.hpp"
#include "wind/case/buildings/inside_building.hpp"

#include <algorithm>
#include <vector>

namespace karman::wind {

/// Solid buildings in the order of their left ends, for a search along x.
class BuildingsAlongX {
 public:
  explicit BuildingsAlongX(std::vector<Building> const& buildings) {
    for (Building const& building : buildings) {
      if (!building.is_solid()) continue;
      sorted_.push_back(&building);
      widest_ = std::max(widest_, 2 * building.half_extents()[0]);
    }
    std::sort(sorted_.begin(), sorted_.end(), [](Building const* a, Building const* b) { return left(*a) < left(*b); });
  }

  /// The first solid building with the middle of the plant inside, in plan and in height.
  Building const* around(Plant const& plant) const {
    auto it = std::lower_bound(sorted_.begin(), sorted_.end(), plant.shape.x - widest_,
                               [](Building const* building, double x) { return left(*building) < x; });
    for (; it != sorted_.end() && left(**it) <= plant.shape.x; ++it) {
      Building const& building = **it;
      if (building.base >= plant.shape.top() || building.top() <= plant.shape.base) continue;
      if (interior_of(building).holds_point(plant.shape.x, plant.shape.y)) return &building;
    }
    return nullptr;
  }

 private:
  static double left(Building const& building) { return building.x - building.half_extents()[0]; }

  std::vector<Building const*> sorted_;
  double widest_ = 0;
};

}  // namespace karman::wind
