// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of sparse_preconditioners.hpp. Standard library only.
#pragma once

namespace karman {

/// Approximate factors of a coloured preconditioner.
enum class ColoredMethod {
  ssor,  ///< symmetric successive over-relaxation, M = omega / (2 - omega) (D / omega + L) D^-1 (D / omega + U)
  ilu    ///< ILU(0), incomplete factors without fill, M = (D + L) D^-1 (D + U), equal to A on its profile
};

/// Set-up of a ColoredPreconditioner.
struct ColoredSetup {
  ColoredMethod method = ColoredMethod::ilu;  ///< factors
  double omega = 1;                           ///< relaxation factor of SSOR, 0 < omega < 2
  int passes = 12;                            ///< passes over all rows that reduce the number of colours
};

/// Set-up of a ShiftedPreconditioner.
struct ShiftedSetup {
  ColoredSetup colored = {};  ///< setup of the coloured preconditioner
  int steps = 1;  ///< steps of the stationary iteration z += M^-1 (r - S z), M the coloured preconditioner of S
};

}  // namespace karman
