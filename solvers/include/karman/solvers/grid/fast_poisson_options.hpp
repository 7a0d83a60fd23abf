// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of fast_poisson.hpp. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/transforms/fft_options.hpp>

namespace karman {

/// Options of a FastPoisson plan.
struct FastPoissonSetup {
  /// Planning of the transforms.
  FftPlanning planning = FftPlanning::estimate;
  /// Processes that hold the parts of the grid, UniformGrid::part() of the whole.
  Communicator communicator = {};
  /// Slabs along z in which values move between processes: messages of a slab pass while others are transformed. The
  /// same number in all processes; no more than layers are made. 0: by the size of the messages. 1: transforms wait for
  /// all messages. With one process without effect.
  int slabs = 0;
};

/// Per-solve options of FastPoisson.
struct FastPoissonOptions {
  /// Measures the residual of the solution, at the price of one more pass over both fields and a fence. Not possible
  /// where x is rhs.
  bool check = true;
};

}  // namespace karman
