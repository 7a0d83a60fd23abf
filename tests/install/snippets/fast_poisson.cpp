// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/fast_poisson.md, between its marks. Ends with 1 when a result differs from the page.
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

bool fast_poisson(Exec const& space) {
  int const nx = 48, ny = 40, nz = 32;
  // [fast poisson]
  karman::UniformGrid const grid({nx, ny, nz}, {0.5, 0.5, 0.25});
  karman::Boundaries sides = karman::Boundaries::all(karman::Boundary::periodic);
  sides.bottom = karman::Boundary::dirichlet;
  sides.top = karman::Boundary::neumann;
  karman::FastPoisson<Exec, double> solver(space, {grid, sides});  // plans and allocates once

  karman::Plane<Exec, double> const ground("ground", ny, nx);
  Kokkos::deep_copy(space, ground, 2.0);
  solver.set_boundary_values(space, karman::Side::bottom, ground);

  karman::Field<Exec, double> const p("p", nz, ny, nx), f("f", nz, ny, nx);  // (k, j, i), x contiguous
  karman::SolveReport const report = solver.solve(space, p, f);
  if (!report.converged) std::fprintf(stderr, "%s\n", karman::summary(report).c_str());
  // [fast poisson]
  karman::Reducer<Exec> reducer(space);
  return report.converged && std::abs(reducer.max(space, p) - 2) < 1e-12 && std::abs(reducer.min(space, p) - 2) < 1e-12;
}

bool transforms(Exec const& space) {
  int const nx = 30, ny = 20, nz = 8;
  karman::Field<Exec, double> const a("a", nz, ny, nx);
  Kokkos::deep_copy(space, a, 3.0);
  // [fft]
  karman::RealFft<Exec, double> const fft(space, {nz, ny, nx}, {.x = true, .y = true, .z = false});
  auto const [mz, my, mx] = fft.spectrum_extents();  // (nz, ny, nx / 2 + 1)
  karman::Field<Exec, Kokkos::complex<double>> const spectrum("spectrum", mz, my, mx);
  fft.forward(space, a, spectrum);
  fft.backward(space, spectrum, a);  // a times fft.size()
  // [fft]
  karman::Reducer<Exec> reducer(space);
  return mx == 16 && std::abs(reducer.max(space, a) - 3 * fft.size()) < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const space;
  bool const solved = fast_poisson(space), transformed = transforms(space);
  if (!solved || !transformed) std::fprintf(stderr, "WRONG: %s\n", solved ? "transforms" : "fast Poisson");
  return solved && transformed ? 0 : 1;
}
