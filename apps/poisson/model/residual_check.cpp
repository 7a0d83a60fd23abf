// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "residual_check.hpp"

#include "common/case/texts.hpp"
#include "plane_error.hpp"
#include "round_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace karman::poisson {
namespace {

using app::formatted;

/// Eliminations and transforms accumulate roundings over whole lines.
constexpr double roundings_of_a_direct_solve = 64;

/// True when right-hand sides, or their products with a spacing, are below the normal numbers.
bool below_single_precision(LinearSystem const& system, Precision precision) {
  constexpr double least = double(std::numeric_limits<float>::min()) / double(std::numeric_limits<float>::epsilon());
  return precision == Precision::f32 && system.largest_b > 0 && system.largest_b < least;
}

/// Remark on a residual that is round-off but above the tolerance.
std::string round_off_remark(double found, double tolerance, double estimate, Precision precision) {
  return formatted(
      "the residual %.2e is round-off of %s precision in this case (estimate %.1e), above the tolerance %.2e", found,
      precision == Precision::f32 ? "single" : "double", estimate, tolerance);
}

/// Reason of an end at a round-off that is too large for a solution.
std::string round_off_reason(double estimate, Precision precision) {
  return formatted("the round-off of this case, about %.1e, is too large for %s precision: %s", estimate,
                   precision == Precision::f32 ? "single" : "double",
                   precision == Precision::f32 ? "set /solver/precision to f64"
                                               : "reduce the contrast of /coefficient or the number of cells");
}

/// The residual on the host decides, independent of the method's own verdict.
void decide(LinearSystem const& system, SolverSettings const& settings, SolveResult& result) {
  SolveOutcome& outcome = result.outcome;
  double const found = result.largest_residual, claimed = outcome.residual;
  RoundOff const bounds = round_off(system, settings.precision);
  double const largest_p = largest_magnitude(system, result.p);
  result.round_off = bounds.of_residual(largest_p);
  outcome.residual = found;
  if (is_direct(result.method)) {
    double const limit = roundings_of_a_direct_solve * bounds.unit(largest_p);
    bool const relative = system.largest_b > 0, met = relative && found <= settings.tolerance;
    outcome.converged = met || found <= (relative ? RoundOff::limited(limit) : limit);
    if (outcome.converged && relative && !met) {
      result.remark = round_off_remark(found, settings.tolerance, result.round_off, settings.precision);
    }
    if (!outcome.converged && found <= limit) {
      outcome.breakdown = round_off_reason(result.round_off, settings.precision);
    }
    outcome.history = {{1, found, outcome.seconds}};
  } else if (system.largest_b > 0) {
    // In double the method measures as the host does, so that a large estimate excuses nothing.
    double const allowance =
        settings.precision == Precision::f64 ? bounds.acceptable(largest_p) : RoundOff::limited(result.round_off);
    bool const met = found <= settings.tolerance + (outcome.converged ? allowance : 0);
    if (outcome.converged && !met) {
      outcome.breakdown = formatted("the method reports a residual of %.2e, the host measures %.2e in double precision",
                                    claimed, found);
    }
    bool const rounding = !met && !outcome.stopped && found <= bounds.acceptable(largest_p);
    if (rounding) {
      result.remark = round_off_remark(found, settings.tolerance, result.round_off, settings.precision);
    } else if (!met && !outcome.converged && found <= result.round_off &&
               outcome.iterations < settings.max_iterations) {
      outcome.breakdown = round_off_reason(result.round_off, settings.precision);
    }
    outcome.converged = (met || rounding) && !outcome.stopped;
    if (outcome.converged) outcome.breakdown.clear();
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

/// Takes back the verdict on a solution that is wrong although its residual is small: see plane_error().
void check_planes(LinearSystem const& system, SolverSettings const& settings, SolveResult& result) {
  SolveOutcome& outcome = result.outcome;
  if (!outcome.converged) return;
  // Two digits, as RoundOff::limited(). A user who asks for fewer gets them.
  double const limit = std::fmax(0.01, 10 * settings.tolerance), error = plane_error(system, result.p);
  if (error <= limit) return;
  outcome.converged = false;
  result.remark.clear();
  outcome.breakdown = formatted(
      "p may be wrong by %.1g times its largest value over whole planes of cells, whose fluxes are too weak beside the "
      "others: bring the lengths of /domain/size nearer to each other",
      error);
  if (settings.precision == Precision::f32) outcome.breakdown += ", or set /solver/precision to f64";
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
  check_planes(system, settings, result);
  if (!system.exact.empty()) result.error = error_norms(system, result.p);
}

std::optional<std::array<int, 3>> find_not_finite(Communicator const& communicator, UniformGrid const& part,
                                                  CellValues const& values) {
  auto found = find_not_finite(part, values);
  if (found) *found = app::in_whole(part, *found);
  // No cell comes after all others.
  std::array<int, 3> const none{part.nz(), 0, 0};
  auto const all = communicator.all_gather(found.value_or(none));
  auto const first = *std::min_element(all.begin(), all.end());
  if (first == none) return std::nullopt;
  return first;
}

std::optional<std::array<int, 3>> find_not_finite(UniformGrid const& grid, CellValues const& values) {
  auto const wrong = std::find_if_not(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (wrong == values.end()) return std::nullopt;
  std::int64_t const n = wrong - values.begin(), nx = grid.nx(), ny = grid.ny();
  return std::array{static_cast<int>(n / nx / ny), static_cast<int>(n / nx % ny), static_cast<int>(n % nx)};
}

}  // namespace karman::poisson
