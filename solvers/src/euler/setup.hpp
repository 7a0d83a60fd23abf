// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Making of the plan. On one thread of the host, from copies of the mesh: once per mesh, a few operations per node.
#pragma once

#include "plan.hpp"
#include <karman/solvers/euler/euler_rhs_options.hpp>

#include <vector>

namespace karman::detail {

/// All of the plan but the conditions. `labels`: out, labels of the boundary, in the order of the table of conditions.
/// Fences `space`.
template <class Exec, class T>
EulerPlan<Exec, T> make_euler_plan(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup,
                                   std::vector<int> const& group, std::vector<EulerLabel>& labels);

}  // namespace karman::detail
