// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices of dense blocks in compressed rows.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/graph.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace karman {

/// Sparse matrix of dense N x N blocks in compressed rows: graph.entries(n) is the block column of values(n, row,
/// column), columns ascend within a block row. Its vectors hold N numbers per block row, block row by block
/// row. Copies share their memory, as Views do. Matrices of one profile share the graph.
/// \tparam Exec execution space
/// \tparam T float or double
/// \tparam N rows and columns of a block
template <ExecutionSpace Exec, Real T, int N>
struct BlockCsrMatrix {
  using Values = Kokkos::View<T* [N][N], Kokkos::LayoutRight, typename Exec::memory_space>;  ///< blocks of the entries
  Graph<Exec> graph;  ///< block rows and block columns of the entries
  // "= Values()": see Graph
  Values values = Values();  ///< (entry, row in the block, column in the block)
  int columns = 0;           ///< number of block columns

  /// Number of block rows.
  KOKKOS_FUNCTION int rows() const { return graph.rows(); }
};

/// Square matrix of a profile of blocks, all values zero. Asynchronous on `space`.
/// \param space instance of the allocation
/// \param graph block columns of each block row, ascending
template <Real T, int N, ExecutionSpace Exec>
BlockCsrMatrix<Exec, T, N> make_block_csr_matrix(Exec const& space, Graph<Exec> const& graph) {
  using Values = typename BlockCsrMatrix<Exec, T, N>::Values;
  return {graph, Values(Kokkos::view_alloc(space, std::string("karman::block_csr::values")), graph.entries.extent(0)),
          graph.rows()};
}

}  // namespace karman
