// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of figures over the steps of a run, and the balance of energy and enstrophy.
#pragma once

#include <karman/solvers/vorticity_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::turbulence {

/// Figures of a run, a row per look.
class History {
 public:
  /// `forced_decay`: rate at which the linear terms take energy from the modes of a random forcing, 1/s. Rows show the
  /// flow after the kick of a step, the losses within a step are those before and after it.
  explicit History(double forced_decay = 0) : forced_decay_(forced_decay) {}

  /// step, time, dt, energy, enstrophy, palinstrophy, lowest_energy; TERM.energy and TERM.enstrophy of viscosity,
  /// friction, hypoviscosity (losses) and forcing (gain); injected.energy, injected.enstrophy; balance.energy,
  /// balance.enstrophy.
  static std::vector<std::string> const& columns();
  std::vector<std::vector<double>> const& rows() const { return rows_; }

  /// Adds a row; replaces the last one of the same step.
  void add(VorticityFigures const& figures);
  /// Restores the rows of a checkpoint.
  void restore(std::vector<double> const& values);
  /// All values, row by row.
  std::vector<double> values() const;

  /// Largest |balance| of energy (0) or enstrophy (1), over the largest value or throughput of it; 0 of nothing.
  double relative_imbalance(std::size_t which) const;

 private:
  /// Sets the balance of a row after `before` others: its energy less that of the first row and less the injected one,
  /// plus the integral of the net losses. Parabolas through three rows give the integral.
  void settle(std::vector<double>& row, std::size_t before) const;

  double forced_decay_;
  std::vector<std::vector<double>> rows_;
};

}  // namespace karman::turbulence
