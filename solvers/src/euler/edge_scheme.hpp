// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Residuals of the finite-volume scheme. In a translation unit of its own, as motion.hpp.
#pragma once

#include "plan.hpp"

namespace karman::detail {

/// Fluxes of all edges, and their sums: stored by `to`, or the partial sum of the node's row. `rate`: null, or out: the
/// largest rate of a node. Asynchronous.
template <class Exec, class T>
void add_edges(Exec const& space, EulerPlan<Exec, T> const& plan, EulerSource<T> const& from, EulerTarget<T> const& to,
               double* rate);

/// Rate of each node by its edges, from the states of the nodes. Other nodes of a group than its lowest have 0.
/// Asynchronous.
template <class Exec, class T>
void edge_rates(Exec const& space, EulerPlan<Exec, T> const& plan, EulerSource<T> const& from, T* rates);

}  // namespace karman::detail
