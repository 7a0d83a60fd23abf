// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundary files of TELEMAC, which lie beside a SELAFIN file.
#pragma once

#include "mesh_text.hpp"

#include <array>
#include <filesystem>
#include <vector>

namespace karman::detail {

/// The boundary edges of a mesh as rings of nodes, the domain on their left. The first ring begins at the node with the
/// least x + y and encloses the others. Nodes where boundaries touch are in several rings, or twice in one.
std::vector<std::vector<int>> boundary_rings(MeshData const& mesh);

/// Name of the boundary file: that of the mesh with .cli.
std::filesystem::path boundary_file(std::filesystem::path const& path);
/// Labels the boundary edges between the nodes of a boundary file by its codes: 100 LIHBOR + 10 LIUBOR + LIVBOR. An
/// edge with one solid end (LIHBOR 2) is solid, any other one has the code of its first node.
void read_boundary_file(MeshText& text, FoundMesh& found);
/// Writes the codes of the nodes. Labels from 100 to 999 are codes, all others are 222, a solid wall.
void write_boundary_file(AtomicFile& file, MeshData const& mesh);

}  // namespace karman::detail
