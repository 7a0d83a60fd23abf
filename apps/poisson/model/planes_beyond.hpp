// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values of the neighbours of a process, on the host.
#pragma once

#include "linear_system.hpp"

#include <array>

namespace karman::poisson {

/// Values in the cells beyond the cut sides of a part, (k, j) for the sides in x and (k, i) for those in y; empty for
/// the other sides.
using PlanesBeyond = std::array<CellValues, 4>;

/// Exchanges the values along the cut sides with the neighbours. With one process: nothing. Collective.
PlanesBeyond planes_beyond(LinearSystem const& system, CellValues const& values);

}  // namespace karman::poisson
