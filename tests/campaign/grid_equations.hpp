// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Equations of a grid problem, assembled independently of the solvers, and their direct solution on the host in
/// double.
#pragma once

#include "grid_problem.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace karman::campaign {

class GridEquations {
 public:
  /// Fills a right-hand side of the kind "compatible": A applied to the field in it.
  explicit GridEquations(GridProblem& problem);

  std::size_t size() const { return diagonal_.size(); }
  bool has_equation(std::size_t n) const { return diagonal_[n] > 0; }
  /// True in a piece of the domain that is tied to a value.
  bool is_held(std::size_t n) const { return piece_[n] >= 0 && is_held_[std::size_t(piece_[n])]; }
  /// True if no value is given anywhere: the solvers subtract the mean of all cells from b.
  bool singular() const { return singular_; }
  /// b with the boundary values moved into it, without its mean where the problem is singular.
  std::vector<double> const& b() const { return b_; }
  std::vector<double> const& balanced() const { return balanced_; }
  /// max |b|.
  double norm() const { return norm_; }
  /// Largest |mean of the balanced b| over a floating set of cells, relative to the norm.
  double imbalance() const { return imbalance_; }

  /// A x - b for the given right-hand side b.
  std::vector<double> residual(std::vector<double> const& x, std::vector<double> const& b) const;
  /// max over the cells of |A| |x| + |b|: a unit of rounding of the residual.
  double magnitude(std::vector<double> const& x) const;
  /// The same with the largest diagonal and the largest x.
  double greatest_magnitude(std::vector<double> const& x) const;

  /// The solution. In a floating set of cells, its part of b and the solution lose their means.
  std::vector<double> solve(std::vector<double> b) const;
  std::vector<double> const& solution() const { return solution_; }
  /// Subtracts the means of floating sets from x.
  void balance(std::vector<double>& x) const;

  /// max of |A^-1| 1 over cells with an equation that is tied to a value. A is minus an M-matrix, so this is the norm
  /// of its inverse.
  double inverse_norm() const { return inverse_norm_; }
  /// Condition number of A without its null space in the inner product of the cell volumes, and of D^-1 A. Lower
  /// estimates by a few steps of inverse iteration.
  double condition() const { return condition_; }
  double condition_by_diagonal() const { return condition_by_diagonal_; }
  /// Smallest eigenvalue of -D^-1 A outside of its null space.
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
