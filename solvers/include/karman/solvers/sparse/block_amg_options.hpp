// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of block_amg.hpp. Standard library only.
#pragma once

#include <karman/solvers/sparse/block_preconditioners_options.hpp>

namespace karman {

/// Set-up of a BlockAmg.
struct BlockAmgSetup {
  int before = 1;  ///< applications of the smoother before the correction from the coarser level, 0 to 8
  int after = 1;   ///< and after it, 1 to 8
  int visits = 1;  ///< corrections from each coarser level: 1, a V-cycle, or 2, a W-cycle
  SweepOrder order = SweepOrder::colors;  ///< of the elimination on each level
  int coarsest = 32;                      ///< a level of at most so many block rows is the coarsest, at least 1
  int max_levels = 20;                    ///< most levels, 1 to 30
};

}  // namespace karman
