// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks of triangles on a host: the nodes of a block as records, and batches of triangles with one triangle per
/// vector lane.
#pragma once

#include "triangles.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace karman::detail {

/// Nodes of a block. The values of a node are adjacent, so that a thread copies four of them at once.
template <class T, bool with_stabilization, bool moving>
struct EulerRecords {
  /// A float holds a coordinate in two parts: blocks may reach far beyond the edges of their smallest triangles.
  static constexpr bool split = sizeof(T) < sizeof(double);
  static constexpr int place_of_projection = 4;
  static constexpr int place_of_x = with_stabilization ? 8 : 4;
  static constexpr int place_of_low = place_of_x + 2;
  static constexpr int place_of_volume = place_of_x + (split ? 4 : 2);
  static constexpr int place_of_velocity = place_of_volume + 1;
  static constexpr int record = (place_of_velocity + (moving ? 2 : 0) + 3) / 4 * 4;
  static constexpr int arrays = record + 4;  ///< values of a node, with its four sums

  T* base;
  int stride;  ///< nodes for which there is room

  static KOKKOS_INLINE_FUNCTION std::size_t bytes(int stride) {
    return std::size_t(arrays) * std::size_t(stride) * sizeof(T);
  }
  KOKKOS_FORCEINLINE_FUNCTION T& value(int place, int l) const { return base[l * record + place]; }
  KOKKOS_FORCEINLINE_FUNCTION T& u(int c, int l) const { return value(c, l); }
  KOKKOS_FORCEINLINE_FUNCTION T& sum(int c, int l) const { return base[record * stride + 4 * l + c]; }
  KOKKOS_FORCEINLINE_FUNCTION T& volume(int l) const { return value(place_of_volume, l); }
  KOKKOS_FORCEINLINE_FUNCTION T& x(int axis, int l) const { return value(place_of_x + axis, l); }
  KOKKOS_FORCEINLINE_FUNCTION T& low(int axis, int l) const { return value(place_of_low + axis, l); }
  KOKKOS_FORCEINLINE_FUNCTION T& projection(int c, int l) const { return value(place_of_projection + c, l); }
  KOKKOS_FORCEINLINE_FUNCTION T& velocity(int axis, int l) const { return value(place_of_velocity + axis, l); }
  /// Keeps the values of a node, and zeros for its sums.
  KOKKOS_FORCEINLINE_FUNCTION void keep(int l, double const (&point)[2], T const (&values)[4], T const (&projected)[4],
                                        T const (&w)[2]) const {
    volume(l) = 1 / values[0];
    for (int axis = 0; axis < 2; ++axis) {
      x(axis, l) = static_cast<T>(point[axis]);
      if constexpr (split) low(axis, l) = static_cast<T>(point[axis] - static_cast<double>(x(axis, l)));
      if constexpr (moving) velocity(axis, l) = w[axis];
    }
    for (int c = 0; c < 4; ++c) {
      u(c, l) = values[c];
      sum(c, l) = 0;
      if constexpr (with_stabilization) projection(c, l) = projected[c];
    }
  }
  /// Coordinate of one node relative to that of another.
  KOKKOS_FORCEINLINE_FUNCTION T edge(int axis, int from, int to) const {
    if constexpr (split) return (x(axis, to) - x(axis, from)) + (low(axis, to) - low(axis, from));
    else return x(axis, to) - x(axis, from);
  }
};

/// A batch of triangles of one colour: their nodes differ, so that the order of additions does not matter. Scalar code
/// copies the values of the nodes to contiguous arrays, four at a time. Then vectors integrate; g++ and clang transpose
/// the fours of all lanes by permutations. Scalar code adds the sums to the nodes. Gather instructions would take
/// longer than the integrals.
template <class T, bool with_stabilization, bool moving>
struct EulerLanes {
  using Records = EulerRecords<T, with_stabilization, moving>;
  static constexpr int width = 64 / static_cast<int>(sizeof(T));  ///< triangles per vector
  static constexpr int most = 64;                                 ///< triangles of a batch

  alignas(64) T u[3][most][4];
  alignas(64) T projected[most][4];  ///< sums over the corners
  alignas(64) T edges[most][4];
  alignas(64) T volume[3][most];
  alignas(64) T velocity[moving ? 6 : 1][most];
  alignas(64) T sums[3][most][4];
  alignas(64) T largest[width];  ///< rates, of all batches so far

  /// Integrals of `count` triangles with these nodes, three each.
  KOKKOS_FORCEINLINE_FUNCTION void add(Records const& nodes, EulerNumbers<T> const& numbers, std::uint16_t const* local,
                                       int count) {
    // The last vector is filled with copies of the last triangle.
    int const filled = (count + width - 1) / width * width;
    for (int l = 0; l < filled; ++l) copy(nodes, local + 3 * (l < count ? l : count - 1), l);
    for (int first = 0; first < filled; first += width) integrate(numbers, first);
    for (int l = 0; l < count; ++l) {
      for (int m = 0; m < 3; ++m) {
        T* const sum = &nodes.sum(0, local[3 * l + m]);
        // All reads before the first write: four additions at once.
        T total[4];
        for (int c = 0; c < 4; ++c) total[c] = sum[c] + sums[m][l][c];
        std::memcpy(sum, total, sizeof total);
      }
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void copy(Records const& nodes, std::uint16_t const* corners, int l) {
    int const a = corners[0], b = corners[1], c = corners[2];
    std::memcpy(u[0][l], &nodes.u(0, a), 4 * sizeof(T));
    std::memcpy(u[1][l], &nodes.u(0, b), 4 * sizeof(T));
    std::memcpy(u[2][l], &nodes.u(0, c), 4 * sizeof(T));
    if constexpr (with_stabilization) {
      T sum[4];
      for (int v = 0; v < 4; ++v) sum[v] = nodes.projection(v, a) + nodes.projection(v, b) + nodes.projection(v, c);
      std::memcpy(projected[l], sum, sizeof sum);
    }
    T const edge[4] = {nodes.edge(0, a, b), nodes.edge(1, a, b), nodes.edge(0, a, c), nodes.edge(1, a, c)};
    std::memcpy(edges[l], edge, sizeof edge);
    volume[0][l] = nodes.volume(a);
    volume[1][l] = nodes.volume(b);
    volume[2][l] = nodes.volume(c);
    if constexpr (moving) {
      for (int axis = 0; axis < 2; ++axis) {
        velocity[3 * axis][l] = nodes.velocity(axis, a);
        velocity[3 * axis + 1][l] = nodes.velocity(axis, b);
        velocity[3 * axis + 2][l] = nodes.velocity(axis, c);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void integrate(EulerNumbers<T> const& numbers, int first) {
    KARMAN_SIMD
    for (int l = 0; l < width; ++l) {
      int const n = first + l;
      EulerTriangle<T> t;
      if constexpr (with_stabilization) {
        for (int c = 0; c < 4; ++c) t.g[c] = projected[n][c];
      }
      t.x1 = edges[n][0];
      t.y1 = edges[n][1];
      t.x2 = edges[n][2];
      t.y2 = edges[n][3];
      for (int m = 0; m < 3; ++m) {
        t.volume[m] = volume[m][n];
        for (int c = 0; c < 4; ++c) {
          t.u[c][m] = u[m][n][c];
        }
        if constexpr (moving) {
          for (int axis = 0; axis < 2; ++axis) t.w[axis][m] = velocity[3 * axis + m][n];
        }
      }
      T sum[4][3];
      T const rate = valid_rate(euler_triangle<with_stabilization, moving>(numbers, t, sum));
      largest[l] = rate > largest[l] ? rate : largest[l];
      for (int m = 0; m < 3; ++m) {
        for (int c = 0; c < 4; ++c) sums[m][n][c] = sum[c][m];
      }
    }
  }
};

}  // namespace karman::detail
