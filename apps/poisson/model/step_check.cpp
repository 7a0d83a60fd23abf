// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "step_check.hpp"

#include "poisson/model/planes_beyond.hpp"
#include "poisson/model/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman::poisson {
namespace {

/// Roundings that an elimination accumulates, as for a direct solve of a steady case.
constexpr double roundings = 64;

double allowed(Precision precision, double weight, double largest, double terms) {
  double const epsilon = precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                                     : std::numeric_limits<double>::epsilon();
  return roundings * epsilon * (weight * largest + terms);
}

/// Of all processes.
double largest_of(Communicator const& communicator, CellValues const& values) {
  double largest = 0;
  for (double const value : values) largest = std::max(largest, std::abs(value));
  return communicator.largest(largest);
}

/// found / limit; 0 / 0 counts as 0, and a value that is not finite as infinite.
double ratio(double found, double limit) {
  if (!std::isfinite(found) || !std::isfinite(limit)) return std::numeric_limits<double>::infinity();
  if (found == 0) return 0;
  return limit > 0 ? found / limit : std::numeric_limits<double>::infinity();
}

}  // namespace

ColumnStepCheck::ColumnStepCheck(Case const& input, ColumnCase const& column_case)
    : case_(column_case),
      coefficients_(column_coefficients(input, column_case)),
      ground_(input, column_case, coefficients_, false),
      top_(input, column_case, coefficients_, true) {}

double ColumnStepCheck::excess(double time, CellValues const& before, CellValues const& after) {
  ground_.update(time);
  top_.update(time);
  UniformGrid const& grid = case_.grid;
  std::size_t const plane = static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny());
  auto const nz = static_cast<std::size_t>(grid.nz());
  double const dt = case_.step, theta = case_.theta;
  double worst = 0, weight = 0;
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t n = 0; n < plane; ++n) {
      std::size_t const cell = k * plane + n, row = coefficients_.shared ? k : cell;
      double const low = coefficients_.low[row], high = coefficients_.high[row];
      auto const diffused = [&](CellValues const& q) {
        double const below = k > 0 ? q[cell - plane] : 0, above = k + 1 < nz ? q[cell + plane] : 0;
        return low * (below - q[cell]) + high * (above - q[cell]);
      };
      double terms = 0;
      if (k == 0) terms += ground_.values()[n];
      if (k + 1 == nz) terms += top_.values()[n];
      double const residual =
          after[cell] - before[cell] - terms - dt * (theta * diffused(after) + (1 - theta) * diffused(before));
      weight = std::max(weight, low + high);
      // A value that is not finite stays.
      if (!(std::abs(residual) <= worst) && !std::isnan(worst)) worst = std::abs(residual);
    }
  }
  Communicator const& all = case_.communicator;
  double const terms = largest_of(all, ground_.values()) + largest_of(all, top_.values());
  double const largest = std::max(largest_of(all, before), largest_of(all, after));
  return ratio(all.largest(worst), allowed(case_.precision, 1 + 2 * dt * all.largest(weight), largest, terms));
}

void HeatStepCheck::along(int axis, double shift, double factor, CellValues const& p, CellValues& sum) const {
  Stencil const stencil(steady_);
  PlanesBeyond const planes = planes_beyond(steady_, p);
  sum.assign(p.size(), 0);
  for_each_fluid_cell(steady_, [&](int k, int j, int i, std::int64_t at) {
    auto const cell = static_cast<std::size_t>(at);
    double differences = 0;
    for (int side : {2 * axis, 2 * axis + 1}) {
      Stencil::Face const face = stencil.face(k, j, i, side);
      differences += face.coefficient * (Stencil::behind(face, side, p, planes) - p[cell]);
    }
    sum[cell] = shift * p[cell] + factor * differences;
  });
}

double HeatStepCheck::excess(double, CellValues const& before, CellValues const& after) {
  double const dt = case_.step;
  CellValues change(after.size()), once, twice, moved_x, moved_y;
  for (std::size_t n = 0; n < change.size(); ++n) change[n] = after[n] - before[n];
  along(1, 1, -dt / 2, change, once);
  along(0, 1, -dt / 2, once, twice);
  along(0, 0, dt, before, moved_x);
  along(1, 0, dt, before, moved_y);
  double worst = 0;
  for (std::size_t n = 0; n < change.size(); ++n) {
    double const residual = twice[n] - moved_x[n] - moved_y[n] + dt * steady_.b[n];
    // A value that is not finite stays.
    if (!(std::abs(residual) <= worst) && !std::isnan(worst)) worst = std::abs(residual);
  }
  // A Dirichlet side counts twice: 4 a / h^2 in a row of each axis.
  double const a = dt / 2 * 4 * case_.diffusivity;
  UniformGrid const& grid = case_.grid;
  double const weight = (1 + a / (grid.dx() * grid.dx())) * (1 + a / (grid.dy() * grid.dy()));
  Communicator const& all = steady_.communicator;
  double const largest = std::max(largest_of(all, before), largest_of(all, after));
  return ratio(all.largest(worst), allowed(case_.precision, weight, largest, dt * steady_.largest_b));
}

}  // namespace karman::poisson
