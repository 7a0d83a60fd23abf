// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parameterisations with every zone switched on, and the law next to walls.
#pragma once

#include "wind/case/parameterisations.hpp"
#include "wind/case/vegetation/plant.hpp"

#include <vector>

namespace karman::test {

inline wind::Parameterisations all_zones(wind::UpwindModel model = wind::UpwindModel::mvp) {
  wind::Parameterisations all;
  all.upwind_model = model;
  all.high_rise = true;
  all.street_canyon = true;
  all.rooftop = wind::RooftopModel::vortex;
  all.sidewall = true;
  all.canyon_mixing = 0.25;
  all.intersection = all.courtyard = all.bridge = all.garage = true;
  all.wall_law = true;
  return all;
}

inline wind::Plant a_plant(wind::PlantKind kind, double x, double y, double length, double width, double top,
                           double base = 0) {
  wind::Plant plant;
  plant.kind = kind;
  plant.shape.x = x;
  plant.shape.y = y;
  plant.shape.length = length;
  plant.shape.width = width;
  plant.shape.base = base;
  plant.shape.height = top - base;
  plant.attenuation = 2;
  plant.porosity = 0.3;
  plant.spacing = 2.2;
  plant.row_width = 0.9;
  return plant;
}

/// 11 x 9 m around a court, in the corner of that domain with low x and high y.
inline wind::Building court_block() {
  wind::Building block = wind::prism({{2.2, 30.3}, {13.3, 30.3}, {13.3, 38.9}, {2.2, 38.9}},
                                     {{{4.8, 32.2}, {11.2, 32.2}, {11.2, 36.8}, {4.8, 36.8}}});
  block.height = 7;
  return block;
}

/// A plant of each kind between the blocks of a domain of 48 x 40 m, mirror images of themselves about y = 20.
inline std::vector<wind::Plant> every_plant() {
  using wind::PlantKind;
  std::vector<wind::Plant> plants{
      a_plant(PlantKind::windbreak, 5, 20, 1.5, 21, 5), a_plant(PlantKind::tree, 10, 20, 3, 3, 7, 2),
      a_plant(PlantKind::canopy, 37, 20, 5.2, 9.4, 6), a_plant(PlantKind::rows, 43, 20, 5.2, 17, 3)};
  plants[1].ellipse = true;
  return plants;
}

}  // namespace karman::test
