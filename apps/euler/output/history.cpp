// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman::euler {
namespace {

constexpr std::size_t step_column = 0, residual_column = 3;

}  // namespace

History::History(FlowCase const& flow_case)
    : case_(flow_case),
      columns_({"step", "time", "dt", "residual", "mass", "momentum_x", "momentum_y", "energy", "least_density",
                "least_pressure", "largest_mach"}) {
  if (flow_case.settings.sequencing) {
    level_column_ = columns_.size();
    columns_.push_back("level");
  }
  if (flow_case.problem.linear_systems() != nullptr) {
    columns_.insert(columns_.end(),
                    {flow_case.problem.newton ? "cfl" : "newton_iterations", "linear_iterations", "evaluations"});
  }
  if (flow_case.problem.motion.moves()) columns_.push_back("mesh_quality");
  if (has_floors()) columns_.insert(columns_.end(), {"floor_changes", "added_mass", "added_energy"});
  forces_begin_ = columns_.size();
  for (ForceGroup const& group : flow_case.problem.forces) {
    for (char const* what : {".drag", ".lift", ".moment"}) columns_.push_back(group.name + what);
  }
  gauges_begin_ = columns_.size();
  for (app::Gauge const& gauge : flow_case.gauges) {
    for (char const* what : {".density", ".velocity_x", ".velocity_y", ".pressure"})
      columns_.push_back(gauge.name + what);
  }
}

void History::add(FlowFigures const& figures, std::size_t level) {
  std::vector<double> row{double(figures.step),  figures.time,           figures.dt,          figures.residual,
                          figures.total[0],      figures.total[1],       figures.total[2],    figures.total[3],
                          figures.least_density, figures.least_pressure, figures.largest_mach};
  if (level_column_ > 0) row.push_back(static_cast<double>(level));
  if (case_.problem.linear_systems() != nullptr) {
    NewtonFigures const& newton = figures.newton;
    row.insert(row.end(), {case_.problem.newton ? newton.state.cfl : double(newton.iterations),
                           double(newton.linear_iterations), double(newton.evaluations)});
  }
  if (case_.problem.motion.moves()) row.push_back(figures.least_quality);
  if (has_floors()) row.insert(row.end(), {double(figures.floor_changes), figures.added_mass, figures.added_energy});
  for (std::size_t g = 0; g < figures.forces.size(); ++g) {
    auto const values = coefficients(case_.problem, case_.problem.forces[g], figures.forces[g]);
    row.insert(row.end(), values.begin(), values.end());
  }
  for (auto const& gauge : figures.gauges) row.insert(row.end(), gauge.begin(), gauge.end());
  bool const same = !rows_.empty() && rows_.back()[step_column] == row[step_column] &&
                    (level_column_ == 0 || rows_.back()[level_column_] == row[level_column_]);
  if (same && case_.problem.linear_systems() != nullptr) {
    // A step that stalled made none: its work belongs to the step before.
    for (char const* const column : {"linear_iterations", "evaluations"})
      row[place_of(column)] += rows_.back()[place_of(column)];
  }
  if (same) rows_.back() = std::move(row);
  else rows_.push_back(std::move(row));
}

void History::restore(std::vector<double> const& values) {
  rows_.clear();
  std::size_t const width = columns_.size();
  for (std::size_t n = 0; n + width <= values.size(); n += width) {
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(n);
    rows_.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
  }
}

std::vector<double> History::values() const {
  std::vector<double> result;
  for (auto const& row : rows_) result.insert(result.end(), row.begin(), row.end());
  return result;
}

namespace {
double largest_of(std::vector<std::vector<double>> const& rows, double largest) {
  for (auto const& row : rows) largest = std::max(largest, row[residual_column]);
  return largest;
}
}  // namespace

double History::largest_residual() const { return largest_of(rows_, case_.earlier.largest_residual); }

std::vector<LevelEnd> History::level_ends() const {
  std::vector<LevelEnd> ends;
  double before = 0, largest = case_.earlier.largest_residual;
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    double const residual = rows_[n][residual_column];
    largest = std::max(largest, residual);
    double const level = level_of(rows_[n]);
    if (n + 1 < rows_.size() && level_of(rows_[n + 1]) == level) continue;
    ends.resize(static_cast<std::size_t>(level) + 1);
    ends.back() = {rows_[n][step_column] - before, largest > 0 ? residual / largest : 0};
    before = rows_[n][step_column];
  }
  return ends;
}

bool History::is_on_plateau() const {
  constexpr double least_steps = 1000, fall = 0.9;
  auto const level = level_of(rows_.back());
  auto const first = std::find_if(rows_.begin(), rows_.end(), [&](auto const& row) { return level_of(row) == level; });
  double const begin = (*first)[step_column], end = rows_.back()[step_column];
  if (end - begin < least_steps) return false;
  double before = std::numeric_limits<double>::infinity(), since = before;
  for (auto row = first; row != rows_.end(); ++row) {
    double& least = (*row)[step_column] <= 0.5 * (begin + end) ? before : since;
    least = std::min(least, (*row)[residual_column]);
  }
  return since > fall * before;
}

double History::drop() const {
  double const largest = largest_residual();
  return largest > 0 ? rows_.back()[residual_column] / largest : 0;
}

double History::own_drop() const {
  double const largest = largest_of(rows_, 0);
  return largest > 0 ? rows_.back()[residual_column] / largest : 0;
}

double History::force_change(std::int64_t window) const {
  if (rows_.empty() || forces_begin_ == gauges_begin_) return std::numeric_limits<double>::infinity();
  double const from = rows_.back()[step_column] - static_cast<double>(window);
  if (rows_.front()[step_column] > from) return std::numeric_limits<double>::infinity();
  double change = 0;
  for (std::size_t column = forces_begin_; column < gauges_begin_; ++column) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (auto row = rows_.rbegin(); row != rows_.rend() && (*row)[step_column] >= from; ++row) {
      least = std::min(least, (*row)[column]);
      most = std::max(most, (*row)[column]);
    }
    change = std::max(change, most - least);
  }
  return change;
}

double History::total(std::string const& column, std::size_t level) const {
  std::size_t const place = place_of(column);
  double sum = 0;
  for (auto const& row : rows_) {
    if (level_of(row) == static_cast<double>(level)) sum += row[place];
  }
  return sum;
}

std::array<double, 3> History::last_coefficients(std::size_t group) const {
  auto const& row = rows_.back();
  std::size_t const first = forces_begin_ + 3 * group;
  return {row[first], row[first + 1], row[first + 2]};
}

}  // namespace karman::euler
