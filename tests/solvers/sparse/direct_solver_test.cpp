// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helmholtz_case.hpp"
#include "refused_calls.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace direct_solver_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class DirectSolverOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(DirectSolverOn, SparseBackends, SparseNames);

/// The system with its entries rounded to the precision of the solver.
template <class Scalar>
HostMatrix<Exact<Scalar>> as_stored(HostMatrix<Exact<Scalar>> matrix) {
  for (auto& row : matrix.rows) {
    for (auto& [j, value] : row) value = exact<Scalar>(rounded<Scalar>(value));
  }
  return matrix;
}

TYPED_TEST(DirectSolverOn, SolvesRandomSystemsOfEverySize) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const library : direct_libraries()) {
    DirectSolver<Exec, Scalar> solver(library);
    EXPECT_EQ(solver.library(), library);
    for (int n : {0, 1, 2, 33, 600}) {
      for (bool symmetric : {true, false}) {
        auto const host = random_dominant<Number>(n, 6, 1.2, symmetric, unsigned(n) + 1);
        auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
        auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(3).vector(n));
        Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n));
        solver.analyse(this->space, matrix);
        auto const factors = solver.factor(this->space, matrix);
        ASSERT_TRUE(factors.ok()) << factors.breakdown;
        auto const report = solver.solve(this->space, x, b);
        EXPECT_TRUE(report.converged) << summary(report);
        // Solved in double; the copy of the solution is rounded, which |A| carries into the residual.
        auto const stored = as_stored<Scalar>(host);
        double norm = 0;
        for (auto const& row : stored.rows) {
          double sum = 0;
          for (auto const& [j, value] : row) sum += std::abs(value);
          norm = std::max(norm, sum);
        }
        auto const solution = to_vector(x);
        EXPECT_LE(distance(stored * solution, to_vector(b)),
                  TestFixture::epsilon * norm * norm_of(solution) + 1e-13 * norm_of(to_vector(b)));
        // As a linear map: the same solution without refinement. Rows dominate by a factor of 1.2, so that the
        // condition number is at most (2.2 / 0.2) times the spread of the diagonals, 10. Sums of about 40 terms in
        // double.
        Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n));
        solver.apply(this->space, b, z);
        EXPECT_LE(distance(to_vector(z), solution),
                  (4 * TestFixture::epsilon + 110 * 40 * 2.2e-16) * norm_of(solution));
      }
    }
  }
}

TYPED_TEST(DirectSolverOn, FactorsNewValuesOfOneProfile) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const library : direct_libraries()) {
    DirectSolver<Exec, Scalar> solver(library);
    auto host = random_dominant<Number>(200, 6, 0.5, false, 8);
    solver.analyse(this->space, to_matrix_on<Exec, Scalar>(this->space, host));
    auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(3).vector(200));
    Vector<Exec, Scalar> const x("karman::test::x", 200);
    for (double scale : {1.0, -3.0, 0.25}) {
      auto changed = host;
      for (auto& [j, value] : changed.rows[17]) value *= scale;
      ASSERT_TRUE(solver.factor(this->space, to_matrix_on<Exec, Scalar>(this->space, changed)).ok());
      EXPECT_TRUE(solver.solve(this->space, x, b).converged);
      auto const residual = distance(as_stored<Scalar>(changed) * to_vector(x), to_vector(b));
      EXPECT_LE(residual, 1e3 * TestFixture::epsilon * norm_of(to_vector(b)));
    }
  }
}

TYPED_TEST(DirectSolverOn, SaysThatAMatrixIsSingularOrNoNumber) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const library : direct_libraries()) {
    DirectSolver<Exec, Scalar> solver(library);
    auto host = random_dominant<Number>(40, 6, 0.5, false, 8);
    solver.analyse(this->space, to_matrix_on<Exec, Scalar>(this->space, host));
    Vector<Exec, Scalar> const x("karman::test::x", 40), b("karman::test::b", 40);
    for (auto& [j, value] : host.rows[11]) value = 0;
    auto const singular = solver.factor(this->space, to_matrix_on<Exec, Scalar>(this->space, host));
    EXPECT_EQ(singular.breakdown, "the matrix is singular");
    auto const report = solver.solve(this->space, x, b);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.breakdown, "the matrix is singular");
    host.rows[11][11] = std::numeric_limits<double>::quiet_NaN();
    auto const nothing = solver.factor(this->space, to_matrix_on<Exec, Scalar>(this->space, host));
    EXPECT_EQ(nothing.breakdown, "a value of the matrix is not a number");
    // A good matrix afterwards is solved normally; a right-hand side of NaN is reported.
    host = random_dominant<Number>(40, 6, 0.5, false, 8);
    EXPECT_TRUE(solver.factor(this->space, to_matrix_on<Exec, Scalar>(this->space, host)).ok());
    EXPECT_TRUE(solver.solve(this->space, x, b).converged) << "a right-hand side of zero";
    EXPECT_EQ(norm_of(to_vector(x)), 0);
    std::vector<Number> values(40, Number(1));
    values[7] = std::numeric_limits<double>::quiet_NaN();
    auto const wrong = solver.solve(this->space, x, to_vector_on<Exec, Scalar>(this->space, values));
    EXPECT_FALSE(wrong.converged);
    EXPECT_EQ(wrong.breakdown, "a value is not a number");
  }
}

TYPED_TEST(DirectSolverOn, LeavesXOfASingularMatrixAndGivesItsResidual) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const library : direct_libraries()) {
    DirectSolver<Exec, Scalar> solver(library);
    auto host = random_dominant<Number>(40, 6, 0.5, false, 8);
    for (auto& [j, value] : host.rows[11]) value = 0;
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    solver.analyse(this->space, matrix);
    ASSERT_EQ(solver.factor(this->space, matrix).breakdown, "the matrix is singular");
    // As the solver has it.
    auto const values = to_vector(matrix.values);
    auto next = values.begin();
    for (auto& row : host.rows) {
      for (auto& [j, value] : row) value = *next++;
    }
    auto const x = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(5).vector(40));
    auto const guess = to_vector(x);
    Vector<Exec, Scalar> const zero("karman::test::zero", 40);
    auto const some = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(3).vector(40));
    for (auto const& b : {some, zero}) {
      auto const report = solver.solve(this->space, x, b);
      EXPECT_EQ(distance(to_vector(x), guess), 0);
      EXPECT_FALSE(report.converged);
      double const size = norm_of(to_vector(b));
      // Where b is zero: relative to the residual of the first guess, which is this one.
      double const expected = size > 0 ? distance(host * guess, to_vector(b)) / size : 1;
      ASSERT_TRUE(size == 0 || std::abs(expected - 1) > 1e-3) << "nothing that could be taken for that of x = 0";
      EXPECT_NEAR(report.residual, expected, 1e-12 * expected);
      ASSERT_EQ(report.history.size(), 1u);
      EXPECT_EQ(report.history.front().iteration, 0);
    }
  }
}

TYPED_TEST(DirectSolverOn, RefusesCallsOutOfTurn) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  if (direct_libraries().empty()) {
    EXPECT_THROW((DirectSolver<Exec, Scalar>()), std::invalid_argument);
    return;
  }
  DirectSolver<Exec, Scalar> solver;
  EXPECT_EQ(solver.library(), direct_libraries().front());
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, random_dominant<Number>(40, 6, 0.5, false, 8));
  Vector<Exec, Scalar> const x("karman::test::x", 40), b("karman::test::b", 40), shorter("karman::test::short", 39);
  EXPECT_THROW(solver.factor(this->space, matrix), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, x, b), std::invalid_argument);
  solver.analyse(this->space, matrix);
  EXPECT_THROW(solver.solve(this->space, x, b), std::invalid_argument);
  auto const other = to_matrix_on<Exec, Scalar>(this->space, random_dominant<Number>(41, 6, 0.5, false, 8));
  EXPECT_THROW(solver.factor(this->space, other), std::invalid_argument);
  EXPECT_TRUE(solver.factor(this->space, matrix).ok());
  EXPECT_THROW(solver.solve(this->space, shorter, b), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, x, shorter), std::invalid_argument);
  EXPECT_TRUE(solver.solve(this->space, x, b).converged);
}

/// Residual of a solution, relative to b and in the precision of the solver.
template <class Exec, class Scalar>
double residual_by(DirectSolver<Exec, Scalar>& solver, Exec const& space, HostMatrix<Exact<Scalar>> const& host) {
  auto const matrix = to_matrix_on<Exec, Scalar>(space, host);
  auto const b = to_vector_on<Exec, Scalar>(space, RandomNumbers<Exact<Scalar>>(3).vector(host.n()));
  Vector<Exec, Scalar> const x("karman::test::x", std::size_t(host.n()));
  auto const factors = solver.factor(space, matrix);
  EXPECT_TRUE(factors.ok()) << factors.breakdown;
  EXPECT_TRUE(solver.solve(space, x, b).converged);
  return distance(as_stored<Scalar>(host) * to_vector(x), to_vector(b)) / norm_of(to_vector(b));
}

TYPED_TEST(DirectSolverOn, SolvesSymmetricAndOtherMatricesOfOneProfile) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  constexpr int n = 300;
  auto const symmetric = random_dominant<Number>(n, 6, 1.2, true, 5);
  auto other = symmetric;
  for (auto& [j, value] : other.rows[17]) value *= j == 17 ? 1.5 : 0.5;
  for (auto const library : direct_libraries()) {
    DirectSolver<Exec, Scalar> solver(library);
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, symmetric);
    solver.analyse(this->space, matrix);
    double const bound = 1e3 * TestFixture::epsilon;
    auto const entries = solver.factor(this->space, matrix).entries;
    EXPECT_LE(residual_by(solver, this->space, symmetric), bound) << name(library);
    EXPECT_LE(residual_by(solver, this->space, other), bound) << name(library);
    auto const both = solver.factor(this->space, to_matrix_on<Exec, Scalar>(this->space, other)).entries;
    EXPECT_LE(residual_by(solver, this->space, symmetric), bound) << name(library);
    EXPECT_EQ(solver.factor(this->space, matrix).entries, entries);
    // L D L^T has half the entries of L U.
    if (library == DirectLibrary::mumps) {
      EXPECT_GT(double(both), 1.6 * double(entries));
    }
  }
}

TYPED_TEST(DirectSolverOn, SolvesMatricesWithoutADiagonal) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  // A swap of neighbours is symmetric, with zeros on the diagonal or without entries there. A rotation of all is not.
  constexpr int n = 34;
  HostMatrix<Number> swap(n), zeros(n), rotation(n);
  for (int i = 0; i < n; ++i) {
    swap.rows[std::size_t(i)][i ^ 1] = 2 + i / 2;
    zeros.rows[std::size_t(i)] = {{i, Number(0)}, {i ^ 1, Number(2 + i / 2)}};
    rotation.rows[std::size_t(i)][(i + 1) % n] = 1 + i;
  }
  for (auto const library : direct_libraries()) {
    for (auto const* host : {&swap, &zeros, &rotation}) {
      DirectSolver<Exec, Scalar> solver(library);
      solver.analyse(this->space, to_matrix_on<Exec, Scalar>(this->space, *host));
      EXPECT_LE(residual_by(solver, this->space, *host), 10 * TestFixture::epsilon) << name(library);
    }
  }
}

TYPED_TEST(DirectSolverOn, SolvesSeveralComponentsWithTheSameBits) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  // Unknowns alone, a chain, and a random system.
  constexpr int alone = 20, chain = 50, rest = 130, n = alone + chain + rest;
  HostMatrix<Number> host(n);
  for (int i = 0; i < alone + chain; ++i) host.rows[std::size_t(i)][i] = 3;
  for (int i = alone; i + 1 < alone + chain; ++i)
    host.rows[std::size_t(i)][i + 1] = host.rows[std::size_t(i + 1)][i] = 1;
  auto const random = random_dominant<Number>(rest, 6, 1.2, true, 5);
  for (int i = 0; i < rest; ++i) {
    for (auto const& [j, value] : random.rows[std::size_t(i)])
      host.rows[std::size_t(alone + chain + i)][alone + chain + j] = value;
  }
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(3).vector(n));
  for (auto const library : direct_libraries()) {
    std::vector<std::vector<Number>> solutions;
    for (int round = 0; round < 2; ++round) {
      DirectSolver<Exec, Scalar> solver(library);
      solver.analyse(this->space, matrix);
      EXPECT_LE(residual_by(solver, this->space, host), 1e2 * TestFixture::epsilon) << name(library);
      Vector<Exec, Scalar> const x("karman::test::x", n);
      solver.solve(this->space, x, b);
      solutions.push_back(to_vector(x));
    }
    EXPECT_EQ(solutions[0], solutions[1]) << name(library);
  }
}

TYPED_TEST(DirectSolverOn, TakesAMatrixOfNoEntriesAsSingular) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const library : direct_libraries()) {
    for (int n : {1, 3, 20}) {
      auto const matrix = to_matrix_on<Exec, Scalar>(this->space, HostMatrix<Number>(n));
      DirectSolver<Exec, Scalar> solver(library);
      solver.analyse(this->space, matrix);
      EXPECT_EQ(solver.factor(this->space, matrix).breakdown, "the matrix is singular") << name(library) << ' ' << n;
    }
  }
}

TYPED_TEST(DirectSolverOn, RefusesColumnsOutOfRangeOrOrder) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  std::vector<int> const wrong[] = {{1, 0, 1}, {0, 0, 1}, {0, 2, 1}, {0, -1, 1}};
  for (auto const library : direct_libraries()) {
    for (auto const& columns : wrong) {
      CsrMatrix<Exec, Scalar> const matrix{{numbers_on(this->space, {0, 2, 3}), numbers_on(this->space, columns)},
                                           to_vector_on<Exec, Scalar>(this->space, std::vector<Number>(3, Number(1))),
                                           2};
      DirectSolver<Exec, Scalar> solver(library);
      EXPECT_THROW(solver.analyse(this->space, matrix), std::invalid_argument) << name(library);
    }
  }
}

TYPED_TEST(DirectSolverOn, NamesThePackageOfAnAbsentLibrary) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  auto const present = direct_libraries();
  constexpr std::pair<DirectLibrary, char const*> packages[] = {{DirectLibrary::mumps, "libmumps-seq-dev"},
                                                                {DirectLibrary::umfpack, "libsuitesparse-dev"},
                                                                {DirectLibrary::superlu, "libsuperlu-dev"}};
  for (auto const& [library, package] : packages) {
    if (std::find(present.begin(), present.end(), library) != present.end()) {
      EXPECT_EQ((DirectSolver<Exec, Scalar>(library).library()), library);
    } else {
      expect_refused(package, [wanted = library] { DirectSolver<Exec, Scalar> const solver(wanted); });
    }
  }
}

template <class Parameter>
class DirectHelmholtzOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(DirectHelmholtzOn, ComplexBackends, SparseNames);

/// Waves that all walls absorb, or that run along the walls: u = exp(i k x) except for the error of the elements, of
/// second order.
TYPED_TEST(DirectHelmholtzOn, SolvesAPlaneWaveToSecondOrder) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  for (auto const library : direct_libraries()) {
    std::vector<double> errors;
    for (int n : {21, 41, 81}) {
      // Reflecting walls along x, an open end: a plane wave.
      HelmholtzCase problem{.n = n, .across = 1, .reflection = 0};
      problem.walls = false;
      auto system = problem.assemble();
      // The sides along x must be closed: subtracts their admittance.
      double const k = problem.wave_number(), h = problem.spacing();
      for (int m = 0; m + 1 < n; ++m) {
        for (int j : {0, n - 1}) {
          for (int p : {m, m + 1}) {
            for (int q : {m, m + 1}) {
              system.matrix.rows[std::size_t(problem.node(p, j))][problem.node(q, j)] +=
                  std::complex<double>(0, k * h * (p == q ? 1.0 / 3 : 1.0 / 6));
            }
          }
        }
      }
      auto const matrix = to_matrix_on<Exec, Scalar>(this->space, system.matrix);
      DirectSolver<Exec, Scalar> solver(library);
      solver.analyse(this->space, matrix);
      ASSERT_TRUE(solver.factor(this->space, matrix).ok());
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n * n));
      EXPECT_TRUE(solver.solve(this->space, x, to_vector_on<Exec, Scalar>(this->space, system.rhs), 1e-12).converged);
      auto const u = to_vector(x);
      double square = 0;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          square += std::norm(u[std::size_t(problem.node(i, j))] - std::polar(1.0, k * i * h));
        }
      }
      errors.push_back(std::sqrt(square) / n);
    }
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.05) << errors[0] << ' ' << errors[1] << ' ' << errors[2];
  }
}

}  // namespace direct_solver_test
