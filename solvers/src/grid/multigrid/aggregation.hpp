// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Coarse grids from the couplings alone, on the host, for walls that cut a grid into pieces of any shape.
#pragma once

#include <cstddef>
#include <vector>

namespace karman::detail {

/// A sparse matrix, row by row.
struct SparseRows {
  int columns = 0;
  std::vector<int> start{0};
  std::vector<int> column;
  std::vector<double> value;

  int rows() const { return static_cast<int>(start.size()) - 1; }
  void add(int c, double v) {
    column.push_back(c);
    value.push_back(v);
  }
  void end_row() { start.push_back(static_cast<int>(column.size())); }
};

SparseRows transposed(SparseRows const& a);
SparseRows product(SparseRows const& a, SparseRows const& b);

/// The equations sum over j of between(i, j) (x_i - x_j) + to_zero(i) x_i = b_i as conductances, which are symmetric.
/// An unknown without any keeps its value.
struct MultigridNetwork {
  SparseRows between;
  std::vector<double> to_zero;

  std::vector<double> diagonal() const;
};

/// A network, and the interpolation of values from the next coarser one.
struct MultigridAggregates {
  MultigridNetwork network;
  SparseRows prolongation;  ///< empty on the coarsest level
  double radius = 2;        ///< bound of the eigenvalues of diagonal^-1 * matrix
};

/// The levels below and including `finest`, finest first. Each unknown joins those that it is strongly coupled with,
/// both ways. Interpolation is from the joined sets by one step of Jacobi's method along the strong couplings of its
/// row. The rows of a prolongation sum to one, so that sets without a path to zero keep none on any level. Unknowns
/// coupled with nothing, or with zero alone, have no coarse value. Cost: O(unknowns) time and memory. Source: P. Vanek,
/// J. Mandel, M. Brezina, Computing 56, 1996.
std::vector<MultigridAggregates> aggregate(MultigridNetwork finest);

/// Largest number of unknowns of the coarsest level, unless nothing can be joined any more.
inline constexpr int coarsest_aggregates = 256;

}  // namespace karman::detail
