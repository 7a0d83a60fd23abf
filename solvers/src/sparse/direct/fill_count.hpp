// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fill of sparse factors, from the profile alone.
#pragma once

#include <cstdint>
#include <vector>

namespace karman::detail {

/// Entries of the Cholesky factor, diagonal included, of a matrix with the profile of A + A^T in a given order. Row and
/// column i come at place order[i]. An LU factorisation with its pivots on the diagonal has as many in L and as many in
/// U. Square profile of n rows, columns in range. Cost: one step per counted entry. Memory: 8 n bytes, and 8 bytes per
/// entry of A. Source: J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990).
std::int64_t count_fill(int n, std::vector<int> const& offsets, std::vector<int> const& columns,
                        std::vector<int> const& order);

}  // namespace karman::detail
