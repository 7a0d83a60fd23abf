// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The shipped harbour of `karman waves`, without Kokkos and without JSON.
#pragma once

#include "waves/case/wave_problem.hpp"

#include <vector>

namespace karman::perf {

struct Harbour {
  waves::WaveProblem problem;
  double period = 0;  ///< s
  std::vector<waves::IncidentWave> incident;
};

/// The shipped case `harbour`: about 40,000 nodes, friction at the bed by Picard iteration. Read once, kept.
Harbour const& shipped_harbour();

}  // namespace karman::perf
