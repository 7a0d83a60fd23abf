// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of amg.hpp. Standard library only.
#pragma once

namespace karman {

/// Order of the levels in a cycle of an AmgPreconditioner.
///
/// A level takes a second correction from the next one only where that gains: never from the coarsest level. Nor from
/// one that does not resolve waves, where most rows have sums above a fifth of their norms.
enum class AmgCycle {
  automatic,  ///< second corrections that add at most 0.4 of the work on the finest level. Launches of kernels on
              ///< small levels count as work, so a device takes fewer of them than a host
  v,          ///< one correction from each level
  w           ///< two corrections from each level that gains; for hard coarse problems
};

/// Set-up of an AmgPreconditioner.
struct AmgSetup {
  /// Threshold theta of a strong connection, |a_ij|^2 > theta^2 |a_ii a_jj|, 0 <= theta < 1.
  double strength = 0.08;
  /// True: interpolation T smoothed by one Jacobi step. False: T itself, constant in each aggregate; cheaper cycles,
  /// more of them.
  bool smoothed = true;
  AmgCycle cycle = AmgCycle::automatic;  ///< order of the levels
  /// Steps of the smoother before and after each coarse correction, 1 to 8. 1 is l1-Jacobi; more are Chebyshev's
  /// polynomial of that degree in the l1-scaled matrix. A level of a complex matrix that does not resolve waves has
  /// twice as many, of the polynomial for a complex segment (docs/amg.md).
  int smoothing_steps = 2;
  /// Chebyshev's polynomial damps the part of the spectrum above its largest value divided by this; above 1. Not on
  /// levels that do not resolve waves.
  double damped_range = 8;
  /// A level of at most so many rows is the coarsest, and has a dense inverse. At most 8192; 0: 1024 on a device, 256
  /// on a host.
  int coarsest = 0;
  /// Most levels, 1 to 30. Where they do not suffice, the coarsest level is only smoothed.
  int max_levels = 20;
  /// Rows with more strong connections are interpolated from their own aggregate alone, which keeps coarse rows short.
  int dense_row = 256;
};

}  // namespace karman
