// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solid cells: boxes, random boxes, and the cells they cut off.
#pragma once

#include "linear_system.hpp"

namespace karman::poisson {

/// Sets solid, fluid_cells and cut_off of a system whose grid and sides are set.
void mark_solid_cells(PoissonCase const& poisson_case, LinearSystem& system);

/// Fraction of closed faces among the inner faces of cells with an open face, as in SevenPointShape. Nearly closed
/// faces count.
double blocked_share(LinearSystem const& system);

}  // namespace karman::poisson
