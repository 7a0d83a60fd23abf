// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plant.hpp"

#include "wind/case/buildings/building_shapes.hpp"
#include "wind/case/wind/angles.hpp"

#include <cmath>

namespace karman::wind {

std::string_view name(PlantKind kind) {
  switch (kind) {
    case PlantKind::canopy: return "canopy";
    case PlantKind::tree: return "tree";
    case PlantKind::windbreak: return "windbreak";
    case PlantKind::rows: return "rows";
  }
  return "unknown";
}

Ring Plant::corners() const {
  if (!ellipse) return shape.corners();
  Ring ring = ellipse_outline(shape.length, shape.width, shape.rotation);
  for (Point& corner : ring) corner = {corner[0] + shape.x, corner[1] + shape.y};
  return ring;
}

std::array<double, 2> Plant::half_extents() const {
  if (!ellipse) return shape.half_extents();
  auto const [c, s] = direction_cosines(shape.rotation);
  return {0.5 * std::hypot(shape.length * c, shape.width * s), 0.5 * std::hypot(shape.length * s, shape.width * c)};
}

Building prism_of(Plant const& plant) {
  if (!plant.ellipse) return plant.shape;
  Building result = prism(plant.corners());
  result.height = plant.shape.height;
  result.base = plant.shape.base;
  result.ground = plant.shape.ground;
  return result;
}

}  // namespace karman::wind
