// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_theory.hpp"

#include <algorithm>
#include <cmath>

namespace karman::campaign {

namespace {

/// True where a solution exists and a residual within the tolerance is distinct from rounding.
bool attainable(GridProblem const& p, GridEquations const& e, double epsilon) {
  if (!(e.norm() > 0)) return false;  // the scale is then that of the first guess
  if (e.imbalance() > 0.01 * p.tolerance) return false;
  constexpr double digits = 1000;
  double const rounding = digits * epsilon * (e.greatest_magnitude(e.solution()) + e.greatest_magnitude(p.guess));
  return rounding <= p.tolerance * e.norm();
}

/// `iterations`, or none where it exceeds `most`.
int within(double iterations, double most) { return iterations <= most ? static_cast<int>(iterations) : 0; }

}  // namespace

GridTheory theory_of(GridProblem const& p, GridEquations const& e, double epsilon, int most_sweeps) {
  GridTheory theory;
  bool const all_open = !p.has_walls() && p.decades == 0;
  double mean = 0;
  for (std::size_t n = 0; n < e.size(); ++n) mean = std::max(mean, std::abs(e.b()[n] - e.balanced()[n]));
  theory.direct = all_open && e.norm() > 0 && mean <= epsilon * e.norm() ? 1 : 0;
  if (!attainable(p, e, epsilon)) return theory;
  // From the first residual to the tolerance, in the largest component instead of the norm of A.
  double first = 0;
  for (double r : e.residual(p.guess, e.balanced())) first = std::max(first, std::abs(r));
  double const reduction = std::log(2 * double(e.size()) * (1 + first / e.norm()) / p.tolerance);
  auto const krylov = [&](double condition) {
    return within(1.5 * (0.5 * std::sqrt(condition) * (reduction + std::log(condition))) + 20, 4000);
  };
  // A condition number near 1 / epsilon leaves no digit of the directions.
  if (e.condition() * epsilon < 1e-3) theory.conjugate_gradients = krylov(e.condition());
  if (e.condition_by_diagonal() * epsilon < 1e-3) {
    theory.conjugate_gradients_diagonal = krylov(e.condition_by_diagonal());
    double const reach = reduction + std::log(e.condition_by_diagonal());
    theory.jacobi = within(1.5 * reach / (0.8 * std::min(e.smallest_by_diagonal(), 0.5)) + 40, most_sweeps);
    theory.gauss_seidel = within(1.5 * reach / (0.5 * std::min(e.smallest_by_diagonal(), 1.0)) + 40, most_sweeps);
  }
  double const anisotropy = p.anisotropy();
  if (all_open && p.uniform_layers()) {
    theory.multigrid_cg = 30;
    if (anisotropy <= 4) theory.multigrid = 60;
    // In three dimensions no bound is proven: a slender box, 187 x 2 x 2, takes thousands.
    if (p.dimensions() <= 2) theory.adi = p.dimensions() <= 1 ? 30 : 150;
  } else if (p.solid_share <= 0.25 && p.decades <= 1 && p.uniform_layers() && anisotropy <= 4) {
    theory.multigrid_cg = 80;
  }
  return theory;
}

}  // namespace karman::campaign
