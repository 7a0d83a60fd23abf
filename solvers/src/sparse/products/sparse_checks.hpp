// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks that matrices and vectors fit together.
#pragma once

#include <karman/core/error.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <string>

namespace karman::detail {

/// Throws std::invalid_argument unless the parts of a matrix have lengths that fit.
template <class Exec, class Scalar>
void require_matrix(CsrMatrix<Exec, Scalar> const& a, char const* who) {
  require(a.graph.entries.extent(0) == a.values.extent(0),
          std::string(who) + ": the matrix has " + std::to_string(a.values.extent(0)) + " values for " +
              std::to_string(a.graph.entries.extent(0)) + " entries of its profile");
  require(a.columns >= 0, std::string(who) + ": the matrix has a negative number of columns");
}

/// The same, and as many columns as rows.
template <class Exec, class Scalar>
void require_square(CsrMatrix<Exec, Scalar> const& a, char const* who) {
  require_matrix(a, who);
  require(a.rows() == a.columns, std::string(who) + ": the matrix must be square, it has " + std::to_string(a.rows()) +
                                     " rows and " + std::to_string(a.columns) + " columns");
}

/// Throws std::invalid_argument with the names of caller and vector unless the vector has that length.
template <class V>
void require_length(V const& vector, int length, char const* who, char const* what) {
  require(static_cast<long long>(vector.extent(0)) == length, std::string(who) + ": " + what + " must have " +
                                                                  std::to_string(length) + " values, it has " +
                                                                  std::to_string(vector.extent(0)));
}

}  // namespace karman::detail
