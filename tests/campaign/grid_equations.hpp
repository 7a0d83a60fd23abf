// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The equations of a grid problem, assembled from its numbers alone, and their direct solution on the host in double.
#pragma once

#include "grid_problem.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace karman::campaign {

class GridEquations {
 public:
  /// Fills a right-hand side of the kind "compatible" of the problem: A of the field that stands there.
  explicit GridEquations(GridProblem& problem);

  std::size_t size() const { return diagonal_.size(); }
  bool has_equation(std::size_t n) const { return diagonal_[n] > 0; }
  /// True in a piece of the domain that is tied to a value.
  bool is_held(std::size_t n) const { return piece_[n] >= 0 && is_held_[std::size_t(piece_[n])]; }
  /// No value is given anywhere: the solvers take the mean of all cells out of b.
  bool singular() const { return singular_; }
  /// b with the boundary values moved into it, and less its mean where the problem is singular.
  std::vector<double> const& b() const { return b_; }
  std::vector<double> const& balanced() const { return balanced_; }
  /// max |b|.
  double norm() const { return norm_; }
  /// Largest |mean of the balanced b| over a set of cells that is cut off from every value, relative to the norm.
  double imbalance() const { return imbalance_; }

  /// A x - b with b the right-hand side to be met.
  std::vector<double> residual(std::vector<double> const& x, std::vector<double> const& b) const;
  /// max over the cells of |A| |x| + |b|: a unit of rounding of the residual.
  double magnitude(std::vector<double> const& x) const;
  /// The same with the largest diagonal and the largest x.
  double greatest_magnitude(std::vector<double> const& x) const;

  /// The solution; in a set of cells that is cut off its part of b loses its mean, and so does the solution.
  std::vector<double> solve(std::vector<double> b) const;
  std::vector<double> const& solution() const { return solution_; }
  /// Takes the means of cut-off sets out of x.
  void balance(std::vector<double>& x) const;

  /// max over cells with an equation that is tied to a value of |A^-1| 1: A is minus an M-matrix, so this is the norm
  /// of its inverse.
  double inverse_norm() const { return inverse_norm_; }
  /// Condition number of A less its null space in the inner product of the cell volumes, and of D^-1 A; estimates from
  /// below by a few steps of inverse iteration.
  double condition() const { return condition_; }
  double condition_by_diagonal() const { return condition_by_diagonal_; }
  /// Smallest eigenvalue of -D^-1 A that is not of its null space.
  double smallest_by_diagonal() const { return smallest_by_diagonal_; }

 private:
  struct Neighbor {
    std::size_t cell;
    double weight;
  };
  void assemble();
  void find_pieces();
  void order();
  void factor();
  std::vector<double> substitute(std::vector<double> b) const;
  double smallest(std::vector<double> const& mass) const;
  void remove_means(std::vector<double>& x, std::vector<double> const& mass) const;

  GridProblem& problem_;
  std::vector<std::vector<Neighbor>> neighbors_;
  std::vector<double> diagonal_, to_sides_, volume_, b_, balanced_, solution_;
  bool singular_ = false;
  double norm_ = 0, imbalance_ = 0, inverse_norm_ = 0, condition_ = 1, condition_by_diagonal_ = 1,
         smallest_by_diagonal_ = 1;
  std::vector<int> piece_;     ///< of each cell; -1 without an equation
  std::vector<bool> is_held_;  ///< each piece has a value somewhere
  std::vector<std::size_t> pinned_;
  std::vector<std::size_t> row_, cell_;       ///< row of a cell in the factors, cell of a row
  std::vector<std::vector<double>> factors_;  ///< rows of L from their first entry, D last
  std::vector<std::size_t> first_;
};

}  // namespace karman::campaign
