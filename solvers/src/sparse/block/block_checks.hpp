// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks that matrices of blocks and their vectors fit together.
#pragma once

#include "sparse/products/sparse_checks.hpp"
#include <karman/core/error.hpp>
#include <karman/solvers/sparse/block_csr.hpp>

#include <limits>
#include <string>

namespace karman::detail {

/// Throws std::invalid_argument for so many block rows that a vector of theirs has more than 2^31 - 1 numbers.
template <int N>
void require_block_rows(int rows, char const* who) {
  require(rows <= std::numeric_limits<int>::max() / N, std::string(who) + ": " + std::to_string(rows) +
                                                           " block rows of " + std::to_string(N) +
                                                           " numbers are more than 2^31 - 1 unknowns");
}

/// Throws std::invalid_argument unless a matrix is square and its parts have lengths that fit.
template <class Exec, class T, int N>
void require_square(BlockCsrMatrix<Exec, T, N> const& a, char const* who) {
  require(a.graph.entries.extent(0) == a.values.extent(0),
          std::string(who) + ": the matrix has " + std::to_string(a.values.extent(0)) + " blocks for " +
              std::to_string(a.graph.entries.extent(0)) + " entries of its profile");
  require(a.rows() == a.columns, std::string(who) + ": the matrix must be square, it has " + std::to_string(a.rows()) +
                                     " block rows and " + std::to_string(a.columns) + " block columns");
  require_block_rows<N>(a.rows(), who);
}

/// The same, and the matrix has as many block rows and entries as the profile of a plan.
template <class Exec, class T, int N>
void require_profile_of(BlockCsrMatrix<Exec, T, N> const& a, int rows, std::size_t entries, char const* who) {
  require_square(a, who);
  require(a.rows() == rows && a.values.extent(0) == entries,
          std::string(who) + ": the matrix has " + std::to_string(a.rows()) + " block rows and " +
              std::to_string(a.values.extent(0)) + " entries, the profile of this plan has " + std::to_string(rows) +
              " and " + std::to_string(entries));
}

}  // namespace karman::detail
