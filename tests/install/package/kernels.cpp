// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/reductions.hpp>
#include <karman/io/hdf5_view.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

// Laplace's equation in a channel, 1 at one end and 0 at the other: a straight line between them.
bool run(Exec const& space) {
  int const nx = 16;
  karman::UniformGrid const grid({nx, 3, 2}, {1, 1, 1});
  karman::Boundaries sides = karman::Boundaries::all(karman::Boundary::neumann);
  sides.west = sides.east = karman::Boundary::dirichlet;
  karman::RedBlackSor<Exec, double> sor(space, {grid, sides});
  karman::Plane<Exec, double> const one("consumer::one", grid.nz(), grid.ny());
  Kokkos::deep_copy(space, one, 1.0);
  sor.set_boundary_values(space, karman::Side::west, one);
  karman::Field<Exec, double> const lambda("consumer::lambda", grid.nz(), grid.ny(), nx);
  karman::Field<Exec, double> const rhs("consumer::rhs", grid.nz(), grid.ny(), nx);
  auto const report = sor.solve(space, lambda, rhs, {.optimal_omega = true, .tolerance = 1e-13});

  karman::Reducer<Exec> reducer(space);
  double const largest = reducer.max(space, lambda);
  auto const host = Kokkos::create_mirror_view(lambda);
  Kokkos::deep_copy(space, host, lambda);
  space.fence();
  std::vector<double> const values(host.data(), host.data() + host.size());
  double error = std::abs(largest - (1 - 0.5 / nx));
  for (int i = 0; i < nx; ++i) error = std::fmax(error, std::abs(host(1, 1, i) - (1 - (i + 0.5) / nx)));
  std::printf("%s; largest error %.1e\n", karman::summary(report).c_str(), error);
  auto file = karman::Hdf5File::create("view.h5", karman::Overwrite::yes);
  karman::write_view(space, file, "/lambda", lambda);
  file.commit();
  // The condition number is about nx^2.
  return report.converged && error <= 1e-13 * nx * nx * 4 && survive_a_file(values) &&
         karman::Hdf5File::open("view.h5").read_vector<double>("/lambda") == values;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run(Exec()) ? 0 : 1;
}
