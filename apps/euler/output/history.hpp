// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of figures over the steps of a run.
#pragma once

#include "euler/case/flow_case.hpp"
#include "euler/model/flow_model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace karman::euler {

/// End of the march on one mesh, so far.
struct LevelEnd {
  double steps = 0;  ///< on this mesh
  double drop = 0;   ///< the last residual over the largest one until then; 0 where all are 0
};

/// Figures of a run, a row per check.
class History {
 public:
  explicit History(FlowCase const& flow_case);

  /// step, time, dt, residual, mass, momentum_x, momentum_y, energy, least_density, least_pressure, largest_mach; with
  /// sequencing level; of Newton's method cfl (of the next step), linear_iterations and evaluations (since the row
  /// before); of moving meshes mesh_quality; with floors floor_changes, added_mass, added_energy; then NAME.drag,
  /// NAME.lift, NAME.moment per force group; then NAME.density, NAME.velocity_x, NAME.velocity_y, NAME.pressure per
  /// gauge.
  std::vector<std::string> const& columns() const { return columns_; }
  std::vector<std::vector<double>> const& rows() const { return rows_; }
  /// Index of the first column of the gauges.
  std::size_t gauges_begin() const { return gauges_begin_; }

  /// Adds a row; replaces the last one of the same step and level. `level`: refinements of the mesh, with sequencing.
  void add(FlowFigures const& figures, std::size_t level = 0);
  /// Restores the rows of a checkpoint.
  void restore(std::vector<double> const& values);
  /// All values, row by row.
  std::vector<double> values() const;

  /// Largest residual of all rows, and of the run that the flow started from.
  double largest_residual() const;
  /// Ends of all levels that were begun; without sequencing of one.
  std::vector<LevelEnd> level_ends() const;
  /// Residual of the last row over the largest one; 0 where all are 0.
  double drop() const;
  /// The same over the largest one of the rows alone.
  double own_drop() const;
  /// Whether the residual falls no more on the present level, of 1000 steps or more: its least value in the second half
  /// of them is above nine tenths of that before. Limit cycles are plateaus too.
  bool is_on_plateau() const;
  /// Largest change of a coefficient over the last `window` steps; infinite before as many are made, and without
  /// coefficients.
  double force_change(std::int64_t window) const;
  /// Sum of a column over the rows of a level; without sequencing of level 0, all of them.
  double total(std::string const& column, std::size_t level) const;
  /// Coefficients of a force group in the last row.
  std::array<double, 3> last_coefficients(std::size_t group) const;

 private:
  std::size_t place_of(std::string const& column) const {
    return static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
  }
  double level_of(std::vector<double> const& row) const { return level_column_ > 0 ? row[level_column_] : 0; }
  bool has_floors() const { return case_.problem.density_floor > 0 || case_.problem.pressure_floor > 0; }

  FlowCase const& case_;
  std::vector<std::string> columns_;
  std::size_t level_column_ = 0;  ///< 0: none
  std::size_t forces_begin_ = 0, gauges_begin_ = 0;
  std::vector<std::vector<double>> rows_;
};

}  // namespace karman::euler
