// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace karman::turbulence {
namespace {

enum Column : std::size_t {
  step,
  time,
  dt,
  energy,
  enstrophy,
  palinstrophy,
  lowest_energy,
  losses,  // six of them: energy and enstrophy by viscosity, friction, hypoviscosity
  gain = losses + 6,
  injected = gain + 2,
  balance = injected + 2,
  count = balance + 2
};

/// Net loss per time of energy (0) or enstrophy (1) by all but random forcing.
double net_loss(std::vector<double> const& row, std::size_t which) {
  return row[losses + which] + row[losses + 2 + which] + row[losses + 4 + which] - row[gain + which];
}

/// Integral from b to c of the parabola through three points, the first at a < b.
double parabola_integral(std::array<double, 3> const& t, std::array<double, 3> const& f) {
  double const h = t[2] - t[1], g = t[1] - t[0];
  if (!(g > 0)) return h * (f[1] + f[2]) / 2;
  double const slope = (f[2] - f[1]) / h, before = (f[1] - f[0]) / g;
  double const curvature = (slope - before) / (h + g);
  return h * (f[1] + f[2]) / 2 - curvature * h * h * h / 6;
}

}  // namespace

std::vector<std::string> const& History::columns() {
  static std::vector<std::string> const names{
      "step",
      "time",
      "dt",
      "energy",
      "enstrophy",
      "palinstrophy",
      "lowest_energy",
      "viscosity.energy",
      "viscosity.enstrophy",
      "friction.energy",
      "friction.enstrophy",
      "hypoviscosity.energy",
      "hypoviscosity.enstrophy",
      "forcing.energy",
      "forcing.enstrophy",
      "injected.energy",
      "injected.enstrophy",
      "balance.energy",
      "balance.enstrophy",
  };
  return names;
}

void History::settle(std::vector<double>& row, std::size_t before) const {
  if (before == 0) return;
  auto const& first = rows_.front();
  auto const& last = rows_[before - 1];
  auto const& second = rows_[before >= 2 ? before - 2 : before - 1];
  for (std::size_t which = 0; which < 2; ++which) {
    double const h = row[time] - last[time];
    double const gained = row[injected + which] - last[injected + which], steps = row[step] - last[step];
    double const after_kicks = steps > 0 ? forced_decay_ * gained * h / steps / 2 : 0;
    double const lost = h > 0
                            ? parabola_integral({second[time], last[time], row[time]},
                                                {net_loss(second, which), net_loss(last, which), net_loss(row, which)})
                            : 0;
    // The losses before the last row follow from its own balance.
    double const lost_before = last[balance + which] - (last[energy + which] - first[energy + which]) +
                               (last[injected + which] - first[injected + which]);
    row[balance + which] = row[energy + which] - first[energy + which] -
                           (row[injected + which] - first[injected + which]) + lost_before + lost - after_kicks;
  }
}

void History::add(VorticityFigures const& figures) {
  VorticityMoment const& moment = figures.moment;
  std::vector<double> row{double(moment.steps),
                          moment.time,
                          moment.dt,
                          figures.energy,
                          figures.enstrophy,
                          figures.palinstrophy,
                          figures.lowest_energy,
                          figures.viscosity.energy,
                          figures.viscosity.enstrophy,
                          figures.friction.energy,
                          figures.friction.enstrophy,
                          figures.hypoviscosity.energy,
                          figures.hypoviscosity.enstrophy,
                          figures.forcing.energy,
                          figures.forcing.enstrophy,
                          moment.injected_energy,
                          moment.injected_enstrophy,
                          0,
                          0};
  bool const same_step = !rows_.empty() && rows_.back()[step] == row[step];
  if (same_step) rows_.pop_back();
  settle(row, rows_.size());
  rows_.push_back(std::move(row));
}

void History::restore(std::vector<double> const& values) {
  rows_.clear();
  for (std::size_t n = 0; n + count <= values.size(); n += count) {
    auto const first = values.begin() + static_cast<std::ptrdiff_t>(n);
    rows_.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
  }
}

std::vector<double> History::values() const {
  std::vector<double> result;
  for (auto const& row : rows_) result.insert(result.end(), row.begin(), row.end());
  return result;
}

double History::relative_imbalance(std::size_t which) const {
  double largest = 0, scale = 0;
  for (auto const& row : rows_) {
    largest = std::fmax(largest, std::abs(row[balance + which]));
    scale = std::fmax(scale, std::fmax(row[energy + which], std::abs(row[injected + which])));
  }
  return scale > 0 ? largest / scale : 0;
}

}  // namespace karman::turbulence
