// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Exchange of the ring around the cells of a process.
#pragma once

#include "domain_part.hpp"
#include <karman/core/exchange.hpp>

#include <vector>

namespace karman::wind {

/// The exchange that fills the ring, with its corners, of a field of so many layers of the cells of `ringed`. The faces
/// across z are a field with one layer more. Cost: O(processes).
std::vector<BlockNeighbor> ring_of_cells(DomainPart const& part, int layers);
/// The same for the faces across x (axis 0) or y (axis 1). Faces beyond the own cells along
/// that axis are left out: no kernel reads them.
std::vector<BlockNeighbor> ring_of_faces(DomainPart const& part, int axis);

}  // namespace karman::wind
