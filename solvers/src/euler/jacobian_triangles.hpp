// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel that adds the SUPG terms of the triangles to an Euler Jacobian.
#pragma once

#include "element.hpp"
#include "jacobian_rows.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Adds tau |T| (A . grad N_i) (A . grad N_j) / M_i, with A and tau of the mean state of each triangle: one thread adds
/// to all blocks of a node.
template <class Exec, class T>
struct AddJacobianTriangles {
  JacobianSource<T> from;
  Graph<Exec> graph;
  EulerArray<Exec, int> begin;
  EulerArray<Exec, JacobianTriangle<T>> triangles;
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass;
  T share;  ///< of the term, 0 to 1
  T* blocks;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = begin(node), end = begin(node + 1);
    if (first == end) return;
    T own[4], diagonal[4][4] = {};
    from.read(node, own);
    for (int n = first; n < end; ++n) {
      JacobianTriangle<T> const t = triangles(n);
      T u1[4], u2[4], mean[4];
      from.read(graph.entries(t.entry[0]), u1);
      from.read(graph.entries(t.entry[1]), u2);
      for (int c = 0; c < 4; ++c) mean[c] = T(1.0 / 3) * (own[c] + u1[c] + u2[c]);
      EulerShape<T> const shape = shape_of(t);
      JacobianState<T> const s(from.gamma, mean);
      T const c2 = (from.gamma - 1) * (s.enthalpy - T(0.5) * (s.vx * s.vx + s.vy * s.vy));
      T const d1 = u1[0] - own[0], d2 = u2[0] - own[0];
      T const tau = euler_stabilization(T(0), shape, s.rho, root(c2 > 0 ? c2 : T(0)), s.vx, s.vy,
                                        (shape.bx1 * d1 + shape.bx2 * d2) * shape.over_twice,
                                        (shape.by1 * d1 + shape.by2 * d2) * shape.over_twice)
                        .tau;
      T const factor = share * T(0.5) * tau * shape.over_twice * inverse_mass(node);
      auto const here = JacobianDyads<T>::flux(from.gamma, s, -shape.bx1 - shape.bx2, -shape.by1 - shape.by2);
      for (int k = 0; k < 2; ++k) {
        auto const there = JacobianDyads<T>::flux(from.gamma, s, t.x[k], t.y[k]);
        T* const to = blocks + 16 * static_cast<std::size_t>(t.entry[k]);
        for (int column = 0; column < 4; ++column) {
          T across[4], term[4];
          there.column(column, across);
          here.times(across, term);
          for (int row = 0; row < 4; ++row) {
            to[4 * row + column] += factor * term[row];
            diagonal[row][column] -= factor * term[row];
          }
        }
      }
    }
    int place = graph.offsets(node);
    while (graph.entries(place) != node) ++place;
    T* const to = blocks + 16 * static_cast<std::size_t>(place);
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) to[4 * row + column] += diagonal[row][column];
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static EulerShape<T> shape_of(JacobianTriangle<T> const& t) {
    T const over_twice = quotient(T(1), t.x[0] * t.y[1] - t.y[0] * t.x[1]);
    T const l1 = t.x[0] * t.x[0] + t.y[0] * t.y[0], l2 = t.x[1] * t.x[1] + t.y[1] * t.y[1];
    T const x0 = t.x[0] + t.x[1], y0 = t.y[0] + t.y[1], l0 = x0 * x0 + y0 * y0;
    T const l01 = l0 > l1 ? l0 : l1;
    return {t.x[0], t.y[0], t.x[1], t.y[1], over_twice, root(l01 > l2 ? l01 : l2) * over_twice};
  }
};

}  // namespace karman::detail
