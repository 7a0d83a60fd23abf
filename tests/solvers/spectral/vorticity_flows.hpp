// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vorticity fields of tests, and their spectra on the host.
#pragma once

#include <karman/core/host_copy.hpp>
#include <karman/solvers/spectral/vorticity_solver.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <numbers>
#include <vector>

namespace karman::test {

constexpr double pi = std::numbers::pi;

/// A function of x and y.
using Profile = std::function<double(double, double)>;

/// Its values at the points of a box.
template <class Exec, class T>
Plane<Exec, T> at_points(Exec const& space, VorticitySetup const& setup, Profile const& profile) {
  auto const [nx, ny] = setup.points;
  Plane<Exec, T> const values("karman::test::values", static_cast<std::size_t>(ny), static_cast<std::size_t>(nx));
  auto const host = Kokkos::create_mirror_view(values);
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      host(j, i) = static_cast<T>(profile(setup.lengths[0] * i / nx, setup.lengths[1] * j / ny));
    }
  }
  Kokkos::deep_copy(space, values, host);
  space.fence();
  return values;
}

/// Vorticity at the points.
template <class Exec, class T>
std::vector<T> vorticity(Exec const& space, VorticitySolver<Exec, T>& solver) {
  auto const [nx, ny] = solver.setup().points;
  Plane<Exec, T> const values("karman::test::vorticity", static_cast<std::size_t>(ny), static_cast<std::size_t>(nx));
  solver.copy_vorticity(space, values);
  return host_copy(space, values);
}

/// Makes steps until a time.
template <class Exec, class T>
VorticityFigures run_to(Exec const& space, VorticitySolver<Exec, T>& solver, double end) {
  solver.set_end(space, end);
  VorticityFigures figures = solver.figures(space);
  while (!figures.finished && figures.breakdown.empty()) {
    for (int n = 0; n < 10; ++n) solver.step(space);
    figures = solver.figures(space);
  }
  return figures;
}

/// Steps of equal length.
inline StepControl fixed_steps(double dt) { return {.cfl = 0, .dt_max = dt}; }

/// Stream function sin 2x cos 2y + 2 sin x cos 3y in a box of 2 pi.
inline double two_modes(double x, double y) {
  return -8 * std::sin(2 * x) * std::cos(2 * y) - 20 * std::sin(x) * std::cos(3 * y);
}

}  // namespace karman::test
