// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Report of the solve of a component. No Kokkos.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace karman::waves {

/// One iteration over friction and breaking; a linear problem has one.
struct PicardSample {
  int iteration = 0;  ///< from 1
  /// Largest |change of height| since the previous iteration over the largest height; 1 in the first iteration. Height
  /// of a sea: root mean square over its components. Until the last component is solved, a monitor sees the previous
  /// iteration's change.
  double change = 0;
  int linear_iterations = 0;   ///< of this iteration; 0 with the direct solver
  double linear_residual = 0;  ///< |residual| / |right-hand side|
  double seconds = 0;          ///< since the solve began
  std::size_t component = 0;   ///< number of the sea's component, from 0; 0 of a single wave
};

/// Result of a solve.
struct WaveReport {
  bool converged = false;  ///< the linear systems and the Picard iteration both met their tolerances
  bool stopped = false;    ///< by the monitor
  /// Reason of non-convergence, one sentence; the WaveState has the last iterate. Empty if converged.
  std::string trouble;
  std::string solver;         ///< method and preconditioner used, for the user
  bool fell_back = false;     ///< an iterative method stalled and the direct one continued
  int linear_iterations = 0;  ///< total
  double seconds = 0, assembly_seconds = 0, linear_seconds = 0;
  std::vector<PicardSample> history;
};

}  // namespace karman::waves
