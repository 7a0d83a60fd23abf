// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of fast_poisson.hpp. Standard library only.
#pragma once

#include <karman/solvers/transforms/fft_options.hpp>

namespace karman {

/// Options of a FastPoisson plan.
struct FastPoissonSetup {
  /// Planning of the transforms.
  FftPlanning planning = FftPlanning::estimate;
};

/// Per-solve options of FastPoisson.
struct FastPoissonOptions {
  /// Measures the residual of the solution, at the price of one more pass over both fields and a fence. Not possible
  /// where x is rhs.
  bool check = true;
};

}  // namespace karman
