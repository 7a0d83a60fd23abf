// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code in docs/, between its marks, with the declarations around it. Ends with 1 when a result differs from the
// pages.
#include <karman/core/backend_check.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

void mark_building(Exec const& space, karman::Field<Exec, std::uint8_t> const& solid) {
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>>;
  Kokkos::parallel_for(
      "snippets::building", Cells(space, {0, 4, 8}, {3, 8, 12}),
      KOKKOS_LAMBDA(int k, int j, int i) { solid(k, j, i) = 1; });
}

bool kernels_are_right(Exec const& space) {
  // [check]
  karman::BackendVerdict const verdict = karman::check_backend(space);
  if (!verdict.sound()) std::fprintf(stderr, "%s\n", verdict.problem.c_str());
  // [check]
  return verdict.sound();
}

bool walls_and_sides(Exec const& space) {
  int const nx = 24, ny = 12, nz = 8;
  // [walls]
  karman::UniformGrid const grid({nx, ny, nz}, {2.0, 2.0, 1.0});
  karman::Field<Exec, std::uint8_t> const solid("solid", nz, ny, nx);  // 1 where the cell is solid
  mark_building(space, solid);
  karman::Boundaries sides = karman::Boundaries::all(karman::Boundary::dirichlet);
  sides.bottom = karman::Boundary::neumann;
  karman::SevenPointProblem<Exec, float> const problem(space, grid, sides, solid, {1, 1, 0.5});
  karman::RedBlackSor<Exec, float> sor(space, problem);
  // [walls]

  // [boundary values]
  karman::Plane<Exec, float> const inflow("inflow", nz, ny);
  Kokkos::deep_copy(space, inflow, 1.0f);
  sor.set_boundary_values(space, karman::Side::west, inflow);
  // [boundary values]

  karman::Field<Exec, float> const x("x", nz, ny, nx), rhs("rhs", nz, ny, nx);
  // [solve]
  karman::SorOptions options{.omega = 1.78, .tolerance = 1e-5, .max_iterations = 2000, .check_every = 10};
  options.monitor = [](karman::ResidualSample const& sample) {
    return sample.residual < 1e6;  // false ends the solve
  };
  karman::SolveReport const report = sor.solve(space, x, rhs, options);
  if (!report.converged) std::fprintf(stderr, "%s\n", karman::summary(report).c_str());
  // [solve]

  karman::Reducer<Exec> reducer(space);
  float const largest = reducer.max(space, x);
  return report.converged && largest > 0.5f && largest < 1 && reducer.min(space, x) >= 0;
}

bool conjugate_gradients(Exec const& space) {
  int const n = 12;
  karman::UniformGrid const grid({n, n, n}, {1, 1, 1});
  karman::Boundaries const sides = karman::Boundaries::all(karman::Boundary::dirichlet);
  karman::Field<Exec, double> const phi("phi", n, n, n), rhs("rhs", n, n, n);
  karman::Plane<Exec, double> const inflow("inflow", n, n);
  Kokkos::deep_copy(space, inflow, 1.0);
  // [conjugate gradients]
  karman::SevenPoint<Exec, double> a(space, {grid, sides});  // or {space, grid, sides, solid}
  a.set_boundary_values(space, karman::Side::west, inflow);
  karman::ConjugateGradients<Exec, double> cg(space, a.extents());
  karman::SolveReport const report = cg.solve(space, a, phi, rhs, {.tolerance = 1e-8});
  // [conjugate gradients]
  karman::Reducer<Exec> reducer(space);
  return report.converged && reducer.max(space, phi) > 0.5 && reducer.min(space, phi) > 0;
}

bool steps(Exec const& space) {
  int const n = 10;
  karman::UniformGrid const grid({n, n, n}, {1, 1, 1});
  karman::RedBlackSor<Exec, double> sor(space, {grid, karman::Boundaries()});
  karman::Field<Exec, double> const x("x", n, n, n), rhs("rhs", n, n, n);
  Kokkos::deep_copy(space, rhs, -1.0);
  double const omega = sor.optimal_omega();
  // [steps]
  sor.load(space, x, rhs);
  double const enough = 1e-8 * sor.right_hand_side_norm(space);
  while (sor.residual(space) > enough) sor.iterate(space, 10, omega);
  sor.store(space, x);
  // [steps]
  karman::Reducer<Exec> reducer(space);
  return reducer.min(space, x) > 0;
}

bool plane(Exec const& space) {
  // [plane]
  int const nx = 50, ny = 30;
  karman::UniformGrid const grid({nx, ny, 1}, {0.1, 0.1, 1.0});
  karman::Boundaries const sides = karman::Boundaries::planar(karman::Boundary::dirichlet);
  karman::RedBlackSor<Exec, double> sor(space, {grid, sides});
  karman::Plane<Exec, double> const phi("phi", ny, nx), rhs("rhs", ny, nx);
  Kokkos::deep_copy(space, rhs, -1.0);
  karman::SolveReport const report = sor.solve(space, phi, rhs, {.optimal_omega = true});
  // [plane]
  return report.converged;
}

bool errors(Exec const& space) {
  karman::UniformGrid const grid({4, 4, 4}, {1, 1, 1});
  karman::RedBlackSor<Exec, double> sor(space, {grid, karman::Boundaries()});
  karman::Field<Exec, double> const x("x", 4, 4, 4), rhs("rhs", 4, 4, 5);
  // [errors]
  try {
    sor.solve(space, x, rhs);  // rhs has the wrong shape
  } catch (std::invalid_argument const& error) {
    std::fprintf(stderr, "%s\n", error.what());  // file, line, and: rhs must have shape (nz, ny, nx) = (4, 4, 4)
    return true;
  }
  // [errors]
  return false;
}

using Velocity = karman::Field<Exec, double>;

bool reductions(Exec const& space, Velocity const& u, Velocity const& v, Velocity const& w) {
  Kokkos::View<double, Exec> const speed("speed");
  Kokkos::deep_copy(space, w, 2.0);
  // [reducer]
  karman::Reducer<Exec> reducer(space);                      // a plan: allocates its workspace once
  double const fastest = reducer.max_speed(space, u, v, w);  // on the host; has fenced space
  reducer.max_speed(space, u, v, w, speed);                  // into a View of rank 0; asynchronous
  // [reducer]
  double on_host = 0;
  Kokkos::deep_copy(space, on_host, speed);
  space.fence();
  return fastest == 2 && on_host == 2;
}

// [own reduction]
struct Residual {
  karman::ConstField<Exec, double> x, b;
  KOKKOS_FUNCTION double operator()(int k, int j, int i) const { return fabs(b(k, j, i) - 2 * x(k, j, i)); }
};
// [own reduction]

bool own_reduction(Exec const& space, karman::ConstField<Exec, double> const& x,
                   karman::ConstField<Exec, double> const& b) {
  int const nz = static_cast<int>(b.extent(0)), ny = static_cast<int>(b.extent(1)), nx = static_cast<int>(b.extent(2));
  Kokkos::View<double, Exec> const residual("residual");
  karman::Reducer<Exec> reducer(space);
  // [reduce]
  reducer.reduce(space, std::array{nz, ny, nx}, Residual{x, b}, karman::MaxOf<double>{}, residual);
  // [reduce]
  double on_host = 0;
  Kokkos::deep_copy(space, on_host, residual);
  space.fence();
  return on_host == 4;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const space;
  int failed = 0;
  auto const expect = [&](char const* what, bool right) {
    if (!right) std::fprintf(stderr, "WRONG: %s\n", what);
    failed += right ? 0 : 1;
  };
  expect("self-check of the backend", kernels_are_right(space));
  expect("walls and sides", walls_and_sides(space));
  expect("conjugate gradients", conjugate_gradients(space));
  expect("steps", steps(space));
  expect("plane", plane(space));
  expect("errors", errors(space));
  Velocity const zero("zero", 3, 4, 5), two("two", 3, 4, 5);
  expect("reductions", reductions(space, zero, zero, two));
  expect("a reduction of one's own", own_reduction(space, two, zero));
  return failed == 0 ? 0 : 1;
}
