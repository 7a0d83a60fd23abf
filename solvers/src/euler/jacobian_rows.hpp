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

/// Numbers that a thread of a device stores at once.
template <class T>
struct alignas(16) JacobianTuple {
  static constexpr int size = 16 / sizeof(T);
  T v[size];
};

/// Stores a block. On a device each block has cache lines of its own, and every instruction costs one cycle per line:
/// stores of 16 bytes take half the cycles in double, a quarter in float.
template <class Exec, class T>
KOKKOS_FORCEINLINE_FUNCTION void store_block(T* to, T const (&block)[4][4]) {
  if constexpr (runs_on_host<Exec>) {
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) to[4 * row + column] = block[row][column];
    }
  } else {
    using Tuple = JacobianTuple<T>;
    for (int row = 0; row < 4; ++row) {
      for (int part = 0; part < 4; part += Tuple::size) {
        Tuple tuple;
        for (int n = 0; n < Tuple::size; ++n) tuple.v[n] = block[row][part + n];
        *reinterpret_cast<Tuple*>(to + 4 * row + part) = tuple;
      }
    }
  }
}

/// All blocks, without the boundary.
template <class Exec, class T, EulerDissipation dissipation>
struct AssembleRows {
  JacobianSource<T> from;
  Graph<Exec> graph;
  typename JacobianPlan<Exec, T>::Normals normals;
  EulerArray<Exec, int> lowest;
  T fix;
  T share;              ///< of D that remains, 0 to 1
  T const* inverse_dt;  ///< null: zeros
  T* blocks;

  KOKKOS_FUNCTION void operator()(int node) const {
    int const first = graph.offsets(node), end = graph.offsets(node + 1);
    if (lowest.extent(0) != 0 && lowest(node) != node) return tie(node, first, end);
    auto const own = from.state(node);
    T diagonal[4][4] = {};
    T const rate = inverse_dt != nullptr ? inverse_dt[node] : T(0);
    for (int row = 0; row < 4; ++row) diagonal[row][row] = rate;
    int place = first;
    for (int n = first; n < end; ++n) {
      int const other = graph.entries(n);
      if (other == node) {
        place = n;
        continue;
      }
      if (lowest.extent(0) != 0 && lowest(other) != other) {
        T const zero[4][4] = {};
        store_block<Exec>(at(n), zero);
        continue;
      }
      T const nx = normals(n, 0), ny = normals(n, 1);
      auto const there = from.state(other);
      T block[4][4];
      JacobianDyads<T>::flux(from.gamma, there, nx, ny).copy_to(block);
      if constexpr (dissipation != EulerDissipation::none) {
        // Half the normal: half the dissipation.
        T damping[4][4];
        constexpr bool full = dissipation == EulerDissipation::roe;
        JacobianDyads<T>::template dissipation<full>(from.gamma, JacobianState<T>::mean(own, there), nx, ny, fix)
            .copy_to(damping);
        for (int row = 0; row < 4; ++row) {
          for (int column = 0; column < 4; ++column) {
            block[row][column] -= share * damping[row][column];
            diagonal[row][column] += share * damping[row][column];
          }
        }
      }
      store_block<Exec>(at(n), block);
    }
    store_block<Exec>(at(place), diagonal);
  }

 private:
  /// Row of a node of a group that is not its lowest: x_node - x_lowest.
  KOKKOS_FUNCTION void tie(int node, int first, int end) const {
    for (int n = first; n < end; ++n) {
      T block[4][4] = {};
      for (int row = 0; row < 4; ++row) block[row][row] = graph.entries(n) == node ? T(1) : T(-1);
      store_block<Exec>(at(n), block);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION T* at(int entry) const { return blocks + 16 * static_cast<std::size_t>(entry); }
};

/// Adds the boundary: its fluxes, and the part of the triangles there that the normals of the dual cells lack.
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
      T block[4][4];
      JacobianDyads<T>::flux(from.gamma, from.state(graph.entries(lacking.entry)), lacking.x, lacking.y).copy_to(block);
      add(lacking.entry, block);
    }
    if (row.first_half_edge == row.end_half_edge) return;
    T u[4], sum[4][4] = {};
    from.read(row.node, u);
    for (int k = row.first_half_edge; k < row.end_half_edge; ++k) {
      EulerHalfEdge<T> const edge = half_edges(k);
      add_boundary_jacobian(from.gamma, side_at(from.gamma, sides(edge.condition), edge.end), u, edge.nx, edge.ny,
                            inverse_mass(row.node), sum);
    }
    add(row.diagonal, sum);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add(int entry, T const (&block)[4][4]) const {
    T* const to = blocks + 16 * static_cast<std::size_t>(entry);
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) to[4 * row + column] += block[row][column];
    }
  }
};

}  // namespace karman::detail
