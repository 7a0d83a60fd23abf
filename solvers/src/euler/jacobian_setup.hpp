// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Profile and geometry of an Euler Jacobian.
#pragma once

#include "parts.hpp"
#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Part of the central fluxes that the normals of the dual cells lack, at the boundary.
template <class T>
struct JacobianCorrection {
  T x, y;     ///< the block of the entry lacks A . (x, y)
  int entry;  ///< of the matrix
};

/// Triangle at a node, by its other corners, counterclockwise.
template <class T>
struct JacobianTriangle {
  T x[2], y[2];  ///< gradients of their shape functions times twice the area
  int entry[2];  ///< of the matrix, in the row of the node
};

/// Row of a node at the boundary, and its ranges.
struct JacobianBoundaryRow {
  int node, diagonal;                  ///< node, and the entry of its own block
  int first_half_edge, end_half_edge;  ///< of EulerRows::half_edges
  int first_correction, end_correction;
};

/// Tables of an Euler Jacobian, in the numbering of the caller. Lengths of entries are over the mass of the row.
template <class Exec, class T>
struct JacobianPlan {
  using Normals = Kokkos::View<T* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  Graph<Exec> graph;
  Normals normals = Normals();  ///< of each entry but the diagonal: half the normal of the dual cells, outward
  EulerArray<Exec, int> lowest = EulerArray<Exec, int>();  ///< lowest node of the group of each node; empty: no groups
  EulerArray<Exec, JacobianBoundaryRow> rows = EulerArray<Exec, JacobianBoundaryRow>();
  EulerArray<Exec, JacobianCorrection<T>> corrections = EulerArray<Exec, JacobianCorrection<T>>();
  EulerArray<Exec, int> triangle_begin = EulerArray<Exec, int>();  ///< of each node in `triangles`; empty: none
  EulerArray<Exec, JacobianTriangle<T>> triangles = EulerArray<Exec, JacobianTriangle<T>>();

  std::int64_t bytes() const {
    auto const numbers = graph.offsets.size() + graph.entries.size() + lowest.size() + triangle_begin.size();
    return static_cast<std::int64_t>(
        numbers * sizeof(int) + normals.size() * sizeof(T) + rows.size() * sizeof(JacobianBoundaryRow) +
        corrections.size() * sizeof(JacobianCorrection<T>) + triangles.size() * sizeof(JacobianTriangle<T>));
  }
};

/// Computed on the host. Fences `space`.
/// \param space instance of the copies
/// \param parts data of the right-hand side
/// \param points coordinates, in the numbering of the caller
/// \param inverse_mass 1 / M, likewise
/// \param with_triangles whether the plan lists the triangles of each node
template <class Exec, class T>
JacobianPlan<Exec, T> make_jacobian_plan(Exec const& space, EulerParts<Exec, T> const& parts,
                                         typename TriangleMesh<Exec>::template Table<double, 2> const& points,
                                         Kokkos::View<T const*, typename Exec::memory_space> const& inverse_mass,
                                         bool with_triangles);

}  // namespace karman::detail
