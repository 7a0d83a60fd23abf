// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helmholtz_case.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace sparse_preconditioners_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class PreconditionersOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(PreconditionersOn, SparseBackends, SparseNames);

template <class View>
std::vector<int> to_ints(View const& view) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<int>(host.data(), host.data() + host.extent(0));
}

/// The rows by colour, and within a colour by number.
std::vector<int> colored_order(std::vector<int> const& color) {
  std::vector<int> order(color.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return color[std::size_t(a)] < color[std::size_t(b)]; });
  return order;
}

/// Incomplete factors without fill, row by row in the order given: w_ij below, pivots, u_ij above.
template <class Number>
HostMatrix<Number> serial_ilu0(HostMatrix<Number> a, std::vector<int> const& order) {
  std::vector<int> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) place[std::size_t(order[p])] = static_cast<int>(p);
  for (int const i : order) {
    auto& row = a.rows[std::size_t(i)];
    std::vector<int> lower;
    for (auto const& [j, value] : row) {
      if (place[std::size_t(j)] < place[std::size_t(i)]) lower.push_back(j);
    }
    std::sort(lower.begin(), lower.end(), [&](int x, int y) { return place[std::size_t(x)] < place[std::size_t(y)]; });
    for (int const j : lower) {
      Number const factor = row[j] / a.rows[std::size_t(j)][j];
      for (auto const& [k, u] : a.rows[std::size_t(j)]) {
        if (place[std::size_t(k)] > place[std::size_t(j)] && row.count(k) > 0) row[k] -= factor * u;
      }
    }
  }
  return a;
}

/// omega (2 - omega) (D + omega U)^-1 D (D + omega L)^-1 r, L and U by the order given.
template <class Number>
std::vector<Number> serial_sweeps(HostMatrix<Number> const& a, std::vector<int> const& order,
                                  std::vector<Number> const& r, double omega) {
  std::vector<int> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p) place[std::size_t(order[p])] = static_cast<int>(p);
  std::vector<Number> z(r.size());
  auto const part = [&](int i, bool lower) {
    Number sum = 0;
    for (auto const& [j, value] : a.rows[std::size_t(i)]) {
      bool const below = place[std::size_t(j)] < place[std::size_t(i)];
      if (j != i && below == lower) sum += value * z[std::size_t(j)];
    }
    return sum;
  };
  auto const pivot = [&](int i) { return a.rows[std::size_t(i)].at(i); };
  for (int const i : order) z[std::size_t(i)] = omega * (r[std::size_t(i)] - part(i, true)) / pivot(i);
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    z[std::size_t(*i)] = (2 - omega) * z[std::size_t(*i)] - omega * part(*i, false) / pivot(*i);
  }
  return z;
}

TYPED_TEST(PreconditionersOn, ColorsAreValidAndFew) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (int n : {0, 1, 2, 33, 1000}) {
    auto const host = random_dominant<Number>(n, 8, 1.2, false, unsigned(n) + 2);
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    ColoredPreconditioner<Exec, Scalar> const m(this->space, matrix.graph, n);
    auto const color = to_ints(m.row_colors());
    ASSERT_EQ(color.size(), std::size_t(n));
    std::size_t longest = 0;
    for (int i = 0; i < n; ++i) {
      EXPECT_GE(color[std::size_t(i)], 0);
      EXPECT_LT(color[std::size_t(i)], m.colors());
      for (auto const& [j, value] : host.rows[std::size_t(i)]) {
        if (j != i) {
          EXPECT_NE(color[std::size_t(i)], color[std::size_t(j)]);
        }
      }
      longest = std::max(longest, host.rows[std::size_t(i)].size());
    }
    EXPECT_LE(m.colors(), static_cast<int>(longest));
  }
  // More than 64 colours: every row is coupled with every other one.
  HostMatrix<Number> full(70);
  for (auto& row : full.rows) {
    for (int j = 0; j < 70; ++j) row[j] = 1;
  }
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, full);
  EXPECT_EQ((ColoredPreconditioner<Exec, Scalar>(this->space, matrix.graph, 70).colors()), 70);
}

/// The coloured sweeps and factors against the serial ones in the order of the colours. Rows dominate by 1.2, so that
/// sweeps and factors amplify rounding by at most 2.2 / 0.2 each.
TYPED_TEST(PreconditionersOn, AgreeWithSerialSweeps) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (int n : {1, 2, 33, 700}) {
    for (bool symmetric : {true, false}) {
      auto const host = stored<Scalar>(random_dominant<Number>(n, 8, 1.2, symmetric, unsigned(n) + 2));
      auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
      auto const r = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(4).vector(n));
      Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n));
      for (double omega : {1.0, 0.7, 1.4}) {
        for (auto const method : {ColoredMethod::ssor, ColoredMethod::ilu}) {
          if (method == ColoredMethod::ilu && omega != 1) continue;
          ColoredPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n, {method, omega});
          m.factor(this->space, matrix);
          m.apply(this->space, r, z);
          EXPECT_EQ(m.zero_pivots(this->space), 0);
          auto const order = colored_order(to_ints(m.row_colors()));
          auto const factored = method == ColoredMethod::ilu ? serial_ilu0(host, order) : host;
          auto const expected = serial_sweeps(factored, order, to_vector(r), omega);
          EXPECT_LE(distance(to_vector(z), expected), 2 * 11 * 11 * TestFixture::epsilon * norm_of(expected))
              << "n = " << n << ", omega = " << omega;
        }
      }
    }
  }
}

/// Pairs of rows coupled only with each other: no fill is dropped, M = A.
TYPED_TEST(PreconditionersOn, IluIsExactWhereNothingFillsIn) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 100;
  RandomNumbers<Number> random(6);
  HostMatrix<Number> pairs(n);
  for (int i = 0; i < n; i += 2) {
    pairs.rows[std::size_t(i)] = {{i, Number(3)}, {i + 1, random()}};
    pairs.rows[std::size_t(i) + 1] = {{i, random()}, {i + 1, Number(2)}};
  }
  auto const host = stored<Scalar>(pairs);
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  ColoredPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n);
  m.factor(this->space, matrix);
  EXPECT_EQ(m.colors(), 2);
  auto const r = to_vector_on<Exec, Scalar>(this->space, random.vector(n));
  Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n));
  m.apply(this->space, r, z);
  EXPECT_LE(distance(host * to_vector(z), to_vector(r)), 40 * TestFixture::epsilon * norm_of(to_vector(r)));
}

TYPED_TEST(PreconditionersOn, ShiftedStepsAreAStationaryIteration) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 300;
  auto const a = stored<Scalar>(random_dominant<Number>(n, 8, 1.2, true, 3));
  auto b = a;
  for (auto& row : b.rows) {
    for (auto& [j, value] : row) value *= 0.25;
  }
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, a);
  auto const mass = to_matrix_on<Exec, Scalar>(this->space, b);
  auto const r = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(4).vector(n));
  Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n));
  // S = 1.5 A: steps of a convergent iteration approach S^-1 r.
  double last = std::numeric_limits<double>::max();
  for (int steps : {1, 2, 4, 8}) {
    ShiftedPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n, {{}, steps});
    m.factor(this->space, matrix, mass.values, Scalar(2));
    EXPECT_EQ(m.zero_pivots(this->space), 0);
    m.apply(this->space, r, z);
    auto product = a * to_vector(z);
    for (auto& value : product) value *= 1.5;
    double const residual = distance(product, to_vector(r)) / norm_of(to_vector(r));
    EXPECT_LT(residual, std::max(0.5 * last, 100 * TestFixture::epsilon)) << steps << " steps";
    last = residual;
    // The same from a matrix that was shifted by the caller.
    ShiftedPreconditioner<Exec, Scalar> other(this->space, matrix.graph, n, {{}, steps});
    other.factor(this->space, m.matrix());
    Vector<Exec, Scalar> const y("karman::test::y", std::size_t(n));
    other.apply(this->space, r, y);
    EXPECT_EQ(to_vector(y), to_vector(z));
  }
}

TYPED_TEST(PreconditionersOn, CountPivotsThatCannotBeDividedBy) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto host = random_dominant<Number>(50, 4, 1.2, true, 3);
  host.rows[7] = {{7, Number(0)}};
  for (auto& row : host.rows) {
    if (&row != &host.rows[7]) row.erase(7);
  }
  // A row without an entry on the diagonal, coupled with no other.
  host.rows[9].clear();
  for (auto& row : host.rows) row.erase(9);
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, matrix.graph, 50);
  ColoredPreconditioner<Exec, Scalar> ssor(this->space, matrix.graph, 50, {ColoredMethod::ssor});
  ColoredPreconditioner<Exec, Scalar> ilu(this->space, matrix.graph, 50);
  jacobi.factor(this->space, matrix);
  ssor.factor(this->space, matrix);
  ilu.factor(this->space, matrix);
  EXPECT_EQ(jacobi.zero_pivots(this->space), 2);
  EXPECT_EQ(ssor.zero_pivots(this->space), 2);
  EXPECT_EQ(ilu.zero_pivots(this->space), 2);
  auto const r = to_vector_on<Exec, Scalar>(this->space, std::vector<Number>(50, Number(1)));
  Vector<Exec, Scalar> const z("karman::test::z", 50);
  for (Preconditioner<Exec, Scalar> const* m :
       std::initializer_list<Preconditioner<Exec, Scalar> const*>{&jacobi, &ssor, &ilu}) {
    m->apply(this->space, r, z);
    for (auto const& value : to_vector(z)) EXPECT_TRUE(std::isfinite(std::abs(value)));
  }
  // New values of the same profile are counted again.
  Kokkos::deep_copy(matrix.values, Scalar(1));
  jacobi.factor(this->space, matrix);
  EXPECT_EQ(jacobi.zero_pivots(this->space), 1);
}

TYPED_TEST(PreconditionersOn, RefuseWhatDoesNotFit) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  using Colored = ColoredPreconditioner<Exec, Scalar>;
  auto const good = to_matrix_on<Exec, Scalar>(this->space, random_dominant<Number>(20, 4, 1.2, true, 3));
  HostMatrix<Number> lopsided(20);
  for (int i = 0; i < 20; ++i) lopsided.rows[std::size_t(i)][i] = 1;
  lopsided.rows[3][4] = 1;
  auto const bad = to_matrix_on<Exec, Scalar>(this->space, lopsided);
  EXPECT_THROW((Colored(this->space, bad.graph, 20)), std::invalid_argument);
  EXPECT_THROW((Colored(this->space, good.graph, 19)), std::invalid_argument);
  EXPECT_THROW((Colored(this->space, good.graph, 20, {ColoredMethod::ssor, 2.0})), std::invalid_argument);
  EXPECT_THROW((Colored(this->space, good.graph, 20, {ColoredMethod::ssor, 0.0})), std::invalid_argument);
  EXPECT_THROW((ShiftedPreconditioner<Exec, Scalar>(this->space, good.graph, 20, {{}, 0})), std::invalid_argument);
  Colored m(this->space, good.graph, 20);
  EXPECT_THROW(m.factor(this->space, bad), std::invalid_argument);
}

/// factor() and apply() launch kernels and nothing else.
TYPED_TEST(PreconditionersOn, AllocateNothing) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, random_dominant<Number>(400, 8, 1.2, true, 3));
  Vector<Exec, Scalar> const r("karman::test::r", 400), z("karman::test::z", 400);
  ColoredPreconditioner<Exec, Scalar> m(this->space, matrix.graph, 400);
  ShiftedPreconditioner<Exec, Scalar> shifted(this->space, matrix.graph, 400, {{}, 2});
  this->space.fence();
  auto const events = record([&] {
    m.factor(this->space, matrix);
    m.apply(this->space, r, z);
    shifted.factor(this->space, matrix, matrix.values, Scalar(1));
    shifted.apply(this->space, r, z);
  });
  for (auto const& event : events) {
    EXPECT_EQ(event.kind, RecordedEvent::Kind::kernel) << event.label;
    EXPECT_TRUE(is_ours(event.label)) << event.label;
  }
  int const colors = m.colors();
  EXPECT_EQ(int(events.size()), (2 + colors) + (2 * colors - 1) + (3 + colors) + 2 * (2 * colors - 1) + 2);
  EXPECT_GT(m.workspace_bytes(), 0);
}

template <class Parameter>
class WavePreconditionersOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(WavePreconditionersOn, ComplexBackends, SparseNames);

/// Waves in a basin, five wave lengths across: every preconditioner helps every method, and all give one solution.
TYPED_TEST(WavePreconditionersOn, HelpOnWaves) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  HelmholtzCase const problem{.n = 51, .across = 5, .reflection = 0.3};
  auto const system = problem.assemble();
  int const n = problem.n * problem.n;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, system.matrix);
  auto const mass = to_matrix_on<Exec, Scalar>(this->space, system.mass);
  auto const b = to_vector_on<Exec, Scalar>(this->space, system.rhs);
  SparseJacobiPreconditioner<Exec, Scalar> jacobi(this->space, matrix.graph, n);
  ColoredPreconditioner<Exec, Scalar> ssor(this->space, matrix.graph, n, {ColoredMethod::ssor});
  ColoredPreconditioner<Exec, Scalar> ilu(this->space, matrix.graph, n);
  ShiftedPreconditioner<Exec, Scalar> shifted(this->space, matrix.graph, n);
  jacobi.factor(this->space, matrix);
  ssor.factor(this->space, matrix);
  ilu.factor(this->space, matrix);
  double const k = problem.wave_number();
  shifted.factor(this->space, matrix, mass.values, Scalar(0, -0.3 * k * k));
  SparseOperator<Exec, Scalar> a(matrix);
  std::vector<std::complex<double>> first;
  for (auto const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    GeneralKrylov<Exec, Scalar> solver(this->space, n, {method, 100});
    int with_jacobi = 0;
    for (Preconditioner<Exec, Scalar> const* m :
         std::initializer_list<Preconditioner<Exec, Scalar> const*>{&jacobi, &ssor, &ilu, &shifted}) {
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n));
      auto const report = solver.solve(this->space, a, *m, x, b, {.tolerance = 1e-10, .max_iterations = 2000});
      EXPECT_TRUE(report.converged) << name(method) << ": " << summary(report);
      if (m == &jacobi) with_jacobi = report.iterations;
      if (m != &jacobi) {
        EXPECT_LT(report.iterations, with_jacobi) << name(method);
      }
      if (first.empty()) first = to_vector(x);
      EXPECT_LE(distance(to_vector(x), first), 1e-6 * norm_of(first)) << name(method);
    }
  }
}

}  // namespace sparse_preconditioners_test
