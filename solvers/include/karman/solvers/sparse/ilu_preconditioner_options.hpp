// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of ilu_preconditioner.hpp. Standard library only.
#pragma once

#include <cstdint>

namespace karman {

/// Set-up of an IluPreconditioner.
struct IluSetup {
  /// k of ILU(k). An entry (i, j) of the matrix has level 0. Fill from the elimination of column p has the level of
  /// (i, p) plus that of (p, j) plus 1, the least over all p. Entries up to level k are kept.
  int fill_level = 0;
  /// Largest size of the work table of Kokkos Kernels in bytes, see IluPreconditioner.
  std::int64_t table_limit = std::int64_t(4) << 30;
};

}  // namespace karman
