// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge.hpp"

#include "common/run_support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace karman::poisson {
namespace {

using app::formatted;

double epsilon_of(Precision precision) {
  return precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                     : std::numeric_limits<double>::epsilon();
}

/// eps (1 + own weight * max |p| / max |b|): one rounding of every term of the residual, relative to max |b|.
double rounding(LinearSystem const& system, Precision precision, CellValues const& p) {
  double largest = 0;
  for (double value : p) largest = std::max(largest, std::abs(value));
  UniformGrid const& grid = system.grid;
  std::array const spacing{grid.dx(), grid.dy(), grid.dz(0)};
  double weight = 0;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(system.dimensions); ++axis) {
    // A Dirichlet side counts twice.
    weight += 3 * system.largest_coefficient / (spacing[axis] * spacing[axis]);
  }
  return epsilon_of(precision) * (1 + (system.largest_b > 0 ? weight * largest / system.largest_b : 0));
}

/// Eliminations and transforms accumulate roundings over whole lines.
constexpr double roundings_of_a_direct_solve = 64;
/// Round-off of a residual that is evaluated in the precision of the case. Coefficient, weight, difference, two
/// products and the sum of six terms are 11 roundings. Each is half an eps on at most 4/3 of the weight.
constexpr double roundings_of_a_residual = 8;

/// True when right-hand sides, or their products with a spacing, are below the normal numbers.
bool below_single_precision(LinearSystem const& system, Precision precision) {
  constexpr double least = double(std::numeric_limits<float>::min()) / double(std::numeric_limits<float>::epsilon());
  return precision == Precision::f32 && system.largest_b > 0 && system.largest_b < least;
}

/// The residual on the host decides, independent of the method's own verdict.
void decide(LinearSystem const& system, SolverSettings const& settings, SolveResult& result) {
  SolveOutcome& outcome = result.outcome;
  double const found = result.largest_residual, claimed = outcome.residual;
  double const unit = rounding(system, settings.precision, result.p);
  outcome.residual = found;
  if (is_direct(result.method)) {
    outcome.converged = found <= roundings_of_a_direct_solve * unit;
    outcome.history = {{1, found, outcome.seconds}};
  } else if (system.largest_b > 0) {
    bool const small = found <= settings.tolerance + (outcome.converged ? roundings_of_a_residual * unit : 0);
    if (outcome.converged && !small) {
      outcome.breakdown = formatted("the method reports a residual of %.2e, the host measures %.2e in double precision",
                                    claimed, found);
    }
    outcome.converged = small && !outcome.stopped;
  } else {
    // b is zero, so the method compares with its first residual.
    outcome.converged = outcome.converged && std::isfinite(found);
  }
  if (!outcome.converged && below_single_precision(system, settings.precision)) {
    outcome.breakdown = formatted(
        "the right-hand side (largest %.1e) is too small for single precision: set "
        "/solver/precision to f64 or scale the case",
        system.largest_b);
  }
}

}  // namespace

app::HostField raw_solution(LinearSystem const& system, Precision precision, PoissonSolver& solver) {
  app::HostField values(app::scalar_type(precision), ArrayExtents(system.grid.extents(Location::cell)));
  solver.copy_solution(values.array());
  return values;
}

void judge(LinearSystem const& system, SolverSettings const& settings, PoissonSolver& solver, SolveResult& result) {
  auto const cells = static_cast<std::size_t>(system.grid.cell_count());
  result.p = raw_solution(system, settings.precision, solver).in_double();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (system.is_solid(cell)) result.p[cell] = 0;
  }
  settle_constant(system, result.p);
  double const largest = residual(system, result.p, result.residual);
  result.largest_residual = system.largest_b > 0 ? largest / system.largest_b : largest;
  decide(system, settings, result);
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
