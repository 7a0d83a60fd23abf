// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Losses per time of energy (0) or enstrophy (1).
double loss(std::vector<double> const& row, std::size_t which) {
  return row[losses + which] + row[losses + 2 + which] + row[losses + 4 + which];
}

/// Integral from b to c of the parabola through three points, the first at a < b.
double parabola_integral(std::array<double, 3> const& t, std::array<double, 3> const& f) {
  double const h = t[2] - t[1], g = t[1] - t[0];
  if (!(g > 0)) return h * (f[1] + f[2]) / 2;
  double const slope = (f[2] - f[1]) / h, before = (f[1] - f[0]) / g;
  double const curvature = (slope - before) / (h + g);
  return h * (f[1] + f[2]) / 2 - curvature * h * h * h / 6;
}

/// Integral of losses between the last two of three rows.
double integral_of_losses(std::array<double, 3> const& t, std::array<double, 3> const& f) {
  // An exponential is exact for the decay of one mode, and a parabola far off in rows that lie apart.
  constexpr double fast = 2;
  bool const decays = f[2] > 0 && f[1] > fast * f[2];
  return decays ? (t[2] - t[1]) * (f[1] - f[2]) / std::log(f[1] / f[2]) : parabola_integral(t, f);
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
    auto const at = [&](auto const& value) { return std::array{value(second), value(last), value(row)}; };
    auto const times = at([](auto const& r) { return r[time]; });
    double const lost = times[2] > times[1]
                            ? integral_of_losses(times, at([&](auto const& r) { return loss(r, which); })) -
                                  parabola_integral(times, at([&](auto const& r) { return r[gain + which]; }))
                            : 0;
    // The losses before the last row follow from its own balance.
    double const lost_before = last[balance + which] - (last[energy + which] - first[energy + which]) +
                               (last[injected + which] - first[injected + which]);
    row[balance + which] = row[energy + which] - first[energy + which] -
                           (row[injected + which] - first[injected + which]) + lost_before + lost;
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
  double largest = 0, scale = 0, lost = 0, gained = 0;
  for (std::size_t n = 0; n < rows_.size(); ++n) {
    auto const& row = rows_[n];
    if (std::abs(row[balance + which]) > std::abs(largest)) largest = row[balance + which];
    if (n > 0) {
      auto const& last = rows_[n - 1];
      double const half = (row[time] - last[time]) / 2;
      lost += half * (loss(last, which) + loss(row, which));
      gained += half * (std::abs(last[gain + which]) + std::abs(row[gain + which]));
    }
    for (double const size : {row[energy + which], gained + std::abs(row[injected + which]), lost}) {
      scale = std::fmax(scale, size);
    }
  }
  return scale > 0 ? largest / scale : 0;
}

double History::rate_of_losses() const {
  auto const& row = rows_.back();
  if (!(row[energy] > 0)) return std::numeric_limits<double>::infinity();
  double const now = loss(row, 0);
  if (rows_.size() < 2) return now / row[energy];
  auto const& last = rows_[rows_.size() - 2];
  double const before = loss(last, 0), scale = std::fmax(now, before);
  return scale > 0 ? std::abs(now - before) / (scale * (row[time] - last[time])) : 0;
}

}  // namespace karman::turbulence
