// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodal values of a case, in any of its forms.
#pragma once

#include <karman/mesh/mesh_data.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// One value per node from the member at `pointer`: a number; a formula in x and y; an object of the kind `regions`,
/// values by region of the mesh, or `file`, one per node or triangle. Values of triangles and regions become means
/// over the triangles around a node, by area; that values of a file were averaged is added to `remarks`, a sentence
/// that begins with `what`. Throws CaseError (formulas, unknown and missing regions, wrong numbers of values, values
/// that are not finite, content of files) and FileError.
std::vector<double> nodal_values(Case const& input, std::string const& pointer, MeshData const& mesh,
                                 std::string const& what, std::vector<std::string>& remarks);

/// Does the case ask for values of a file there, whose order is that of the nodes of the mesh file?
bool has_values_of_file(Case const& input, std::string const& pointer);

}  // namespace karman::waves
