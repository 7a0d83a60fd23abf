// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels for the rate of every node: that of each triangle, the largest around each node, the boundary and periodic
/// groups. No atomics: any order of a maximum gives the same bits.
#pragma once

#include "plan.hpp"
#include "triangles.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>

namespace karman::detail {

/// rates[t] = rate of triangle t. The compiler drops all integrals: nothing reads them.
template <class Exec, class T, bool with_stabilization>
struct TriangleRates {
  EulerSource<T> from;
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  T* rates;

  KOKKOS_FUNCTION void operator()(int t) const {
    int const node[3] = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    T sum[4][3];
    rates[t] = valid_rate(euler_triangle<with_stabilization>(
        from.numbers(), read_triangle<with_stabilization, false>(points, from, node), sum));
  }
};

/// Largest rate of the triangles around each node.
template <class Exec, class T>
struct LargestAround {
  EulerCorners<Exec> around;
  T const* triangle_rates;
  T* rates;

  KOKKOS_FUNCTION void operator()(int node) const {
    T largest = 0;
    for (int n = around.begin(node); n < around.begin(node + 1); ++n) {
      T const found = triangle_rates[around.corners(n) / 3];
      largest = found > largest ? found : largest;
    }
    rates[node] = largest;
  }
};

/// Speed of the fastest wave through the open half edges of a node, times their length. Walls let nothing through.
template <class T>
KOKKOS_FUNCTION T boundary_wave(EulerHalfEdge<T> const* half_edges, EulerSide<T> const* sides, T gamma, T const (&u)[4],
                                int begin, int end) {
  namespace math = karman::compat::math;
  T length = 0;
  for (int n = begin; n < end; ++n) {
    EulerHalfEdge<T> const edge = half_edges[n];
    bool const wall = sides[edge.condition].kind == EulerBoundaryKind::wall;
    length += wall ? T(0) : math::sqrt(edge.nx * edge.nx + edge.ny * edge.ny);
  }
  if (!(length > 0)) return 0;
  T const vx = u[1] / u[0], vy = u[2] / u[0], square = vx * vx + vy * vy;
  T const c2 = gamma * (gamma - 1) * (u[3] / u[0] - T(0.5) * square);
  return (math::sqrt(square) + math::sqrt(c2)) * length;
}

/// Rates of the rows: the largest of a group, and the rate of the fluxes through the boundary.
template <class Exec, class T>
struct FinishRates {
  EulerRows<Exec, T> rows;
  EulerArray<Exec, EulerSide<T>> sides;
  T gamma;
  T const *u, *inverse_mass;
  std::int64_t nodes;
  T* rates;

  KOKKOS_FUNCTION void operator()(int row) const {
    bool const grouped = rows.node_begin.extent(0) != 0;
    int const first = grouped ? rows.node_begin(row) : row, last = grouped ? rows.node_begin(row + 1) : row + 1;
    T largest = 0;
    for (int n = first; n < last; ++n) {
      T const found = rates[grouped ? rows.nodes(n) : n];
      largest = found > largest ? found : largest;
    }
    if (rows.half_edge_begin.extent(0) != 0) {
      int const node = grouped ? rows.nodes(first) : row;
      T state[4];
      for (int c = 0; c < 4; ++c) state[c] = u[c * nodes + node];
      largest += valid_rate(boundary_wave(rows.half_edges.data(), sides.data(), gamma, state, rows.half_edge_begin(row),
                                          rows.half_edge_begin(row + 1)) *
                            inverse_mass[node]);
    }
    for (int n = first; n < last; ++n) rates[grouped ? rows.nodes(n) : n] = largest;
  }
};

}  // namespace karman::detail
