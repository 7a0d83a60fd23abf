// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel that finishes nodes: sums, boundary fluxes, division by the mass, update.
#pragma once

#include "plan.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// `moving`: the nodes move, and the sums are d(M U)/dt.
template <class Exec, class T, bool moving>
struct FinishRows {
  EulerRows<Exec, T> rows;
  T const* partial;
  std::int64_t slots;
  EulerArray<Exec, EulerSide<T>> sides;
  T gamma;
  T const* u;
  EulerTarget<T> to;
  T const* velocity;  ///< of the nodes; read where they move

  KOKKOS_FUNCTION void operator()(int row) const {
    bool const grouped = rows.node_begin.extent(0) != 0;
    int const first = grouped ? rows.node_begin(row) : row, last = grouped ? rows.node_begin(row + 1) : row + 1;
    T sum[4] = {};
    if (rows.slot_begin.extent(0) != 0) {
      for (int n = rows.slot_begin(row); n < rows.slot_begin(row + 1); ++n) add(rows.slots(n), sum);
    } else {
      for (int n = first; n < last; ++n) add(grouped ? rows.nodes(n) : n, sum);
    }
    if (rows.half_edge_begin.extent(0) != 0) {
      int const begin = rows.half_edge_begin(row), end = rows.half_edge_begin(row + 1);
      if (begin < end) subtract_boundary(grouped ? rows.nodes(first) : row, begin, end, sum);
    }
    for (int n = first; n < last; ++n) to.template store<moving>(grouped ? rows.nodes(n) : n, sum);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add(int slot, T (&sum)[4]) const {
    for (int c = 0; c < 4; ++c) sum[c] += partial[c * slots + slot];
  }

  /// The triangles hold the flux of the flow itself through the boundary; the conditions replace it.
  KOKKOS_FUNCTION void subtract_boundary(int node, int begin, int end, T (&sum)[4]) const {
    T state[4];
    for (int c = 0; c < 4; ++c) state[c] = u[c * to.nodes + node];
    for (int n = begin; n < end; ++n) {
      EulerHalfEdge<T> const edge = rows.half_edges(n);
      T given[4], own[4];
      T const sweep = moving ? velocity[node] * edge.nx + velocity[to.nodes + node] * edge.ny : T(0);
      boundary_flux(gamma, side_at(gamma, sides(edge.condition), edge.end), state, edge.nx, edge.ny, given, sweep);
      moving_flux(gamma, state, edge.nx, edge.ny, sweep, own);
      for (int c = 0; c < 4; ++c) sum[c] -= given[c] - own[c];
    }
  }
};

}  // namespace karman::detail
