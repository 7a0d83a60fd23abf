// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices, row by row.
#pragma once

#include <karman/core/graph.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>

namespace karman {

/// What an entry of a sparse matrix may be: float, double, Kokkos::complex of either.
template <class T>
concept SparseScalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, Kokkos::complex<float>> ||
    std::same_as<T, Kokkos::complex<double>>;

/// A sparse matrix in compressed rows: entry n of graph.entries is the column of values(n), columns ascending within a
/// row. Copies share their memory, as Views do; matrices of one profile share the graph.
template <ExecutionSpace Exec, SparseScalar Scalar>
struct CsrMatrix {
  Graph<Exec> graph;
  Kokkos::View<Scalar*, typename Exec::memory_space> values;
  int columns = 0;

  KOKKOS_FUNCTION int rows() const { return graph.rows(); }
};

}  // namespace karman
