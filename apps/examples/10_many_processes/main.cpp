// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Poisson's equation in the unit cube, phi = 0 on all sides, by processes that each hold a box of the cells:
//   d2phi/dx2 + d2phi/dy2 + d2phi/dz2 = -3 pi^2 sin(pi x) sin(pi y) sin(pi z),  phi = sin(pi x) sin(pi y) sin(pi z).
// Run it as  mpirun -n 4 10_many_processes
#include <karman/core/box_decomposition.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/core/mpi.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <numbers>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Field = karman::Field<Exec, double>;

/// field = factor sin(pi x) sin(pi y) sin(pi z) at the centres of the own cells.
void fill(Exec const& space, karman::UniformGrid const& grid, double factor, Field const& field) {
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>;
  auto const pi = std::numbers::pi;
  auto const begin = grid.own_box().begin;
  int const first_i = begin[0], first_j = begin[1];
  double const dx = grid.dx(), dy = grid.dy(), dz = grid.dz(0);
  Kokkos::parallel_for(
      "example::fill", Cells(space, {0, 0, 0}, {grid.nz(), grid.ny(), grid.nx()}), KOKKOS_LAMBDA(int k, int j, int i) {
        double const x = (first_i + i + 0.5) * dx, y = (first_j + j + 0.5) * dy, z = (k + 0.5) * dz;
        field(k, j, i) = factor * sin(pi * x) * sin(pi * y) * sin(pi * z);
      });
}

bool run(karman::Communicator const& processes) {
  // [solve]
  int const n = 64;
  Exec const space;
  karman::UniformGrid const whole({n, n, n}, {1.0 / n, 1.0 / n, 1.0 / n});
  karman::BoxDecomposition const boxes(whole.global_cells(), processes.size());
  karman::UniformGrid const grid = boxes.part(whole, processes.rank());  // the cells of this process
  karman::Field<Exec, double> phi("phi", grid.nz(), grid.ny(), grid.nx()), rhs("rhs", grid.nz(), grid.ny(), grid.nx());
  fill(space, grid, -3 * std::numbers::pi * std::numbers::pi, rhs);

  karman::Boundaries const sides = karman::Boundaries::all(karman::Boundary::dirichlet);  // of the whole cube
  karman::RedBlackSor<Exec, double> sor(space, {grid, sides}, {.communicator = processes});
  karman::SolveReport const report = sor.solve(space, phi, rhs, {.optimal_omega = true, .tolerance = 1e-9});
  // [solve]

  // Example 02 has the exact solution of the discrete equations and the bound of the error.
  double const h = 1.0 / n;
  double const shrunk = 2 * (1 - std::cos(std::numbers::pi * h)) / (h * h);
  double const amplitude = std::numbers::pi * std::numbers::pi / shrunk;
  Field const exact("exact", grid.nz(), grid.ny(), grid.nx());
  fill(space, grid, amplitude, exact);
  auto const found = karman::host_copy(space, phi), expected = karman::host_copy(space, exact);
  double difference = 0;
  for (std::size_t m = 0; m < found.size(); ++m) difference = std::max(difference, std::abs(found[m] - expected[m]));
  difference = processes.largest(difference);
  double const allowed = 1e-9 * std::sqrt(1.0 * n * n * n) * amplitude;
  bool const right = report.converged && difference <= allowed;
  if (processes.is_first()) {
    std::printf("%d processes, %s: %s\n", processes.size(), processes.description().c_str(),
                karman::summary(report).c_str());
    std::printf("largest error %.2e, allowed %.2e  %s\n", difference, allowed, right ? "ok" : "WRONG");
  }
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  // [main]
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int status = 1;
  try {
    Kokkos::ScopeGuard const kokkos(argc, argv);  // in a process with a GPU, that of its number on this host
    karman::Communicator const processes = karman::communicator_of(MPI_COMM_WORLD);
    status = run(processes) ? 0 : 1;
  } catch (std::exception const& error) {
    // The others may wait for this process: it ends all of them.
    std::fprintf(stderr, "10_many_processes: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
  // [main]
}
