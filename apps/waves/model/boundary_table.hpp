// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundary of a problem in the form for kernels.
#pragma once

#include "mild_slope_kernels.hpp"
#include "waves/case/wave_problem.hpp"

#include <vector>

namespace karman::waves {

/// Stretches of boundary, one per label, and the terms at corners between edges.
struct BoundaryTable {
  /// Requires that problems_of(problem) is empty.
  explicit BoundaryTable(WaveProblem const& problem);

  std::vector<BoundaryTerms> terms;
  std::vector<BoundaryKind> kinds;  ///< of each stretch
  std::vector<EdgePlace> places;    ///< of each boundary edge
  struct Corner {
    int neighbor = -1;  ///< edge that meets this one there; -1: no significant corner
    double sine = 0;    ///< of the angle by which the boundary turns inwards
  };
  std::vector<std::array<Corner, 2>> corners;  ///< at the ends of each edge
};

}  // namespace karman::waves
