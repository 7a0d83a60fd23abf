// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sparse matrices in compressed rows.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/solvers/detail/csr_checks.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
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

  /// Matrix without rows.
  CsrMatrix() = default;

  /// Matrix of a profile and values that exist. Unchecked, as members that a caller sets.
  CsrMatrix(Graph<Exec> const& graph_, Values const& values_, int columns_)
      : graph(graph_), values(values_), columns(columns_) {}

  /// Copy of host arrays.
  /// \param space instance of the allocations and copies
  /// \param offsets first entry of each row, then the number of entries: rows + 1 values
  /// \param entries column of each entry, from 0, ascending within a row
  /// \param numbers value of each entry
  /// \param column_count number of columns; none: as many as rows
  /// \par Cost
  /// One pass over the profile on the host, one copy of each array.
  /// \par Synchrony
  /// Fences `space`: the arrays may go.
  /// \throws std::invalid_argument for arrays whose lengths do not fit, offsets that descend, and columns that are out
  /// of range or not ascending
  CsrMatrix(Exec const& space, std::span<int const> offsets, std::span<int const> entries,
            std::span<Scalar const> numbers, std::optional<int> column_count = {})
      : columns(column_count.value_or(offsets.empty() ? 0 : static_cast<int>(offsets.size() - 1))) {
    require(numbers.size() == entries.size(), "CsrMatrix: " + std::to_string(numbers.size()) + " values for " +
                                                  std::to_string(entries.size()) + " entries of the profile");
    detail::require_profile(offsets, entries, columns, "CsrMatrix");
    graph = {device_copy(space, offsets, "karman::csr::offsets"), device_copy(space, entries, "karman::csr::entries")};
    values = device_copy(space, numbers, "karman::csr::values");
  }

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
