// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time step of an explicit scheme on a uniform grid, from one reduction over the velocity
//   u = sin z + cos y,  v = sin x + cos z,  w = sin y + cos x
// (the flow of Arnold, Beltrami and Childress). Its greatest speed is sqrt 6, where x = y = z = pi/4. Both bounds are
// printed: the simple one, dt = C min(dx, dy, dz) / max |velocity|, and the sharp one, dt = C / max (|u|/dx + |v|/dy +
// |w|/dz).
#include <karman/core/reductions.hpp>
#include <karman/core/types.hpp>
#include <karman/core/uniform_grid.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Velocity = karman::Field<Exec, double>;

void fill(Exec const& space, karman::UniformGrid const& grid, Velocity const& u, Velocity const& v, Velocity const& w) {
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>;
  double const dx = grid.dx(), dy = grid.dy(), dz = grid.dz(0);
  Kokkos::parallel_for(
      "example::velocity", Cells(space, {0, 0, 0}, {grid.nz(), grid.ny(), grid.nx()}),
      KOKKOS_LAMBDA(int k, int j, int i) {
        double const x = (i + 0.5) * dx, y = (j + 0.5) * dy, z = (k + 0.5) * dz;
        u(k, j, i) = sin(z) + cos(y);
        v(k, j, i) = sin(x) + cos(z);
        w(k, j, i) = sin(y) + cos(x);
      });
}

/// |u|/dx + |v|/dy + |w|/dz of a cell: number of cells that the flow crosses per unit of time.
struct CellsCrossed {
  Velocity u, v, w;
  double dx, dy, dz;
  KOKKOS_FUNCTION double operator()(int k, int j, int i) const {
    return fabs(u(k, j, i)) / dx + fabs(v(k, j, i)) / dy + fabs(w(k, j, i)) / dz;
  }
};

/// Serial reference on the host.
double most_cells_crossed(karman::UniformGrid const& grid) {
  double most = 0;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i) {
        double const x = (i + 0.5) * grid.dx(), y = (j + 0.5) * grid.dy(), z = (k + 0.5) * grid.dz(0);
        most = std::max(most, std::abs(std::sin(z) + std::cos(y)) / grid.dx() +
                                  std::abs(std::sin(x) + std::cos(z)) / grid.dy() +
                                  std::abs(std::sin(y) + std::cos(x)) / grid.dz(0));
      }
  return most;
}

bool check(char const* what, double found, double expected) {
  // Tolerance: a few roundings in the sums and in the sines.
  bool const right = std::abs(found - expected) <= 16 * std::numeric_limits<double>::epsilon() * expected;
  std::printf("%-22s %.15f  %s\n", what, found, right ? "ok" : "WRONG");
  return right;
}

bool run() {
  // With 36, 60 and 84 cells per period, a cell centre lies at pi/4 in every direction.
  double const period = 2 * std::numbers::pi;
  karman::UniformGrid const grid({36, 60, 84}, {period / 36, period / 60, period / 84});
  Exec const space;
  auto const field = [&](std::string const& label) {
    return Velocity(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), grid.nz(), grid.ny(), grid.nx());
  };
  Velocity const u = field("example::u"), v = field("example::v"), w = field("example::w");
  fill(space, grid, u, v, w);

  // [time step]
  double const courant = 0.8;
  karman::Reducer<Exec> reducer(space);
  double const speed = reducer.max_speed(space, u, v, w);
  double const dt = courant * std::min({grid.dx(), grid.dy(), grid.dz(0)}) / speed;
  // [time step]

  CellsCrossed const crossed{u, v, w, grid.dx(), grid.dy(), grid.dz(0)};
  double const most = reducer.reduce(space, {grid.nz(), grid.ny(), grid.nx()}, crossed, karman::MaxOf<double>());
  double const sharp_dt = courant / most;

  bool right = check("greatest speed", speed, std::sqrt(6.0));
  right = check("time step", dt, courant * grid.dz(0) / std::sqrt(6.0)) && right;
  right = check("time step, per axis", sharp_dt, courant / most_cells_crossed(grid)) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run() ? 0 : 1;
}
