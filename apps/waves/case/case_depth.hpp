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

/// Still water depth with the tide, m, one positive value per node. Changes of the values (nodes outside the soundings,
/// water made deeper) go to `remarks`, one sentence each. Throws FileError. Throws CaseError for formulas, values that
/// are not finite, dry nodes, and soundings elsewhere. Also throws it for wrong numbers of values and content of files.
std::vector<double> case_depth(Case const& input, CaseMesh const& mesh, std::vector<std::string>& remarks);

}  // namespace karman::waves
