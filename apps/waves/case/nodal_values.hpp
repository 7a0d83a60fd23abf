// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Nodal values of a case, in any of its forms.
#pragma once

#include "case_mesh.hpp"

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// One value per node from the member at `pointer`. The member is a number, a formula in x and y, or an object. Kind
/// `regions`: values by region of the mesh. Kind `file`: one value per node or triangle. Values of triangles and
/// regions become means over the triangles around a node, weighted by area. Values of a file belong to the mesh before
/// its refinement and are interpolated linearly. Where values of a file were averaged, a
/// sentence that begins with `what` goes to `remarks`. Throws FileError. Throws CaseError for formulas, unknown and
/// missing regions, and values that are not finite. Also throws it for wrong numbers of values and content of files.
std::vector<double> nodal_values(Case const& input, std::string const& pointer, CaseMesh const& mesh,
                                 std::string const& what, std::vector<std::string>& remarks);

/// True if the case takes values from a file there, in the node order of the mesh file.
bool has_values_of_file(Case const& input, std::string const& pointer);

}  // namespace karman::waves
