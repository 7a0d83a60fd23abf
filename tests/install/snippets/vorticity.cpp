// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/vorticity.md, between its marks. Ends with 1 when a result differs from the page.
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <string>

using Exec = Kokkos::DefaultExecutionSpace;

void shear(Exec const& space, karman::Plane<Exec, double> const& omega) {
  auto const n = static_cast<int>(omega.extent(0));
  using Points = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "shear", Points(space, {0, 0}, {n, n}), KOKKOS_LAMBDA(int j, int i) {
        double const x = 6.283185307179586 * i / n, y = 6.283185307179586 * j / n;
        omega(j, i) = -3 * sin(3 * y) + 0.1 * cos(x);
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  Exec const space;
  int const n = 64;
  karman::Plane<Exec, double> const omega("omega", n, n);
  shear(space, omega);
  // [run]
  karman::VorticitySetup const setup{.points = {n, n}, .terms = {.viscosity = 1e-2}};
  karman::VorticitySolver<Exec, double> flow(space, setup);  // allocates once
  flow.set_random_forcing(space, {.wavenumber = 4, .energy_rate = 0.01});
  flow.start(space, omega, 0.0, {.cfl = 0.8});
  flow.set_end(space, 2.0);
  karman::VorticityFigures now = flow.figures(space);
  while (!now.finished && now.breakdown.empty()) {
    for (int step = 0; step < 10; ++step) flow.step(space);
    now = flow.figures(space);
  }
  std::printf("time %g after %d steps: energy %.4f\n", now.moment.time, int(now.moment.steps), now.energy);
  // [run]
  bool const right = now.moment.time == 2 && now.breakdown.empty() && now.energy > 0.1 && now.energy < 0.3;
  return right ? 0 : 1;
}
