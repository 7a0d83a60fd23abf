// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lines along which the waves are recorded.
#pragma once

#include "common/mesh/point_finder.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace karman::waves {

/// Equidistant points on a straight line; those on land have no place.
struct Section {
  std::string name;
  std::array<double, 2> from{}, to{};
  std::vector<std::optional<app::PointInMesh>> places;
};

}  // namespace karman::waves
