// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data of an Euler right-hand side for other plans over the same mesh.
#pragma once

#include "node_order.hpp"
#include "plan.hpp"
#include <karman/solvers/euler/euler_rhs_options.hpp>

#include <vector>

namespace karman::detail {

/// References to the data of an EulerRhs, which must outlive them.
template <class Exec, class T>
struct EulerParts {
  EulerRhsSetup const& setup;
  EulerNodeOrder<Exec> const& order;
  std::vector<EulerLabel> const& labels;  ///< nodes in the numbering of the caller
  EulerPlan<Exec, T> const& plan;         ///< in its own numbering
  bool ready;                             ///< conditions of all labels are set
};

}  // namespace karman::detail
