// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of figures over the steps of a run, and the balance of energy and enstrophy.
#pragma once

#include <karman/solvers/spectral/vorticity_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman::turbulence {

/// Figures of a run, a row per check.
class History {
 public:
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

  /// Balance of energy (0) or enstrophy (1), where it is largest in size. It is divided by the largest of three
  /// amounts: its value, all gains and all losses. 0 of nothing.
  double relative_imbalance(std::size_t which) const;

  /// Rate at which the losses of energy change now, 1/s, from the last two rows. The first row alone has that of a
  /// decay by its losses. Infinite for a flow at rest.
  double rate_of_losses() const;

 private:
  /// Sets the balance of a row after `before` others: its energy less that of the first row and less the injected one,
  /// plus the integral of the net losses. Parabolas through three rows give the integral, where losses fall to less
  /// than half between two rows an exponential.
  void settle(std::vector<double>& row, std::size_t before) const;

  std::vector<std::vector<double>> rows_;
};

}  // namespace karman::turbulence
