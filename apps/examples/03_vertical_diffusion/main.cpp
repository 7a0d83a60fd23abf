// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vertical diffusion in the columns of an atmosphere or ocean model:
//   du/dt = d/dz (K du/dz),   (I - dt d/dz K d/dz) u_new = u_old,   no flux at the ground and at the top.
// Implicit in time, so that thin layers do not limit the time step. One tridiagonal system per column. All columns are
// solved at once, along the slowest axis of the field and without a transposition.
#include <karman/core/types.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Columns = karman::Plane<Exec, double>;  // (layer, column), columns side by side
using Profile = Kokkos::View<double*, Exec::memory_space>;

double const diffusivity = 5;  // m^2/s

/// The matrix I - dt d/dz K d/dz, the same in every column.
void fill_matrix(Exec const& space, int layers, double number, Profile const& lower, Profile const& diagonal,
                 Profile const& upper) {
  Kokkos::parallel_for(
      "example::matrix", Kokkos::RangePolicy<Exec>(space, 0, layers), KOKKOS_LAMBDA(int k) {
        lower(k) = k > 0 ? -number : 0.0;
        upper(k) = k + 1 < layers ? -number : 0.0;
        diagonal(k) = 1 - lower(k) - upper(k);
      });
}

/// A cosine with as many half waves as column c has, times `factor` to the power of the steps made.
KOKKOS_INLINE_FUNCTION double wave(int layer, int layers, int column) {
  int const half_waves = 1 + column % 8;
  // reduced in integers, so that the angle is exact
  int const twice = half_waves * (2 * layer + 1) % (4 * layers);
  return cos(twice * std::numbers::pi / (2 * layers));
}

void fill(Exec const& space, Columns const& u) {
  int const layers = int(u.extent(0)), columns = int(u.extent(1));
  Kokkos::parallel_for(
      "example::fill", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(space, {0, 0}, {layers, columns}),
      KOKKOS_LAMBDA(int k, int c) { u(k, c) = wave(k, layers, c); });
}

/// Each cosine is an eigenvector of the differences. A step divides it by 1 + 2 number (1 - cos(half waves pi / n)).
double largest_error(Exec const& space, Columns const& u, double number, int steps) {
  int const layers = int(u.extent(0)), columns = int(u.extent(1));
  double largest = 0;
  Kokkos::parallel_reduce(
      "example::error", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(space, {0, 0}, {layers, columns}),
      KOKKOS_LAMBDA(int k, int c, double& worst) {
        double const angle = (1 + c % 8) * std::numbers::pi / layers;
        double const decay = pow(1 + 2 * number * (1 - cos(angle)), -double(steps));
        double const error = fabs(u(k, c) - decay * wave(k, layers, c));
        if (!(error <= worst)) worst = error;
      },
      Kokkos::Max<double>(largest));
  return largest;
}

bool run() {
  int const layers = 80, columns = 100 * 100, steps = 30;
  double const dz = 25, dt = 600;  // m, s
  double const number = diffusivity * dt / (dz * dz);
  Exec const space;
  Columns const u("u", layers, columns);
  fill(space, u);

  // [columns]
  Profile lower("lower", layers), diagonal("diagonal", layers), upper("upper", layers);
  fill_matrix(space, layers, number, lower, diagonal, upper);

  // systems along axis 0 of Views of shape (layers, columns), which all share the profiles
  karman::Tridiagonal<Exec, double> diffusion(space, karman::TridiagonalShape::along(0, {layers, columns}));
  for (int step = 0; step < steps; ++step) diffusion.solve(space, lower, diagonal, upper, u, u);
  // [columns]

  double const error = largest_error(space, u, number, steps);
  // Each step solves a system of condition number at most 1 + 4 number and amplifies nothing.
  double const allowed = steps * 4 * (1 + 4 * number) * 2.3e-16;
  bool const right = error <= allowed;
  std::printf("%d steps of %d columns, %d layers: largest error %.2e, allowed %.2e  %s\n", steps, columns, layers,
              error, allowed, right ? "ok" : "WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run() ? 0 : 1;
}
