// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of block_preconditioners.hpp. Standard library only.
#pragma once

namespace karman {

/// Order in which sweeps and factors take the block rows.
enum class SweepOrder {
  colors,  ///< by colours: a few kernels, each with many independent rows
  rows     ///< in the numbering of the matrix, by levels of independent rows: more kernels, mostly fewer iterations
};

/// Set-up of a BlockGaussSeidel.
struct BlockGaussSeidelSetup {
  int sweeps = 1;                         ///< symmetric sweeps per application
  double omega = 1;                       ///< relaxation factor, 0 < omega < 2
  SweepOrder order = SweepOrder::colors;  ///< order of the sweeps
  int passes = 12;                        ///< passes over all rows that reduce the number of colours
};

/// Set-up of a BlockIlu.
struct BlockIluSetup {
  SweepOrder order = SweepOrder::colors;  ///< order of the elimination
  int passes = 12;                        ///< passes over all rows that reduce the number of colours
};

}  // namespace karman
