// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices, row by row.
#pragma once

#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <string>

namespace karman {

/// What an entry of a sparse matrix may be: float, double, Kokkos::complex of either.
template <class T>
concept SparseScalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, Kokkos::complex<float>> ||
                       std::same_as<T, Kokkos::complex<double>>;

/// A sparse matrix in compressed rows: entry n of graph.entries is the column of values(n), columns ascending within a
/// row. Copies share their memory, as Views do; matrices of one profile share the graph.
template <ExecutionSpace Exec, SparseScalar Scalar>
struct CsrMatrix {
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;
  Graph<Exec> graph;
  Values values = Values();  // "= Values()": see Graph
  int columns = 0;

  KOKKOS_FUNCTION int rows() const { return graph.rows(); }
};

/// A square matrix of this profile, all values zero. Asynchronous on `space`.
template <SparseScalar Scalar, ExecutionSpace Exec>
CsrMatrix<Exec, Scalar> make_csr_matrix(Exec const& space, Graph<Exec> const& graph) {
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;
  return {graph, Values(Kokkos::view_alloc(space, std::string("karman::csr::values")), graph.entries.extent(0)),
          graph.rows()};
}

}  // namespace karman
