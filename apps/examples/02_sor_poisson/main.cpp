// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation in the unit cube, phi = 0 on all sides:
//   d2phi/dx2 + d2phi/dy2 + d2phi/dz2 = -3 pi^2 sin(pi x) sin(pi y) sin(pi z),  phi = sin(pi x) sin(pi y) sin(pi z).
#include <karman/core/host_copy.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Field = karman::Field<Exec, double>;

/// field = factor sin(pi x) sin(pi y) sin(pi z) at the centres of n^3 cells.
void fill(Exec const& space, int n, double factor, Field const& field) {
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>;
  double const step = std::numbers::pi / n;
  Kokkos::parallel_for(
      "example::fill", Cells(space, {0, 0, 0}, {n, n, n}), KOKKOS_LAMBDA(int k, int j, int i) {
        field(k, j, i) = factor * sin((k + 0.5) * step) * sin((j + 0.5) * step) * sin((i + 0.5) * step);
      });
}

double largest_difference(Exec const& space, Field const& a, Field const& b) {
  auto const x = karman::host_copy(space, a), y = karman::host_copy(space, b);
  double largest = 0;
  for (std::size_t n = 0; n < x.size(); ++n) largest = std::fmax(largest, std::abs(x[n] - y[n]));
  return largest;
}

bool run() {
  // [sor]
  int const n = 64;
  Exec const space;
  karman::UniformGrid const grid({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n});
  karman::Boundaries const sides = karman::Boundaries::all(karman::Boundary::dirichlet);
  karman::Field<Exec, double> phi("phi", n, n, n), rhs("rhs", n, n, n);  // (k, j, i), x contiguous
  fill(space, n, -3 * std::numbers::pi * std::numbers::pi, rhs);

  karman::RedBlackSor<Exec, double> sor(space, {grid, sides});  // allocates its workspace once
  karman::SolveReport const report = sor.solve(space, phi, rhs, {.optimal_omega = true, .tolerance = 1e-9});
  std::printf("%s\n", karman::summary(report).c_str());
  // [sor]

  // The sine is an eigenvector of the differences too, with 2 (1 - cos(pi h)) / h^2 for pi^2. So the exact solution of
  // the discrete equations follows, and the difference is the error of the iteration alone.
  double const h = 1.0 / n;
  double const shrunk = 2 * (1 - std::cos(std::numbers::pi * h)) / (h * h);
  Field const exact("exact", n, n, n);
  fill(space, n, std::numbers::pi * std::numbers::pi / shrunk, exact);
  double const difference = largest_difference(space, phi, exact);

  // The smallest eigenvalue bounds the error by the residual: tolerance * max|b| * sqrt(cells) / (3 pi^2), and b, the
  // right-hand side, is at most 3 pi^2.
  double const allowed = 1e-9 * std::sqrt(1.0 * n * n * n) * (std::numbers::pi * std::numbers::pi / shrunk);
  bool const right = report.converged && difference <= allowed;
  std::printf("largest error %.2e, allowed %.2e  %s\n", difference, allowed, right ? "ok" : "WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run() ? 0 : 1;
}
