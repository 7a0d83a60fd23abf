// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Estimate of an error that a residual hides: one that is constant over planes across an axis.
#pragma once

#include "linear_system.hpp"

namespace karman::poisson {

/// The share of the solution p that is wrong by the same amount over whole planes of cells.
///
/// Such an error e changes only fluxes along the axis of the planes. Where these are weak, as over a length of 1e9
/// beside lengths of 1, a residual of round-off allows any e. For each axis this solves the equations summed over
/// planes, sum (b - A p) = sum (A e), for e constant on each of them: one tridiagonal system, exact up to the round-off
/// of b. Fluxes within a plane cancel, so that the sums leave them out, and with them their round-off.
///
/// \return max |e| / max |p| over the axes; both without their mean where p has a constant to choose. 0 where p or b
///   is 0.
/// \par Cost
/// One pass over the cells, and memory of a line of them.
double plane_error(LinearSystem const& system, CellValues const& p);

}  // namespace karman::poisson
