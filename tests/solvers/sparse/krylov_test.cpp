// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helmholtz_case.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

namespace krylov_test {

using namespace karman;
using namespace karman::test;

constexpr KrylovMethod all_methods[] = {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres};

template <class Parameter>
class GeneralKrylovOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(GeneralKrylovOn, SparseBackends, SparseNames);

/// A system and its exact solution.
template <class Exec, class Scalar>
struct System {
  using Number = Exact<Scalar>;
  HostMatrix<Number> host;
  std::vector<Number> expected;
  CsrMatrix<Exec, Scalar> matrix;
  SparseOperator<Exec, Scalar> a;
  Vector<Exec, Scalar> b, x;

  System(Exec const& space, HostMatrix<Number> const& given)
      : host(given),
        expected(RandomNumbers<Number>(11).vector(given.n())),
        matrix(to_matrix_on<Exec, Scalar>(space, given)),
        a(matrix),
        b(to_vector_on<Exec, Scalar>(space, given * expected)),
        x("karman::test::x", std::size_t(given.n())) {}

  double error() const { return distance(to_vector(x), expected) / std::max(norm_of(expected), 1e-300); }
};

/// Hides that a map is a sparse matrix, or a diagonal.
template <class Exec, class Scalar>
class Hidden final : public LinearOperator<Exec, Scalar> {
 public:
  explicit Hidden(LinearOperator<Exec, Scalar> const& map) : map_(map) {}
  std::array<int, 3> extents() const override { return map_.extents(); }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) const override {
    map_.apply(space, x, result);
  }

 private:
  LinearOperator<Exec, Scalar> const& map_;
};

/// A map of vectors as one of fields with three axes.
template <class Exec, class Scalar>
class OnGrid final : public LinearOperator<Exec, Scalar> {
 public:
  explicit OnGrid(VectorOperator<Exec, Scalar> const& map) : map_(map) {}
  std::array<int, 3> extents() const override { return {2, 5, map_.size() / 10}; }
  void apply(Exec const& space, ConstField<Exec, Scalar> const& x, Field<Exec, Scalar> const& result) const override {
    require(x.extent(0) == 2 && x.extent(1) == 5 && result.extent(1) == 5, "OnGrid: the fields have another shape");
    map_.apply(space, ConstVector<Exec, Scalar>(x.data(), x.size()), Vector<Exec, Scalar>(result.data(), x.size()));
  }

 private:
  VectorOperator<Exec, Scalar> const& map_;
};

TYPED_TEST(GeneralKrylovOn, TakesMapsOnGrids) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  System<Exec, Scalar> s(this->space, random_dominant<Number>(300, 4, 1.2, true, 9));
  SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, s.matrix.graph, 300);
  jacobi.factor(this->space, s.matrix);
  OnGrid<Exec, Scalar> a(s.a), m(jacobi);
  for (KrylovMethod const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    GeneralKrylov<Exec, Scalar> solver(this->space, 300, {method, 50});
    Kokkos::deep_copy(s.x, Scalar(0));
    auto const report = solver.solve(this->space, a, m, s.x, s.b, {.tolerance = 1000 * TestFixture::epsilon});
    EXPECT_TRUE(report.converged) << name(method) << ": " << summary(report);
    // Rows exceed their others by a fifth: the inverse is at most about 10 / |diagonal|.
    EXPECT_LE(s.error(), 1e5 * TestFixture::epsilon) << name(method);
  }
}

TYPED_TEST(GeneralKrylovOn, SolvesRandomSystemsOfEverySize) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  double const tolerance = std::is_same_v<RealOf<Scalar>, float> ? 1e-5 : 1e-10;
  for (auto const method : all_methods) {
    for (int n : {0, 1, 2, 31, 257, 1000}) {
      bool const symmetric = method == KrylovMethod::cocg;
      System<Exec, Scalar> s(this->space, random_dominant<Number>(n, 8, 1.2, symmetric, unsigned(n) + 5));
      SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, s.matrix.graph, n);
      jacobi.factor(this->space, s.matrix);
      EXPECT_EQ(jacobi.zero_pivots(this->space), 0);
      Hidden<Exec, Scalar> hidden_a(s.a), hidden_jacobi(jacobi);
      GeneralKrylov<Exec, Scalar> solver(this->space, n, {method, 20});
      GeneralKrylovOptions const options{.tolerance = tolerance, .max_iterations = 300, .check_every = 3};
      for (int kind = 0; kind < 5; ++kind) {
        Kokkos::deep_copy(s.x, Scalar(kind == 4 ? 0.5 : 0.0));
        LinearOperator<Exec, Scalar> const& a =
            kind == 2 ? static_cast<LinearOperator<Exec, Scalar> const&>(hidden_a) : s.a;
        auto const report = kind == 0   ? solver.solve(this->space, s.a, s.x, s.b, options)
                            : kind == 3 ? solver.solve(this->space, a, hidden_jacobi, s.x, s.b, options)
                                        : solver.solve(this->space, a, jacobi, s.x, s.b, options);
        EXPECT_TRUE(report.converged) << name(method) << " n = " << n << " kind " << kind << ": " << summary(report);
        EXPECT_LE(report.residual, tolerance);
        // Rows dominate by a factor of 1.2: |A^-1| |A| is at most (2.2 / 0.2) times the spread of the diagonals, 10.
        EXPECT_LE(s.error(), 110 * (tolerance + 30 * TestFixture::epsilon)) << name(method) << " n = " << n;
        ASSERT_FALSE(report.history.empty());
        EXPECT_EQ(report.history.back().iteration, report.iterations);
        EXPECT_EQ(report.history.back().residual, report.residual);
      }
    }
  }
}

/// The reported residual is that of the returned x, whatever ends the solve.
TYPED_TEST(GeneralKrylovOn, ReportsTheResidualOfWhatItReturns) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(500, 8, 0.9, true, 5));
    GeneralKrylov<Exec, Scalar> solver(this->space, 500, {method, 7});
    for (int iterations : {0, 1, 4, 7, 8, 20}) {
      Kokkos::deep_copy(s.x, Scalar(0));
      auto const report =
          solver.solve(this->space, s.a, s.x, s.b, {.tolerance = 0, .max_iterations = iterations, .check_every = 5});
      EXPECT_FALSE(report.converged);
      EXPECT_LE(report.iterations, iterations);
      auto const b = to_vector(s.b);
      double const residual = distance(s.host * to_vector(s.x), b) / norm_of(b);
      EXPECT_NEAR(report.residual, residual, 200 * TestFixture::epsilon) << name(method) << ' ' << iterations;
    }
  }
}

/// However rarely a method checks its residual: x includes every step, and the residual of the recursion is that of x.
TYPED_TEST(GeneralKrylovOn, HasTakenEveryStepWhereItStops) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  System<Exec, Scalar> s(this->space, random_dominant<Number>(300, 8, 1.2, true, 5));
  SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, s.matrix.graph, 300);
  jacobi.factor(this->space, s.matrix);
  for (auto const method : all_methods) {
    GeneralKrylov<Exec, Scalar> solver(this->space, 300, {method, 50});
    for (bool const preconditioned : {false, true}) {
      auto const solve = [&](int iterations, int check_every) {
        GeneralKrylovOptions const options{.tolerance = 0, .max_iterations = iterations, .check_every = check_every};
        Kokkos::deep_copy(s.x, Scalar(0));
        return preconditioned ? solver.solve(this->space, s.a, jacobi, s.x, s.b, options)
                              : solver.solve(this->space, s.a, s.x, s.b, options);
      };
      auto const checks = solve(6, 1).history;
      ASSERT_EQ(checks.size(), 7u);
      for (int iterations = 1; iterations <= 5; ++iterations) {
        std::string const what = std::string(name(method)) + (preconditioned ? " with M, " : ", ") +
                                 std::to_string(iterations) + " iterations";
        solve(iterations, 1);
        auto const step_by_step = to_vector(s.x);
        double const residual = solve(iterations, 100).residual;
        EXPECT_LE(distance(to_vector(s.x), step_by_step), 110 * 30 * TestFixture::epsilon * norm_of(step_by_step))
            << what;
        EXPECT_NEAR(checks[std::size_t(iterations)].residual, residual, 200 * TestFixture::epsilon) << what;
      }
    }
  }
}

/// Vectors in float take half of the memory, and restarts as many digits as the precision of the others has.
TYPED_TEST(GeneralKrylovOn, RoundedVectorsOfGmresReachTheSameSolution) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  double const tolerance = std::is_same_v<RealOf<Scalar>, float> ? 1e-5 : 1e-11;
  constexpr int n = 1000, restart = 30;
  System<Exec, Scalar> s(this->space, random_dominant<Number>(n, 8, 1.2, false, 5));
  GeneralKrylovSetup const setup{.method = KrylovMethod::gmres, .restart = restart, .rounded_basis = true};
  GeneralKrylov<Exec, Scalar> solver(this->space, n, setup);
  auto const report = solver.solve(this->space, s.a, s.x, s.b, {.tolerance = tolerance, .max_iterations = 300});
  EXPECT_TRUE(report.converged) << summary(report);
  EXPECT_LE(distance(s.host * to_vector(s.x), to_vector(s.b)), 2 * tolerance * norm_of(to_vector(s.b)));
  auto const whole =
      GeneralKrylov<Exec, Scalar>::workspace_bytes(n, {.method = KrylovMethod::gmres, .restart = restart});
  std::int64_t const saved = whole - solver.workspace_bytes();
  bool const rounds = std::is_same_v<RealOf<Scalar>, double>;
  EXPECT_EQ(saved, rounds ? restart * n * std::int64_t(sizeof(Scalar)) / 2 : 0);
}

TYPED_TEST(GeneralKrylovOn, StopsWhenTheMonitorSaysSo) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(500, 8, 0.9, true, 5));
    GeneralKrylov<Exec, Scalar> solver(this->space, 500, {method, 50});
    GeneralKrylovOptions options{.tolerance = 0, .max_iterations = 100, .check_every = 2, .first_iteration = 10};
    options.monitor = [](ResidualSample const& sample) { return sample.iteration < 14; };
    auto const report = solver.solve(this->space, s.a, s.x, s.b, options);
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(report.iterations, 14);
    EXPECT_EQ(report.history.front().iteration, 10);
  }
}

TYPED_TEST(GeneralKrylovOn, TakesAZeroRightHandSide) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  double const tolerance = std::is_same_v<RealOf<Scalar>, float> ? 1e-5 : 1e-10;
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(200, 8, 1.2, true, 5));
    GeneralKrylov<Exec, Scalar> solver(this->space, 200, {method, 50});
    Kokkos::deep_copy(s.b, Scalar(0));
    auto const at_once = solver.solve(this->space, s.a, s.x, s.b);
    EXPECT_TRUE(at_once.converged);
    EXPECT_EQ(at_once.iterations, 0);
    EXPECT_EQ(at_once.residual, 0);
    Kokkos::deep_copy(s.x, Scalar(1));
    auto const from_afar = solver.solve(this->space, s.a, s.x, s.b, {.tolerance = tolerance, .max_iterations = 300});
    EXPECT_TRUE(from_afar.converged) << summary(from_afar);
    EXPECT_LE(norm_of(to_vector(s.x)), 110 * tolerance * std::sqrt(200.0));
  }
}

TYPED_TEST(GeneralKrylovOn, SaysThatAValueIsNoNumber) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const nothing = Scalar(std::numeric_limits<RealOf<Scalar>>::quiet_NaN());
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(200, 8, 1.2, true, 5));
    GeneralKrylov<Exec, Scalar> solver(this->space, 200, {method, 50});
    auto const middle = Kokkos::subview(s.b, Kokkos::make_pair(100, 101));
    Kokkos::deep_copy(middle, nothing);
    auto const wrong_b = solver.solve(this->space, s.a, s.x, s.b);
    EXPECT_FALSE(wrong_b.converged);
    EXPECT_EQ(wrong_b.breakdown, "a value is not a number");
    Kokkos::deep_copy(middle, Scalar(1));
    Kokkos::deep_copy(Kokkos::subview(s.matrix.values, Kokkos::make_pair(50, 51)), nothing);
    Kokkos::deep_copy(s.x, Scalar(0));
    auto const wrong_a = solver.solve(this->space, s.a, s.x, s.b);
    EXPECT_FALSE(wrong_a.converged);
    EXPECT_EQ(wrong_a.breakdown, "a value is not a number");
  }
}

/// Systems without a solution, or with none that the method can find, end with a reason after a finite time.
TYPED_TEST(GeneralKrylovOn, ReportsWhyItCannotContinue) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : all_methods) {
    // A = 0 and b != 0.
    HostMatrix<Number> zero(3);
    for (int i = 0; i < 3; ++i) zero.rows[std::size_t(i)][i] = 0;
    System<Exec, Scalar> s(this->space, zero);
    Kokkos::deep_copy(s.b, Scalar(1));
    GeneralKrylov<Exec, Scalar> solver(this->space, 3, {method, 2});
    auto const report = solver.solve(this->space, s.a, s.x, s.b, {.max_iterations = 1000});
    EXPECT_FALSE(report.converged);
    EXPECT_FALSE(report.breakdown.empty()) << name(method);
    EXPECT_LE(report.iterations, 100) << name(method);
    EXPECT_TRUE(std::isfinite(report.residual));
  }
  // A rotation: every product (r, A r) of the methods with short recurrences vanishes.
  HostMatrix<Number> turn(2);
  turn.rows[0][1] = 1;
  turn.rows[1][0] = -1;
  System<Exec, Scalar> s(this->space, turn);
  Kokkos::deep_copy(s.b, Scalar(0));
  Kokkos::deep_copy(Kokkos::subview(s.b, Kokkos::make_pair(0, 1)), Scalar(1));
  GeneralKrylov<Exec, Scalar> stab(this->space, 2, {KrylovMethod::bicgstab});
  EXPECT_EQ(stab.solve(this->space, s.a, s.x, s.b).breakdown, "the product (r0, A p) of BiCGStab vanishes");
  Kokkos::deep_copy(s.x, Scalar(0));
  GeneralKrylov<Exec, Scalar> gmres(this->space, 2, {KrylovMethod::gmres, 2});
  auto const report = gmres.solve(this->space, s.a, s.x, s.b, {.tolerance = 1e-6});
  EXPECT_TRUE(report.converged) << summary(report);
  // With one vector GMRES gains nothing.
  Kokkos::deep_copy(s.x, Scalar(0));
  GeneralKrylov<Exec, Scalar> too_short(this->space, 2, {KrylovMethod::gmres, 1});
  EXPECT_EQ(too_short.solve(this->space, s.a, s.x, s.b).breakdown, "a full cycle of GMRES did not reduce the residual");
}

TYPED_TEST(GeneralKrylovOn, SaysThatTheResidualStagnates) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  // The eigenvalues +-1, 500 of each kind, in a chain that GMRES(5), COCG and BiCGStab follow without gain.
  HostMatrix<Number> shift(64);
  for (int i = 0; i < 64; ++i) shift.rows[std::size_t(i)][(i + 1) % 64] = 1;
  System<Exec, Scalar> s(this->space, shift);
  Kokkos::deep_copy(s.b, Scalar(0));
  Kokkos::deep_copy(Kokkos::subview(s.b, Kokkos::make_pair(0, 1)), Scalar(1));
  GeneralKrylov<Exec, Scalar> gmres(this->space, 64, {KrylovMethod::gmres, 40});
  auto const report = gmres.solve(this->space, s.a, s.x, s.b, {.check_every = 1, .stagnation_after = 15});
  EXPECT_EQ(report.breakdown, "the residual has stagnated");
  EXPECT_EQ(report.iterations, 15);
}

TYPED_TEST(GeneralKrylovOn, AllocatesNothingAndRunsOnTheInstance) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(500, 8, 1.2, true, 5));
    SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, s.matrix.graph, 500);
    GeneralKrylov<Exec, Scalar> solver(this->space, 500, {method, 20});
    this->space.fence();
    auto const events = record([&] {
      jacobi.factor(this->space, s.matrix);
      solver.solve(this->space, s.a, jacobi, s.x, s.b, {.tolerance = 0, .max_iterations = 40, .check_every = 20});
    });
    int kernels = 0;
    for (auto const& event : events) {
      EXPECT_NE(event.kind, RecordedEvent::Kind::allocation) << event.label;
      if (event.kind != RecordedEvent::Kind::kernel) continue;
      ++kernels;
      EXPECT_TRUE(is_ours(event.label)) << event.label;
    }
    // 40 iterations of the documented number of kernels, and some at the ends.
    int const each = method == KrylovMethod::cocg ? 2 : 4;
    EXPECT_LE(kernels, 40 * each + 20) << name(method);
    EXPECT_GE(kernels, 40 * each) << name(method);
    EXPECT_GT(solver.workspace_bytes(), 5 * 500 * std::int64_t(sizeof(Scalar)));
  }
}

TYPED_TEST(GeneralKrylovOn, GivesTheSameBitsEveryTime) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (auto const method : all_methods) {
    System<Exec, Scalar> s(this->space, random_dominant<Number>(9000, 6, 0.8, true, 5));
    SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, s.matrix.graph, 9000);
    jacobi.factor(this->space, s.matrix);
    GeneralKrylov<Exec, Scalar> solver(this->space, 9000, {method, 10});
    std::vector<Number> first;
    for (int run = 0; run < 3; ++run) {
      Kokkos::deep_copy(s.x, Scalar(0));
      solver.solve(this->space, s.a, jacobi, s.x, s.b, {.tolerance = 0, .max_iterations = 25});
      if (run == 0) first = to_vector(s.x);
      EXPECT_EQ(to_vector(s.x), first) << name(method);
    }
  }
}

TYPED_TEST(GeneralKrylovOn, RefusesWhatDoesNotFit) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  System<Exec, Scalar> s(this->space, random_dominant<Number>(20, 4, 1.2, true, 5));
  System<Exec, Scalar> larger(this->space, random_dominant<Number>(21, 4, 1.2, true, 5));
  SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, larger.matrix.graph, 21);
  EXPECT_THROW((GeneralKrylov<Exec, Scalar>(this->space, -1)), std::invalid_argument);
  EXPECT_THROW((GeneralKrylov<Exec, Scalar>(this->space, 5, {KrylovMethod::gmres, 0})), std::invalid_argument);
  GeneralKrylov<Exec, Scalar> solver(this->space, 20);
  EXPECT_THROW(solver.solve(this->space, larger.a, s.x, s.b), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, jacobi, s.x, s.b), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, larger.x, s.b), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, s.x, larger.b), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, s.x, s.b, {.tolerance = -1}), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, s.x, s.b, {.check_every = 0}), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, s.x, s.b, {.restart_every = -1}), std::invalid_argument);
  EXPECT_THROW(solver.solve(this->space, s.a, s.x, s.b, {.stagnation_after = -1}), std::invalid_argument);
  EXPECT_THROW(jacobi.factor(this->space, s.matrix), std::invalid_argument);
  EXPECT_THROW((SparseJacobiPreconditioner<Exec, Scalar>(this->space, s.matrix.graph, 21)), std::invalid_argument);
}

}  // namespace krylov_test
