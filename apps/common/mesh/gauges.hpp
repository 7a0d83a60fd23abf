// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Points of a case at which a run records values.
#pragma once

#include "point_finder.hpp"
#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

struct Gauge {
  std::string name;
  double x = 0, y = 0;  ///< m
  PointInMesh place;
};

/// ", which lies in (0, 0) to (4, 1)": extent of the mesh, for messages.
std::string extent_of(PointFinder const& finder);

/// Members of `/gauges`. Adds a problem for every repeated name and every point outside the mesh.
std::vector<Gauge> read_gauges(Case const& input, PointFinder const& finder, std::vector<CaseProblem>& problems);

}  // namespace karman::app
