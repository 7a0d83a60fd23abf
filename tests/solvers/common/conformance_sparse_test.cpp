// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conformance.hpp"
#include "solvers/sparse/sparse_backends.hpp"
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace conformance_sparse_test {

using namespace karman;
using namespace karman::test;

constexpr int unknowns = 240;

/// Complex numbers as pairs of reals.
template <class Number>
std::vector<double> parts_of(std::vector<Number> const& values) {
  std::vector<double> parts;
  for (Number const& value : values) {
    parts.push_back(std::real(value));
    if constexpr (!std::is_same_v<Number, double>) parts.push_back(std::imag(value));
  }
  return parts;
}
template <class Number>
std::vector<Number> of_parts(std::vector<double> const& parts) {
  std::vector<Number> values;
  constexpr std::size_t width = std::is_same_v<Number, double> ? 1 : 2;
  for (std::size_t n = 0; n < parts.size(); n += width) {
    if constexpr (width == 1) {
      values.push_back(parts[n]);
    } else {
      values.push_back({parts[n], parts[n + 1]});
    }
  }
  return values;
}

/// A dominant matrix, or one whose rows and columns sum to zero.
template <class Exec, class Scalar>
struct SparseProblem {
  using Number = Exact<Scalar>;
  HostMatrix<Number> host;
  std::vector<Number> b;
  CsrMatrix<Exec, Scalar> matrix;
  Vector<Exec, Scalar> x, rhs;

  SparseProblem(Exec const& space, ConformanceInput const& input, std::vector<double> const& guess)
      : host(random_dominant<Number>(unknowns, 8, 1.2, true, 5)),
        b(RandomNumbers<Number>(11).vector(unknowns)),
        x(to_vector_on<Exec, Scalar>(space, of_parts<Number>(guess))) {
    if (input.singular) {
      Number mean = 0;
      for (int i = 0; i < unknowns; ++i) {
        auto& row = host.rows[std::size_t(i)];
        row[i] = 0;
        Number sum = 0;
        for (auto& [j, value] : row) {
          // Sums of these are exact in float.
          if (j != i) value = -double(1 + (i + j) % 4);
          sum += value;
        }
        row[i] = -sum;
      }
      for (Number const& value : b) mean += value / double(unknowns);
      for (Number& value : b) value += Number(input.imbalance) - mean;
    }
    for (Number& value : b) value *= input.size;
    auto given = host;
    auto wrong = b;
    if (input.poisoned == "matrix") given.rows[17].begin()->second = input.poison;
    if (input.poisoned == "rhs") wrong[17] = input.poison;
    matrix = to_matrix_on<Exec, Scalar>(space, given);
    rhs = to_vector_on<Exec, Scalar>(space, wrong);
    for (Number& value : b) value = exact<Scalar>(rounded<Scalar>(value));
  }

  ConformanceResult result(SolveReport const& report, ConformanceInput const& input) const {
    auto const values = to_vector(x);
    auto const product = host * values;
    Number mean = 0;
    for (Number const& value : b) mean += input.singular ? value / double(unknowns) : Number(0);
    double largest = 0, norm = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      double const r = std::abs(b[i] - mean - product[i]);
      if (!(r <= largest)) largest = r;
      norm = std::max(norm, std::abs(b[i] - mean));
    }
    return {report, parts_of(values), norm > 0 ? largest / norm : largest};
  }
};

template <class Exec, class Scalar, class Run>
ConformingSolver on_matrix(Exec const& space, std::string const& name, Run const& run) {
  ConformingSolver solver;
  solver.name = name;
  solver.unknowns = std::size_t(unknowns) * (is_complex<Scalar> ? 2 : 1);
  solver.epsilon = std::numeric_limits<RealOf<Scalar>>::epsilon();
  // 2-norms bound the largest residual by sqrt(n) of the largest right-hand side at most.
  solver.tolerance = std::is_same_v<RealOf<Scalar>, float> ? 1e-5 : 1e-10;
  solver.inputs = {"rhs", "matrix"};
  solver.takes_mean_out = false;
  solver.solve = [=](ConformanceInput const& input, std::vector<double> const& guess,
                     ConformanceOptions const& options) {
    SparseProblem<Exec, Scalar> const problem(space, input, guess);
    auto result = problem.result(run(problem, options), input);
    result.residual /= std::sqrt(double(unknowns));
    return result;
  };
  return solver;
}

template <class Exec, class Scalar>
ConformingSolver krylov(Exec const& space, KrylovMethod method, bool preconditioned) {
  return on_matrix<Exec, Scalar>(space, std::string(name(method)) + (preconditioned ? " with M" : ""),
                                 [=](SparseProblem<Exec, Scalar> const& problem, ConformanceOptions const& options) {
                                   SparseOperator<Exec, Scalar> a(problem.matrix);
                                   GeneralKrylov<Exec, Scalar> solver(space, unknowns, {method, 30});
                                   auto const o = options.as<GeneralKrylovOptions>();
                                   ConstVector<Exec, Scalar> const rhs = problem.rhs;
                                   if (!preconditioned) return solver.solve(space, a, problem.x, rhs, o);
                                   SparseJacobiPreconditioner<Exec, Scalar> jacobi(space, problem.matrix.graph,
                                                                                   unknowns);
                                   jacobi.factor(space, problem.matrix);
                                   return solver.solve(space, a, jacobi, problem.x, rhs, o);
                                 });
}

template <class Exec, class Scalar>
ConformingSolver direct(Exec const& space, DirectLibrary library) {
  auto solver =
      on_matrix<Exec, Scalar>(space, std::string(name(library)),
                              [=](SparseProblem<Exec, Scalar> const& problem, ConformanceOptions const& options) {
                                DirectSolver<Exec, Scalar> factors(library);
                                factors.analyse(space, problem.matrix);
                                factors.factor(space, problem.matrix);
                                return factors.solve(space, problem.x, ConstVector<Exec, Scalar>(problem.rhs),
                                                     std::max(options.tolerance, 1e-10));
                              });
  solver.iterative = false;
  solver.may_be_singular = false;
  return solver;
}

template <class Parameter>
class SparseSolvers : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(SparseSolvers, SparseBackends, SparseNames);

TYPED_TEST(SparseSolvers, Krylov) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  std::vector<ConformingSolver> solvers;
  for (auto const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    for (bool const preconditioned : {false, true}) {
      solvers.push_back(krylov<Exec, Scalar>(this->space, method, preconditioned));
    }
  }
  expect_conformance(solvers);
}

TYPED_TEST(SparseSolvers, Direct) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  std::vector<ConformingSolver> solvers;
  for (auto const library : direct_libraries()) solvers.push_back(direct<Exec, Scalar>(this->space, library));
  expect_conformance(solvers);
}

/// However rarely they check, the methods keep the solution that they have reached.
TYPED_TEST(SparseSolvers, StayAtTheSolution) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    for (int const n : {1, 2, 5, 31}) {
      SCOPED_TRACE(std::string(name(method)) + ", n = " + std::to_string(n));
      auto const host = random_dominant<Number>(n, 4, 1.2, true, 7);
      auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
      SparseOperator<Exec, Scalar> a(matrix);
      GeneralKrylov<Exec, Scalar> solver(this->space, n, {method, 20});
      auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(2).vector(n));
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n));
      auto const report =
          solver.solve(this->space, a, x, b, {.tolerance = 0, .max_iterations = 3000, .check_every = 1000});
      EXPECT_LE(report.residual, 100 * TestFixture::epsilon) << summary(report);
    }
  }
}

}  // namespace conformance_sparse_test
