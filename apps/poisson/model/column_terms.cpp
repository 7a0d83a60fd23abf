// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "column_terms.hpp"

#include "common/case/work_in_all.hpp"
#include "face_values.hpp"
#include <karman/io/config.hpp>

#include <cmath>
#include <numeric>

namespace karman::poisson {
namespace {

constexpr int top_side = 4, bottom_side = 5;

}  // namespace

ColumnCoefficients column_coefficients(Case const& input, ColumnCase const& column_case) {
  UniformGrid const& grid = column_case.grid;
  Quantity const& diffusivity = column_case.diffusivity;
  ColumnCoefficients result;
  result.shared = !diffusivity.depends_on('x') && !diffusivity.depends_on('y');
  int const nx = result.shared ? 1 : grid.nx();
  int const ny = result.shared ? 1 : grid.ny();
  int const nz = grid.nz();
  CellValues faces(static_cast<std::size_t>(nz + 1) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nx),
                   diffusivity.constant);
  auto const good = [](double value) { return std::isfinite(value) && value >= 0; };
  auto const middle = [&](int k, int j, int i) { return Point{grid.x_center(i), grid.y_center(j), grid.z_face(k), 0}; };
  app::work_in_all(column_case.communicator, [&] {
    std::optional<BadValue> bad;
    if (diffusivity.expression) {
      bad = evaluate(*diffusivity.expression, {nz + 1, ny, nx}, middle, good, faces);
      if (bad) bad->cell = app::in_whole(grid, bad->cell);
    } else if (!good(diffusivity.constant)) {
      bad = BadValue{{}, {}, diffusivity.constant};
    }
    if (bad) throw_bad_value(input, diffusivity, *bad, "z-face", "expected values >= 0");
  });
  std::size_t const plane = static_cast<std::size_t>(ny) * static_cast<std::size_t>(nx);
  result.low.resize(plane * static_cast<std::size_t>(nz));
  result.high.resize(result.low.size());
  for (int k = 0; k < nz; ++k) {
    bool const lowest = k == 0;
    bool const highest = k == nz - 1;
    // A given value at an end is half a layer away. A flux enters directly.
    double const below = lowest ? (column_case.ground.flux ? 0 : 2 / grid.dz(0)) : 1 / grid.dz_between(k);
    double const above = highest ? (column_case.top.flux ? 0 : 2 / grid.dz(nz - 1)) : 1 / grid.dz_between(k + 1);
    for (std::size_t n = 0; n < plane; ++n) {
      std::size_t const at = static_cast<std::size_t>(k) * plane + n;
      result.low[at] = faces[at] * below / grid.dz(k);
      result.high[at] = faces[at + plane] * above / grid.dz(k);
    }
  }
  return result;
}

EndTerms::EndTerms(Case const& input, ColumnCase const& column_case, ColumnCoefficients const& coefficients,
                   bool at_top)
    : input_(input),
      case_(column_case),
      end_(at_top ? column_case.top : column_case.ground),
      side_(at_top ? top_side : bottom_side) {
  if (end_.flux) return;
  UniformGrid const& grid = column_case.grid;
  std::size_t const columns = static_cast<std::size_t>(grid.nx()) * static_cast<std::size_t>(grid.ny());
  CellValues const& all = at_top ? coefficients.high : coefficients.low;
  if (coefficients.shared) {
    coupling_.assign(columns, at_top ? all.back() : all.front());
  } else {
    auto const first = at_top ? all.end() - static_cast<std::ptrdiff_t>(columns) : all.begin();
    coupling_.assign(first, first + static_cast<std::ptrdiff_t>(columns));
  }
}

CellValues EndTerms::plane(double time) const {
  CellValues values;
  app::work_in_all(case_.communicator, [&] { values = side_values(input_, end_.value, case_.grid, side_, time); });
  return values;
}

bool EndTerms::update(double time) {
  if (known_ && !end_.value.depends_on('t')) return false;
  known_ = true;
  double const dt = case_.step;
  if (end_.flux) {
    // At the time within the step that the scheme weights: second order for Crank-Nicolson.
    values_ = plane(time + case_.theta * dt);
    double const columns = double(case_.whole.nx()) * case_.whole.ny();
    mean_flux_ = case_.communicator.sum(std::accumulate(values_.begin(), values_.end(), 0.0)) / columns;
    double const thickness = case_.grid.dz(side_ == top_side ? case_.grid.nz() - 1 : 0);
    for (double& value : values_) value *= dt / thickness;
    return true;
  }
  values_ = plane(time + dt);
  if (case_.theta < 1) {
    CellValues const before = plane(time);
    for (std::size_t n = 0; n < values_.size(); ++n)
      values_[n] = case_.theta * values_[n] + (1 - case_.theta) * before[n];
  }
  for (std::size_t n = 0; n < values_.size(); ++n) values_[n] *= dt * coupling_[n];
  return true;
}

}  // namespace karman::poisson
