// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundaries of a mesh with their conditions, for the user to check.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace karman::app {

/// Labels of boundaries with edges that coincide in pairs, as between blocks that were never joined.
std::set<int> seam_labels(MeshData const& mesh);

/// "20 edges, the first at (x, y) = (0.95, 0.5)": place of a boundary that has edges.
std::string place_of(MeshData const& mesh, int label);

/// One line per boundary: name, number of edges, length in m, condition by label. Boundaries that the file does not
/// list and edges that coincide are marked. Shortened when there are very many.
std::vector<std::string> boundary_list(MeshData const& mesh, std::map<int, std::string> const& conditions);

}  // namespace karman::app
