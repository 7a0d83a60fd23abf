// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices in compressed rows.
#pragma once

#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <string>

namespace karman {

/// Entry type of a sparse matrix: float, double, or Kokkos::complex of either.
template <class T>
concept SparseScalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, Kokkos::complex<float>> ||
                       std::same_as<T, Kokkos::complex<double>>;

/// Sparse matrix in compressed rows: graph.entries(n) is the column of values(n), columns ascend within a row. Copies
/// share their memory, as Views do. Matrices of one profile share the graph.
template <ExecutionSpace Exec, SparseScalar Scalar>
struct CsrMatrix {
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;  ///< values of the entries
  Graph<Exec> graph;                                                  ///< rows and columns of the entries
  // "= Values()": see Graph
  Values values = Values();  ///< numbers of the entries
  int columns = 0;           ///< number of columns

  /// Number of rows.
  KOKKOS_FUNCTION int rows() const { return graph.rows(); }
};

/// Square matrix of a profile, all values zero. Asynchronous on `space`.
template <SparseScalar Scalar, ExecutionSpace Exec>
CsrMatrix<Exec, Scalar> make_csr_matrix(Exec const& space, Graph<Exec> const& graph) {
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;
  return {graph, Values(Kokkos::view_alloc(space, std::string("karman::csr::values")), graph.entries.extent(0)),
          graph.rows()};
}

}  // namespace karman
