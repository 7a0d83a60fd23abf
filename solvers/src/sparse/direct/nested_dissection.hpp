// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fill-reducing order of a sparse matrix.
#pragma once

#include <vector>

namespace karman::detail {

/// Nested dissection of the graph of A + A^T by METIS: place[i] is the place of unknown i, from 0. Square profile of n
/// rows, columns in range. The same order every time.
///
/// METIS uses the numbers of std::rand, so two calls at the same time are not allowed. Signals keep their handlers.
/// Throws std::runtime_error before it starts if memory is short. Source: G. Karypis and V. Kumar, SIAM J. Sci. Comput.
/// 20 (1998).
std::vector<int> nested_dissection(int n, std::vector<int> const& offsets, std::vector<int> const& columns);

}  // namespace karman::detail
