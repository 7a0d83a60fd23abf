// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// State of an unfinished solve, from which another model continues to the same bits. No Kokkos.
#pragma once

#include "wave_report.hpp"

#include <cstddef>
#include <vector>

namespace karman::waves {

/// Values of components from which all other fields follow: one value per node, one component after the other.
struct WaveValues {
  std::vector<double> elevation;  ///< m: real and imaginary part of each node
  /// W, 1/s, of friction; empty where losses follow from the depth alone.
  std::vector<double> friction;
  /// W, 1/s, of breaking, and the share of breaking waves; components of a sea share one set.
  std::vector<double> breaking, share;
  std::vector<double> amplitude;  ///< in the dispersion relation, m; empty without amplitude dispersion
};

/// Position of a Picard iteration: before the system of a component.
struct PicardPosition {
  int iteration = 1;
  std::size_t component = 0;
  double part = 1;       ///< fraction of the last solution's losses that is used
  double tolerance = 0;  ///< of the systems of this iteration
  double change = 1;     ///< of the heights, in the previous iteration
  double loosest = 0;    ///< largest tolerance of a system of this iteration
  double seconds = 0;    ///< since the solve began
};

/// State of a linear solver that affects its next system.
struct LinearMemory {
  bool stalled = false;        ///< the iterative method failed; the direct one continues
  bool refined = false;        ///< the direct method has used factors of another matrix
  std::vector<double> matrix;  ///< the factored one: real and imaginary part of each entry; empty: none
};

/// A Picard iteration between two linear systems.
struct WaveSnapshot {
  WaveValues values;
  std::vector<double> height;  ///< of the previous iteration, m
  std::vector<double> sea,
      sea_before;  ///< LocalSea of this iteration so far and of the previous one; empty without a sea
  PicardPosition position;
  double omega = 0;  ///< of the last solved system, 1/s
  LinearMemory linear;
  std::vector<WaveReport> reports;  ///< of the components
};

}  // namespace karman::waves
