// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that refresh the geometry of a plan whose nodes move.
#pragma once

#include "plan.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Points at half the step, velocities in the type of the fields, masses and their rates of change, per node. Areas are
/// quadratic in time: dt times their rate at half the step is their whole change. M + dt dM/dt is the mass of the next
/// step.
template <class Exec, class T>
struct MoveNodes {
  using Table = typename TriangleMesh<Exec>::template Table<double, 2>;
  Table points;    ///< at the start of the step
  Table velocity;  ///< empty: at rest
  double const* dt;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  EulerGeometry<Exec, T> to;
  EulerArray<Exec, T> inverse_mass;

  KOKKOS_FUNCTION void operator()(int node) const {
    bool const moving = velocity.data() != nullptr;
    double const step = moving ? *dt : 0;
    std::int64_t const nodes = static_cast<std::int64_t>(to.own_points.extent(0));
    for (int axis = 0; axis < 2; ++axis) {
      double const w = moving ? velocity(node, axis) : 0;
      to.own_points(node, axis) = points(node, axis) + 0.5 * step * w;
      to.velocity(axis * nodes + node) = static_cast<T>(w);
    }
    int const row = to.owner.extent(0) != 0 ? to.owner(node) : node;
    double mass = 0, rate = 0;
    for (int n = to.corners.begin(row); n < to.corners.begin(row + 1); ++n) {
      int const t = to.corners.corners(n) / 3;
      int const a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
      double const x1 = points(b, 0) - points(a, 0), y1 = points(b, 1) - points(a, 1);
      double const x2 = points(c, 0) - points(a, 0), y2 = points(c, 1) - points(a, 1);
      mass += x1 * y2 - x2 * y1;
      if (!moving) continue;
      double const u1 = velocity(b, 0) - velocity(a, 0), v1 = velocity(b, 1) - velocity(a, 1);
      double const u2 = velocity(c, 0) - velocity(a, 0), v2 = velocity(c, 1) - velocity(a, 1);
      rate += (u1 * y2 - u2 * y1) + (x1 * v2 - x2 * v1) + step * (u1 * v2 - u2 * v1);
    }
    inverse_mass(node) = mass > 0 ? static_cast<T>(6 / mass) : T(0);
    to.mass_rate(node) = static_cast<T>(rate / 6);
  }
};

/// Outward normals of the half edges, from the points at half the step.
template <class Exec, class T>
struct MoveHalfEdges {
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  EulerRows<Exec, T> rows;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const a = rows.half_edge_ends(n, 0), b = rows.half_edge_ends(n, 1);
    rows.half_edges(n).nx = static_cast<T>(0.5 * (points(b, 1) - points(a, 1)));
    rows.half_edges(n).ny = static_cast<T>(-0.5 * (points(b, 0) - points(a, 0)));
  }
};

}  // namespace karman::detail
