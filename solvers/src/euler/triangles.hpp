// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels over single triangles: with atomic additions, colour by colour, and with stored contributions.
#pragma once

#include "plan.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

namespace karman::detail {

/// Rate of a triangle; infinite where its mean state is no gas, so that no step size looks possible.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T valid_rate(T rate) {
  return rate >= 0 ? rate : T(HUGE_VAL);
}

/// Reads a triangle from the nodal fields.
template <bool with_stabilization, bool moving, class Nodes, class T>
KOKKOS_FORCEINLINE_FUNCTION EulerTriangle<T> read_triangle(Nodes const& nodes, EulerSource<T> const& from,
                                                           int const (&node)[3]) {
  EulerTriangle<T> t;
  double const x = nodes(node[0], 0), y = nodes(node[0], 1);
  t.x1 = static_cast<T>(nodes(node[1], 0) - x);
  t.y1 = static_cast<T>(nodes(node[1], 1) - y);
  t.x2 = static_cast<T>(nodes(node[2], 0) - x);
  t.y2 = static_cast<T>(nodes(node[2], 1) - y);
  for (int c = 0; c < 4; ++c) {
    for (int m = 0; m < 3; ++m) {
      t.u[c][m] = from.u[c * from.nodes + node[m]];
    }
    if constexpr (with_stabilization) {
      T const* const g = from.projection + c * from.nodes;
      t.g[c] = g[node[0]] + g[node[1]] + g[node[2]];
    }
  }
  if constexpr (moving) {
    for (int axis = 0; axis < 2; ++axis) {
      for (int m = 0; m < 3; ++m) t.w[axis][m] = from.velocity[axis * from.nodes + node[m]];
    }
  }
  for (int m = 0; m < 3; ++m) t.volume[m] = 1 / t.u[0][m];
  return t;
}

/// Adds to partial sums: atomically, or plainly where the triangles of a launch share no node.
template <class Exec, class T, bool with_stabilization, bool moving, bool atomic>
struct AddTriangles {
  using Table = typename TriangleMesh<Exec>::template Table<int, 3>;
  EulerSource<T> from;
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  Table triangles;
  typename Graph<Exec>::Numbers order;  ///< empty: by number
  int first;                            ///< in the order
  T* partial;

  KOKKOS_FUNCTION void operator()(int n, double& fastest) const {
    int const t = order.extent(0) == 0 ? n : order(first + n);
    int const node[3] = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    T sum[4][3];
    T const rate = valid_rate(euler_triangle<with_stabilization, moving>(
        from.numbers(), read_triangle<with_stabilization, moving>(points, from, node), sum));
    fastest = double(rate) > fastest ? double(rate) : fastest;
    for (int c = 0; c < 4; ++c) {
      for (int m = 0; m < 3; ++m) {
        T* const place = partial + (c * from.nodes + node[m]);
        if constexpr (atomic) Kokkos::atomic_add(place, sum[c][m]);
        else *place += sum[c][m];
      }
    }
  }
};

/// Copies the nodal values to every triangle, so that the next kernel reads them in order. Values of triangle t of n:
/// 4 coordinates, then 12 of u, 12 of the projection, 6 of the velocity, each with stride n.
template <class Exec, class T, bool with_stabilization, bool moving>
struct ExpandTriangles {
  EulerSource<T> from;
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  T* expanded;

  KOKKOS_FUNCTION void operator()(int t) const {
    std::int64_t const n = static_cast<std::int64_t>(triangles.extent(0));
    int const node[3] = {triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    auto const read = read_triangle<with_stabilization, moving>(points, from, node);
    T* to = expanded + t;
    to[0] = read.x1;
    to[n] = read.y1;
    to[2 * n] = read.x2;
    to[3 * n] = read.y2;
    for (int c = 0; c < 4; ++c) {
      for (int m = 0; m < 3; ++m) {
        to[(4 + 3 * c + m) * n] = read.u[c][m];
      }
      if constexpr (with_stabilization) to[(16 + c) * n] = read.g[c];
    }
    if constexpr (moving) {
      for (int axis = 0; axis < 2; ++axis) {
        for (int m = 0; m < 3; ++m) to[((with_stabilization ? 20 : 16) + 3 * axis + m) * n] = read.w[axis][m];
      }
    }
  }
};

/// Replaces the values of u by the contributions.
template <class Exec, class T, bool with_stabilization, bool moving>
struct IntegrateExpanded {
  EulerSource<T> from;
  std::int64_t count;
  T* expanded;

  KOKKOS_FUNCTION void operator()(int t, double& fastest) const {
    T* const at = expanded + t;
    EulerTriangle<T> read{at[0], at[count], at[2 * count], at[3 * count], {}, {}, {}, {}};
    for (int c = 0; c < 4; ++c) {
      for (int m = 0; m < 3; ++m) {
        read.u[c][m] = at[(4 + 3 * c + m) * count];
      }
      if constexpr (with_stabilization) read.g[c] = at[(16 + c) * count];
    }
    if constexpr (moving) {
      for (int axis = 0; axis < 2; ++axis) {
        for (int m = 0; m < 3; ++m) read.w[axis][m] = at[((with_stabilization ? 20 : 16) + 3 * axis + m) * count];
      }
    }
    for (int m = 0; m < 3; ++m) read.volume[m] = 1 / read.u[0][m];
    T sum[4][3];
    T const rate = valid_rate(euler_triangle<with_stabilization, moving>(from.numbers(), read, sum));
    fastest = double(rate) > fastest ? double(rate) : fastest;
    for (int c = 0; c < 4; ++c) {
      for (int m = 0; m < 3; ++m) at[(4 + 3 * c + m) * count] = sum[c][m];
    }
  }
};

/// Sums the contributions around each node into its partial sums.
template <class Exec, class T>
struct CollectExpanded {
  EulerCorners<Exec> around;
  std::int64_t count, nodes;
  T const* expanded;
  T* partial;

  KOKKOS_FUNCTION void operator()(int node) const {
    T sum[4] = {};
    for (int n = around.begin(node); n < around.begin(node + 1); ++n) {
      int const corner = around.corners(n), t = corner / 3, m = corner % 3;
      for (int c = 0; c < 4; ++c) sum[c] += expanded[(4 + 3 * c + m) * count + t];
    }
    for (int c = 0; c < 4; ++c) partial[c * nodes + node] = sum[c];
  }
};

/// Largest of the rates of several launches.
template <class Exec>
struct JoinRates {
  EulerArray<Exec, double> rates;
  int count;
  double* result;

  KOKKOS_FUNCTION void operator()(int) const {
    double largest = 0;
    for (int n = 0; n < count; ++n) largest = rates(n) > largest ? rates(n) : largest;
    *result = largest;
  }
};

}  // namespace karman::detail
