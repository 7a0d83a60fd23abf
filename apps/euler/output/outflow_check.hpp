// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundaries that a case calls supersonic, against the flow that was found.
#pragma once

#include "euler/case/flow_problem.hpp"

#include <string>
#include <vector>

namespace karman::euler {

/// One sentence per `outflow` boundary that the flow leaves more slowly than sound, or enters: there waves travel back
/// into the domain that the condition does not know. `mesh`: with its nodes where they are now.
std::vector<std::string> slow_outflows(FlowProblem const& problem, MeshData const& mesh,
                                       std::vector<Conservative> const& states);

}  // namespace karman::euler
