// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The depth of a case at every node.
#pragma once

#include "case_mesh.hpp"

#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Still water with the tide, m, one value per node, positive. Changes to the values of the case (nodes outside the
/// soundings, water made deeper) is added to `remarks`, a sentence each. Throws CaseError (formulas, values that are
/// not finite, dry nodes, soundings elsewhere, wrong numbers of values, content of files) and FileError.
std::vector<double> case_depth(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks);

}  // namespace karman::waves
