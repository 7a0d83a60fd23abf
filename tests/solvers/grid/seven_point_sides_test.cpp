// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sides of the 7-point operator: every solver gives the same answers.
#include "backends.hpp"
#include "fields.hpp"
#include "serial_sor.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace seven_point_sides_test {

using namespace karman;
using karman::test::HostField;
using karman::test::make_plane;
using karman::test::SerialSor;
using karman::test::to_device;
using karman::test::to_host;

template <class Parameter>
class SevenPointSidesOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(SevenPointSidesOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

/// A conductivity in the cells, arithmetic means on the faces; periodic in x and y, value 0 on the bottom.
template <class Conductivity>
SerialSor around_two_axes(UniformGrid const& grid, Conductivity const& of) {
  auto const extents = grid.extents(Location::cell);
  SerialSor problem{grid, {1, 1, 1}, {}, {}, HostField<double>(extents), HostField<double>(extents)};
  problem.periodic = {true, true, false};
  std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
  for (std::size_t f = 0; f < 6; ++f) {
    problem.face[f] = HostField<double>(extents);
    problem.face[f].fill([&](int k, int j, int i) {
      int const kk = k + step[f][0];
      int const jj = (j + step[f][1] + grid.ny()) % grid.ny();
      int const ii = (i + step[f][2] + grid.nx()) % grid.nx();
      if (kk < 0) return 2 * of(k, j, i);
      return kk >= grid.nz() ? 0.0 : 0.5 * (of(k, j, i) + of(kk, jj, ii));
    });
  }
  problem.rhs.fill([&](int k, int j, int i) { return std::sin(1.0 + 3 * k + 5 * j + 7 * i); });
  return problem;
}

template <class Exec>
FaceCoefficients<Exec, double> coefficients_of(Exec const& space, SerialSor const& problem) {
  auto const& f = problem.face;
  return {to_device(space, f[0]), to_device(space, f[1]), to_device(space, f[2]),
          to_device(space, f[3]), to_device(space, f[4]), to_device(space, f[5])};
}

/// Solves from zero and compares with the equation in plain loops.
template <class Exec, class Solve>
void expect_solution(Exec const& space, SerialSor problem, std::string const& name, Solve const& solve) {
  double const tolerance = 1e-8;
  auto const lambda = to_device(space, problem.lambda);
  SolveReport const report = solve(lambda, ConstField<Exec, double>(to_device(space, problem.rhs)), tolerance);
  EXPECT_TRUE(report.converged) << name << ": " << summary(report);
  problem.lambda = to_host(space, lambda);
  EXPECT_LE(problem.residual(), 1.01 * tolerance) << name;  // max |b| is at most 1
}

template <class Exec>
void solve_by_every_method(Exec const& space, SerialSor const& problem, bool separable) {
  using V = Field<Exec, double>;
  using C = ConstField<Exec, double>;
  auto const& grid = problem.grid;
  Boundaries sides = Boundaries::all(Boundary::periodic);
  sides.top = Boundary::neumann;
  sides.bottom = Boundary::dirichlet;
  SevenPointProblem<Exec, double> const equation(grid, sides, coefficients_of(space, problem));
  for (auto const storage : {SorStorage::coefficients, SorStorage::folded}) {
    RedBlackSor<Exec, double> sor(space, equation, {storage});
    expect_solution(space, problem, "SOR", [&](V const& x, C const& b, double tolerance) {
      return sor.solve(space, x, b, {.omega = 1.5, .tolerance = tolerance});
    });
  }
  for (auto const coarsening : {MultigridCoarsening::pairs, MultigridCoarsening::aggregates}) {
    Multigrid<Exec, double> multigrid(space, equation, {.coarsening = coarsening});
    expect_solution(space, problem, "multigrid", [&](V const& x, C const& b, double tolerance) {
      return multigrid.solve(space, x, b, {.tolerance = tolerance});
    });
  }
  SevenPoint<Exec, double> a(space, equation);
  ConjugateGradients<Exec, double> gradients(space, a.extents(), false);
  expect_solution(space, problem, "conjugate gradients", [&](V const& x, C const& b, double tolerance) {
    return gradients.solve(space, a, x, b, {.tolerance = tolerance});
  });
  Jacobi<Exec, double> jacobi(space, a);
  expect_solution(space, problem, "Jacobi", [&](V const& x, C const& b, double tolerance) {
    return jacobi.solve(space, x, b, {.tolerance = tolerance});
  });
  GaussSeidel<Exec, double> seidel(space, a);
  expect_solution(space, problem, "Gauss-Seidel", [&](V const& x, C const& b, double tolerance) {
    return seidel.solve(space, x, b, {.tolerance = tolerance});
  });
  if (!separable) return;
  Adi<Exec, double> adi(space, a);
  expect_solution(space, problem, "ADI", [&](V const& x, C const& b, double tolerance) {
    return adi.solve(space, x, b, {.tolerance = tolerance});
  });
}

TYPED_TEST(SevenPointSidesOn, PeriodicAxesTakeCoefficientsOfAnySize) {
  UniformGrid const grid({9, 8, 7}, {1, 0.8, 1.2});
  auto const constant = [](int, int, int) { return 5.0; };
  solve_by_every_method(this->space, around_two_axes(grid, constant), true);
  auto const varying = [](int k, int j, int i) { return 4 + 3 * std::sin(1.0 + i + 2 * j + 3 * k); };
  solve_by_every_method(this->space, around_two_axes(grid, varying), false);
}

/// Solves with values of 1e3 on all closed sides, also of a missing axis, and 1 beyond the west: the solution is 1.
template <class Exec, class Solver, class Solve>
void expect_closed_sides_ignored(Exec const& space, UniformGrid const& grid, Solver& solver, std::string const& name,
                                 Solve const& solve) {
  for (int side = 0; side < 6; ++side) {
    int const slow = side < 4 ? grid.nz() : grid.ny(), fast = side < 2 ? grid.ny() : grid.nx();
    double const value = static_cast<Side>(side) == Side::west ? 1 : 1e3;
    solver.set_boundary_values(space, static_cast<Side>(side),
                               make_plane<double>(space, slow, fast, [&](int, int) { return value; }));
  }
  auto const lambda = to_device(space, HostField<double>(grid.extents(Location::cell)));
  auto const zero = to_device(space, HostField<double>(grid.extents(Location::cell)));
  EXPECT_TRUE(solve(lambda, ConstField<Exec, double>(zero)).converged) << name;
  for (double const value : to_host(space, lambda).values) EXPECT_NEAR(value, 1, 1e-6) << name;
}

template <class Exec>
void expect_closed_sides_ignored(Exec const& space, UniformGrid const& grid) {
  using V = Field<Exec, double>;
  using C = ConstField<Exec, double>;
  SCOPED_TRACE(::testing::Message() << grid.nx() << " x " << grid.ny() << " x " << grid.nz());
  Boundaries sides = Boundaries::all(Boundary::neumann);
  sides.west = Boundary::fixed;
  SevenPointProblem<Exec, double> const walled(grid, sides, make_wall_codes(space, grid, sides));
  double const tolerance = 1e-10;
  RedBlackSor<Exec, double> sor(space, walled);
  expect_closed_sides_ignored(space, grid, sor, "SOR", [&](V const& x, C const& b) {
    return sor.solve(space, x, b, {.optimal_omega = true, .tolerance = tolerance});
  });
  Multigrid<Exec, double> multigrid(space, walled);
  expect_closed_sides_ignored(space, grid, multigrid, "multigrid", [&](V const& x, C const& b) {
    return multigrid.solve(space, x, b, {.tolerance = tolerance});
  });
  SevenPoint<Exec, double> a(space, walled);
  ConjugateGradients<Exec, double> gradients(space, a.extents(), false);
  expect_closed_sides_ignored(space, grid, a, "SevenPoint", [&](V const& x, C const& b) {
    return gradients.solve(space, a, x, b, {.tolerance = tolerance});
  });
  FastPoisson<Exec, double> direct(space, {grid, sides});
  expect_closed_sides_ignored(space, grid, direct, "FastPoisson",
                              [&](V const& x, C const& b) { return direct.solve(space, x, b); });
}

TYPED_TEST(SevenPointSidesOn, ClosedSidesIgnoreTheirValues) {
  for (auto const& cells : std::vector<std::array<int, 3>>{{6, 5, 4}, {6, 5, 1}, {6, 1, 4}, {6, 1, 1}}) {
    expect_closed_sides_ignored(this->space, UniformGrid(cells, {1, 1, 1}));
  }
}

template <class Exec, class Solver>
void expect_periodic_sides_refused(Exec const& space, UniformGrid const& grid, Solver&& solver) {
  auto const plane = make_plane<double>(space, grid.nz(), grid.nx(), [](int, int) { return 1.0; });
  EXPECT_THROW(solver.set_boundary_values(space, Side::north, plane), std::invalid_argument);
  EXPECT_THROW(solver.set_boundary_values(space, Side::south, plane), std::invalid_argument);
}

/// Whether or not the axis has more than one cell.
TYPED_TEST(SevenPointSidesOn, PeriodicSidesTakeNoValues) {
  using Exec = typename TestFixture::Exec;
  Boundaries sides = Boundaries::all(Boundary::dirichlet);
  sides.north = sides.south = Boundary::periodic;
  for (int const ny : {1, 4}) {
    UniformGrid const grid({5, ny, 3}, {1, 1, 1});
    SevenPointProblem<Exec, double> const open(grid, sides);
    expect_periodic_sides_refused(this->space, grid, RedBlackSor<Exec, double>(this->space, open));
    expect_periodic_sides_refused(this->space, grid, Multigrid<Exec, double>(this->space, open));
    expect_periodic_sides_refused(this->space, grid, SevenPoint<Exec, double>(this->space, open));
    expect_periodic_sides_refused(this->space, grid, FastPoisson<Exec, double>(this->space, open));
  }
}

/// The message of the refusal, or an empty text.
template <class Plan>
std::string refusal(Plan const& plan) {
  try {
    plan();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return {};
}

/// Codes and arrays made for sides that differ from the sides of the problem.
template <class Exec>
void expect_other_sides_refused(Exec const& space, Boundary made_for, Boundary given, bool arrays_too) {
  using Problem = SevenPointProblem<Exec, double>;
  UniformGrid const grid({5, 4, 3}, {1, 1, 1});
  Boundaries made = Boundaries::all(Boundary::dirichlet), sides = made;
  made.north = made.south = made_for;
  sides.north = sides.south = given;
  auto const codes = make_wall_codes(space, grid, made);
  std::vector<Problem> problems{Problem(grid, sides, codes)};
  if (arrays_too) problems.push_back(Problem(grid, sides, unpack<Exec, double>(space, grid, codes)));
  for (auto const& problem : problems) {
    for (auto const& message : {refusal([&] { SevenPoint<Exec, double>(space, problem); }),
                                refusal([&] { RedBlackSor<Exec, double>(space, problem); }),
                                refusal([&] { Multigrid<Exec, double>(space, problem); })}) {
      EXPECT_NE(message.find("the north side is Boundary::"), std::string::npos) << message;
    }
    EXPECT_NE(refusal([&] { FastPoisson<Exec, double>(space, problem); }).find("take Multigrid"), std::string::npos);
  }
}

TYPED_TEST(SevenPointSidesOn, CoefficientsFitTheSides) {
  expect_other_sides_refused(this->space, Boundary::dirichlet, Boundary::neumann, true);
  expect_other_sides_refused(this->space, Boundary::periodic, Boundary::neumann, true);
  expect_other_sides_refused(this->space, Boundary::dirichlet, Boundary::periodic, false);
  expect_other_sides_refused(this->space, Boundary::dirichlet, Boundary::fixed, false);
}

}  // namespace seven_point_sides_test
