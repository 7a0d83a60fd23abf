// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solid cells: boxes, random boxes, and the cells they cut off.
#pragma once

#include "linear_system.hpp"

namespace karman::poisson {

/// Sets solid, fluid_cells and cut_off of a system whose grid and sides are set.
void mark_solid_cells(PoissonCase const& poisson_case, LinearSystem& system);

}  // namespace karman::poisson
