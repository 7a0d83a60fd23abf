// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parameterisations with every zone switched on, and the law next to walls.
#pragma once

#include "wind/case/parameterisations.hpp"

namespace karman::test {

inline wind::Parameterisations all_zones(wind::UpwindModel model = wind::UpwindModel::mvp) {
  wind::Parameterisations all;
  all.upwind_model = model;
  all.high_rise = true;
  all.street_canyon = true;
  all.rooftop = wind::RooftopModel::vortex;
  all.sidewall = true;
  all.wall_law = true;
  return all;
}

}  // namespace karman::test
