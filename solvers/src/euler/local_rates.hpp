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
      largest +=
          boundary_rate(grouped ? rows.nodes(first) : row, rows.half_edge_begin(row), rows.half_edge_begin(row + 1));
    }
    for (int n = first; n < last; ++n) rates[grouped ? rows.nodes(n) : n] = largest;
  }

 private:
  /// The fastest wave through the open half edges of a node, over its mass. Walls let nothing through.
  KOKKOS_FUNCTION T boundary_rate(int node, int begin, int end) const {
    namespace math = karman::compat::math;
    T length = 0;
    for (int n = begin; n < end; ++n) {
      EulerHalfEdge<T> const edge = rows.half_edges(n);
      bool const wall = sides(edge.condition).kind == EulerBoundaryKind::wall;
      length += wall ? T(0) : math::sqrt(edge.nx * edge.nx + edge.ny * edge.ny);
    }
    if (!(length > 0)) return 0;
    T const rho = u[node], vx = u[nodes + node] / rho, vy = u[2 * nodes + node] / rho;
    T const square = vx * vx + vy * vy;
    T const c2 = gamma * (gamma - 1) * (u[3 * nodes + node] / rho - T(0.5) * square);
    return valid_rate((math::sqrt(square) + math::sqrt(c2)) * length * inverse_mass[node]);
  }
};

}  // namespace karman::detail
