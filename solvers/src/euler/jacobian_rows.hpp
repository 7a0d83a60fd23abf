// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels that assemble an Euler Jacobian: one thread computes all blocks of a node, so that no sums meet in memory.
#pragma once

#include "jacobian_blocks.hpp"
#include "jacobian_setup.hpp"
#include "plan.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Field and numbers that all kernels of an assembly share.
template <class T>
struct JacobianSource {
  T const* u;  ///< component c of node i: c * nodes + i
  std::int64_t nodes;
  T gamma;

  KOKKOS_FORCEINLINE_FUNCTION void read(int node, T (&values)[4]) const {
    for (int c = 0; c < 4; ++c) values[c] = u[c * nodes + node];
  }
  KOKKOS_FORCEINLINE_FUNCTION JacobianState<T> state(int node) const {
    T values[4];
    read(node, values);
    return {gamma, values};
  }
};

/// All blocks but for the boundary.
template <class Exec, class T, EulerDissipation dissipation>
struct AssembleRows {
  JacobianSource<T> from;
  Graph<Exec> graph;
  typename JacobianPlan<Exec, T>::Normals normals;
  EulerArray<Exec, int> lowest;
  T fix;
  T const* inverse_dt;  ///< null: zeros
  T* blocks;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = graph.offsets(node), end = graph.offsets(node + 1);
    if (lowest.extent(0) != 0 && lowest(node) != node) return tie(node, first, end);
    auto const own = from.state(node);
    T diagonal[16] = {};
    T const rate = inverse_dt != nullptr ? inverse_dt[node] : T(0);
    for (int k = 0; k < 4; ++k) diagonal[5 * k] = rate;
    int place = first;
    for (int n = first; n < end; ++n) {
      int const other = graph.entries(n);
      if (other == node) {
        place = n;
        continue;
      }
      T const nx = normals(n, 0), ny = normals(n, 1);
      auto const there = from.state(other);
      auto const flux = JacobianDyads<T>::flux(from.gamma, there, nx, ny);
      T* const block = blocks + 16 * static_cast<std::size_t>(n);
      if constexpr (dissipation == EulerDissipation::none) {
        for (int k = 0; k < 16; ++k) block[k] = flux(k / 4, k % 4);
      } else {
        // Half the normal: half the dissipation.
        auto const damping = JacobianDyads<T>::dissipation(from.gamma, JacobianState<T>::mean(own, there), nx, ny, fix,
                                                           dissipation == EulerDissipation::roe);
        for (int k = 0; k < 16; ++k) {
          T const damped = damping(k / 4, k % 4);
          diagonal[k] += damped;
          block[k] = flux(k / 4, k % 4) - damped;
        }
      }
    }
    T* const block = blocks + 16 * static_cast<std::size_t>(place);
    for (int k = 0; k < 16; ++k) block[k] = diagonal[k];
  }

 private:
  /// Row of a node of a group that is not its lowest: x_node - x_lowest.
  KOKKOS_FUNCTION void tie(int node, int first, int end) const {
    for (int n = first; n < end; ++n) {
      T const value = graph.entries(n) == node ? T(1) : T(-1);
      T* const block = blocks + 16 * static_cast<std::size_t>(n);
      for (int k = 0; k < 16; ++k) block[k] = k % 5 == 0 ? value : T(0);
    }
  }
};

/// Adds the boundary: its fluxes, and what the triangles there have beyond the normals of the dual cells.
template <class Exec, class T>
struct AddJacobianBoundary {
  JacobianSource<T> from;
  Graph<Exec> graph;
  EulerArray<Exec, JacobianBoundaryRow> rows;
  EulerArray<Exec, JacobianCorrection<T>> corrections;
  EulerArray<Exec, EulerHalfEdge<T>> half_edges;
  EulerArray<Exec, EulerSide<T>> sides;
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass;
  T* blocks;

  KOKKOS_FUNCTION void operator()(int n) const {
    JacobianBoundaryRow const row = rows(n);
    for (int k = row.first_correction; k < row.end_correction; ++k) {
      JacobianCorrection<T> const lacking = corrections(k);
      auto const flux =
          JacobianDyads<T>::flux(from.gamma, from.state(graph.entries(lacking.entry)), lacking.x, lacking.y);
      T* const block = blocks + 16 * static_cast<std::size_t>(lacking.entry);
      for (int b = 0; b < 16; ++b) block[b] += flux(b / 4, b % 4);
    }
    if (row.first_half_edge == row.end_half_edge) return;
    T u[4], sum[4][4] = {};
    from.read(row.node, u);
    for (int k = row.first_half_edge; k < row.end_half_edge; ++k) {
      EulerHalfEdge<T> const edge = half_edges(k);
      add_boundary_jacobian(from.gamma, side_at(from.gamma, sides(edge.condition), edge.end), u, edge.nx, edge.ny,
                            inverse_mass(row.node), sum);
    }
    T* const block = blocks + 16 * static_cast<std::size_t>(row.diagonal);
    for (int b = 0; b < 16; ++b) block[b] += sum[b / 4][b % 4];
  }
};

}  // namespace karman::detail
