// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Refreshes the geometry of a plan whose nodes move. In a translation unit of its own: compilers then inline the large
/// kernels of the residual as they do without it.
#pragma once

#include "plan.hpp"

namespace karman::detail {

/// Nodes in the numbering of the plan.
template <class Exec>
struct NodePaths {
  using Table = typename TriangleMesh<Exec>::template Table<double, 2>;
  Table points;              ///< at the start of the step
  Table velocity = Table();  ///< empty: at rest
  double const* dt = nullptr;
};

/// Edges of all triangles, where the plan stores them, from its points. Asynchronous.
template <class Exec, class T>
void refresh_edges(Exec const& space, EulerPlan<Exec, T> const& plan);

/// Points, velocities, masses and their rates, and normals of the boundary for one step. Asynchronous.
template <class Exec, class T>
void refresh_geometry(Exec const& space, NodePaths<Exec> const& paths, EulerPlan<Exec, T>& plan);

}  // namespace karman::detail
