// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman::poisson {
namespace {

/// What rounding leaves of the residual of a solution, relative to max |b|.
double rounding_floor(LinearSystem const& system, Precision precision, CellValues const& p) {
  double const epsilon = precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                                     : std::numeric_limits<double>::epsilon();
  double largest = 0;
  for (double value : p) largest = std::max(largest, std::abs(value));
  UniformGrid const& grid = system.grid;
  std::array const spacing{grid.dx(), grid.dy(), grid.dz(0)};
  double weight = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(system.dimensions); ++axis) {
    // A Dirichlet side counts twice.
    weight += 3 * system.largest_coefficient / (spacing[axis] * spacing[axis]);
  }
  return 64 * epsilon * (1 + (system.largest_b > 0 ? weight * largest / system.largest_b : 0));
}

}  // namespace

std::vector<std::byte> raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(system.grid.cell_count()) *
                               static_cast<std::size_t>(app::real_size(precision)));
  solver.copy_solution(bytes.data());
  return bytes;
}

void judge(LinearSystem const& system, Precision precision, PoissonSolver& solver, SolveResult& result) {
  auto const cells = static_cast<std::size_t>(system.grid.cell_count());
  if (precision == Precision::f32) {
    std::vector<float> values(cells);
    solver.copy_solution(values.data());
    result.p.assign(values.begin(), values.end());
  } else {
    result.p.resize(cells);
    solver.copy_solution(result.p.data());
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (system.is_solid(cell)) result.p[cell] = 0;
  }
  settle_constant(system, result.p);
  double const largest = residual(system, result.p, result.residual);
  result.largest_residual = system.largest_b > 0 ? largest / system.largest_b : largest;
  if (is_direct(result.method)) {
    result.outcome.residual = result.largest_residual;
    result.outcome.converged = result.largest_residual <= rounding_floor(system, precision, result.p);
    result.outcome.history = {{1, result.largest_residual, result.outcome.seconds}};
  }
  if (!system.exact.empty()) result.error = error_norms(system, result.p);
}

std::optional<std::array<int, 3>> find_not_finite(LinearSystem const& system, CellValues const& p) {
  auto const wrong = std::find_if_not(p.begin(), p.end(), [](double value) { return std::isfinite(value); });
  if (wrong == p.end()) return std::nullopt;
  std::int64_t const n = wrong - p.begin();
  std::int64_t const nx = system.grid.nx();
  std::int64_t const ny = system.grid.ny();
  return std::array{static_cast<int>(n / nx / ny), static_cast<int>(n / nx % ny), static_cast<int>(n % nx)};
}

}  // namespace karman::poisson
