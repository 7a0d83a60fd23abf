// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cells of an XDMF topology: lines, triangles and quadrilaterals.
#pragma once

#include "xdmf_items.hpp"

#include <cstdint>
#include <vector>

namespace karman::detail {

/// Corners of the cells of a topology; 0: another kind, or a topology of several kinds.
int xdmf_corners(pugi::xml_node const& topology);
/// True for a topology of several kinds of cells.
bool is_mixed(pugi::xml_node const& topology);

/// Adds the cells of a topology to the triangles and edges of a mesh. Cells of a single point are passed over.
/// Returns the corners of each cell, in the order of the file. Throws CaseError.
std::vector<std::uint8_t> add_xdmf_cells(XdmfItems& items, pugi::xml_node const& topology, FoundMesh& found);

}  // namespace karman::detail
