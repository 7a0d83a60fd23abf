// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel that finishes nodes: sums, boundary fluxes, division by the mass, update.
#pragma once

#include "common/raise.hpp"
#include "plan.hpp"
#include "triangles.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Speed of the fastest wave that enters through a side, times its length. Walls and outflow have none.
template <class T>
KOKKOS_FUNCTION T inward_wave(T gamma, EulerBoundaryKind kind, T const (&state)[4], EulerHalfEdge<T> const& edge,
                              T sweep) {
  namespace math = karman::compat::math;
  if (kind == EulerBoundaryKind::wall || kind == EulerBoundaryKind::outflow) return 0;
  T const length = math::sqrt(edge.nx * edge.nx + edge.ny * edge.ny);
  EulerNormalState<T> const flow(gamma, state, edge.nx / length, edge.ny / length);
  T const speed = flow.sound * length - (flow.through * length - sweep);
  return speed > 0 ? speed : T(0);
}

/// Changes the sum of a node with half edges: the triangles hold the flux of the flow itself through the boundary; the
/// conditions replace it. (vx, vy): velocity of a moving node. Returns the sum of inward_wave().
template <bool moving, class T>
KOKKOS_FUNCTION T exchange_boundary(EulerHalfEdge<T> const* half_edges, EulerSide<T> const* sides, T gamma,
                                    T const (&state)[4], T vx, T vy, int begin, int end, T (&sum)[4]) {
  T fastest = 0;
  for (int n = begin; n < end; ++n) {
    EulerHalfEdge<T> const edge = half_edges[n];
    EulerSide<T> const& side = sides[edge.condition];
    T given[4], own[4];
    T const sweep = moving ? vx * edge.nx + vy * edge.ny : T(0);
    boundary_flux(gamma, side_at(gamma, side, edge.end), state, edge.nx, edge.ny, given, sweep);
    moving_flux(gamma, state, edge.nx, edge.ny, sweep, own);
    for (int c = 0; c < 4; ++c) sum[c] -= given[c] - own[c];
    fastest += inward_wave(gamma, side.kind, state, edge, sweep);
  }
  return fastest;
}

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
  double* rate;       ///< null: unwanted

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

  KOKKOS_FUNCTION void subtract_boundary(int node, int begin, int end, T (&sum)[4]) const {
    T state[4];
    for (int c = 0; c < 4; ++c) state[c] = u[c * to.nodes + node];
    T const vx = moving ? velocity[node] : T(0), vy = moving ? velocity[to.nodes + node] : T(0);
    T const fastest =
        exchange_boundary<moving>(rows.half_edges.data(), sides.data(), gamma, state, vx, vy, begin, end, sum);
    if (rate == nullptr || fastest == 0) return;
    raise(rate, boundary_share * double(valid_rate(fastest * to.inverse_mass[node])));
  }

  /// The fluxes of a boundary damp the difference to its state: real eigenvalues, at most the speed of the fastest
  /// inward wave times length over mass. In a thin row along the boundary that is three times the rate of its
  /// triangles. Four stages are stable to 2.78 over it; this share allows 2.5 at a CFL number of 1.
  static constexpr double boundary_share = 0.4;
};

}  // namespace karman::detail
