// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Integrals over boundary edges: the owner of a boundary node adds the rows of its edges, one after the other.
#pragma once

#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/fem/fem_element.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

template <class Exec, class Scalar, class Kernel>
struct AddBoundary {
  Kernel kernel;
  FemBoundary<Exec> boundary;
  typename TriangleMesh<Exec>::template Table<int, 2> edges;
  typename TriangleMesh<Exec>::Labels labels;
  typename FemProfile<Exec>::template Places<4> entries;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const node = boundary.nodes(n);
    int const end = boundary.edges.offsets(node + 1);
    for (int k = boundary.edges.offsets(node); k < end; ++k) {
      int const e = boundary.edges.entries(k);
      BoundaryEdge edge;
      edge.number = e;
      edge.label = labels(e);
      for (int i = 0; i < 2; ++i) {
        edge.node[i] = edges(e, i);
        edge.x[i] = points[edge.node[i]].x;
        edge.y[i] = points[edge.node[i]].y;
      }
      ElementMatrix<Scalar, 2> a;
      ElementVector<Scalar, 2> b;
      kernel(edge, a, b);
      for (int i = 0; i < 2; ++i) {
        if (edge.node[i] != node) continue;
        for (int j = 0; j < 2; ++j) values[entries(e, 2 * i + j)] += a(i, j);
        if (vector != nullptr) vector[node] += b(i);
      }
    }
  }
};

}  // namespace karman::detail
