// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helmholtz_case.hpp"
#include "refused_calls.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/ilu_preconditioner.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ilu_preconditioner_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class IluOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(IluOn, SparseBackends, SparseNames);

/// Incomplete factors with fill up to a level: l_ij below the diagonal, u_ij on and above it. First the levels of every
/// row, then the values of the resulting entries.
template <class Number>
HostMatrix<Number> serial_ilu(HostMatrix<Number> a, int fill_level) {
  std::vector<std::map<int, int>> level(a.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    for (auto const& [j, value] : a.rows[i]) level[i][j] = 0;
    // Entries below the diagonal appear while the row is processed from left to right.
    for (auto p = level[i].begin(); p != level[i].end() && p->first < int(i); ++p) {
      for (auto const& [j, above] : level[std::size_t(p->first)]) {
        int const made = p->second + above + 1;
        if (j <= p->first || made > fill_level) continue;
        auto const [entry, is_new] = level[i].emplace(j, made);
        if (!is_new) entry->second = std::min(entry->second, made);
      }
    }
    for (auto const& [j, its_level] : level[i]) a.rows[i].emplace(j, Number(0));
    for (auto& [p, l] : a.rows[i]) {
      if (p >= int(i)) break;
      auto const& above = a.rows[std::size_t(p)];
      l /= above.at(p);
      for (auto const& [j, u] : above) {
        auto const entry = a.rows[i].find(j);
        if (j > p && entry != a.rows[i].end()) entry->second -= l * u;
      }
    }
  }
  return a;
}

/// L without its diagonal and U in one matrix, from where a preconditioner has them.
template <class Exec, class Scalar>
HostMatrix<Exact<Scalar>> factors_of(IluPreconditioner<Exec, Scalar> const& m) {
  int const n = m.extents()[2];
  HostMatrix<Exact<Scalar>> both(n);
  for (bool lower : {true, false}) {
    auto const part = lower ? m.lower() : m.upper();
    auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part.graph.offsets);
    auto const columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), part.graph.entries);
    auto const values = to_vector(part.values);
    for (int i = 0; i < n; ++i) {
      for (int e = offsets(i); e < offsets(i + 1); ++e) {
        auto const value = values[std::size_t(e)];
        if (lower && columns(e) == i) {
          EXPECT_EQ(e + 1, offsets(i + 1));
          EXPECT_EQ(value, Exact<Scalar>(1));
        } else {
          if (columns(e) == i) {
            EXPECT_EQ(e, offsets(i));
          }
          EXPECT_EQ(columns(e) < i, lower);
          both.rows[std::size_t(i)][columns(e)] = value;
        }
      }
    }
  }
  return both;
}

/// Number of entries in the factors, and largest difference of their values relative to the largest value.
template <class Number>
void expect_same_factors(HostMatrix<Number> const& made, HostMatrix<Number> const& expected, double tolerance) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.rows.size(); ++i) {
    ASSERT_EQ(made.rows[i].size(), expected.rows[i].size()) << "row " << i;
    for (auto const& [j, value] : expected.rows[i]) {
      ASSERT_EQ(made.rows[i].count(j), 1u) << "row " << i << ", column " << j;
      largest = std::max(largest, std::abs(value));
      difference = std::max(difference, std::abs(value - made.rows[i].at(j)));
    }
  }
  EXPECT_LE(difference, tolerance * largest);
}

/// n by n nodes, each coupled with its four neighbours; symmetric, diagonally dominant.
template <class Number>
HostMatrix<Number> lattice(int n, unsigned seed) {
  RandomNumbers<Number> random(seed);
  HostMatrix<Number> a(n * n);
  auto const couple = [&](int i, int j) {
    Number const value = random();
    a.rows[std::size_t(i)][j] = value;
    a.rows[std::size_t(j)][i] = value;
  };
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      a.rows[std::size_t(j * n + i)][j * n + i] = Number(8);
      if (i + 1 < n) couple(j * n + i, j * n + i + 1);
      if (j + 1 < n) couple(j * n + i, (j + 1) * n + i);
    }
  }
  return a;
}

TYPED_TEST(IluOn, IsThere) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  EXPECT_TRUE((IluPreconditioner<Exec, Scalar>::available()));
}

/// Nothing fills in: one application solves. Rows dominate by 1.2: condition 2.2 / 0.2.
TYPED_TEST(IluOn, SolvesTridiagonalSystems) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (int n : {1, 2, 31, 33, 500}) {
    RandomNumbers<Number> random(unsigned(n) + 1);
    HostMatrix<Number> host(n);
    for (int i = 0; i < n; ++i) {
      auto& row = host.rows[std::size_t(i)];
      if (i > 0) row[i - 1] = random();
      if (i + 1 < n) row[i + 1] = random();
      row[i] = Number(1.2 * 2 * 1.5);
    }
    host = stored<Scalar>(host);
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    auto const r = to_vector_on<Exec, Scalar>(this->space, random.vector(n));
    Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n));
    for (int level : {0, 3}) {
      IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n, {level});
      m.factor(this->space, matrix);
      m.apply(this->space, r, z);
      EXPECT_EQ(m.zero_pivots(this->space), 0);
      EXPECT_EQ(m.levels(), (std::array<int, 2>{n, n}));
      EXPECT_LE(distance(host * to_vector(z), to_vector(r)), 11 * 11 * TestFixture::epsilon * norm_of(to_vector(r)))
          << "n = " << n << ", level " << level;
    }
  }
}

/// Pattern and values against the serial factors; without fill, L U = A on the profile of A.
TYPED_TEST(IluOn, FactorsAgreeWithSerialOnes) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  double const tolerance = 2 * 11 * 11 * TestFixture::epsilon;
  for (int n : {1, 2, 33, 150}) {
    for (bool symmetric : {true, false}) {
      auto const host = stored<Scalar>(random_dominant<Number>(n, 6, 1.2, symmetric, unsigned(n) + 2));
      auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
      for (int level : {0, 1, 2, n}) {
        IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n, {level});
        m.factor(this->space, matrix);
        EXPECT_EQ(m.zero_pivots(this->space), 0);
        expect_same_factors(factors_of(m), serial_ilu(host, level), tolerance);
      }
      IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n);
      m.factor(this->space, matrix);
      auto const factors = factors_of(m);
      for (int i = 0; i < n; ++i) {
        for (auto const& [j, value] : host.rows[std::size_t(i)]) {
          Number product = 0;
          for (auto const& [p, l] : factors.rows[std::size_t(i)]) {
            if (p < i && p <= j && factors.rows[std::size_t(p)].count(j) > 0) {
              product += l * factors.rows[std::size_t(p)].at(j);
            }
          }
          if (j >= i) product += factors.rows[std::size_t(i)].at(j);
          EXPECT_LE(std::abs(product - value), tolerance * (1 + std::abs(host.rows[std::size_t(i)].at(i))));
        }
      }
    }
  }
}

/// L U need not be symmetric in its profile: entries (i, j) without a partner (j, i).
TYPED_TEST(IluOn, TakesAProfileThatIsNotSymmetric) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 120;
  RandomNumbers<Number> random(8);
  HostMatrix<Number> host(n);
  for (int i = 0; i < n; ++i) {
    for (int m = 0; m < 4; ++m) host.rows[std::size_t(i)][random.below(n)] = random();
    host.rows[std::size_t(i)][i] = Number(10);
  }
  host = stored<Scalar>(host);
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  for (int level : {0, 2}) {
    IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n, {level});
    m.factor(this->space, matrix);
    expect_same_factors(factors_of(m), serial_ilu(host, level), 100 * TestFixture::epsilon);
  }
}

/// Each level adds entries until the factors are complete; then one application solves. Rows dominate by 8 to 4 sqrt 2.
TYPED_TEST(IluOn, FillGrowsToCompleteFactors) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 12;
  auto const host = stored<Scalar>(lattice<Number>(n, 5));
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  auto const r = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(4).vector(n * n));
  Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n * n));
  std::size_t entries = 0;
  std::int64_t bytes = 0;
  double residual = std::numeric_limits<double>::max();
  for (int level : {0, 1, 2, 4, n * n}) {
    IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, n * n, {level});
    m.factor(this->space, matrix);
    m.apply(this->space, r, z);
    std::size_t const more = m.lower().values.extent(0) + m.upper().values.extent(0);
    double const less = distance(host * to_vector(z), to_vector(r)) / norm_of(to_vector(r));
    if (level == 0) {
      EXPECT_EQ(more, matrix.values.extent(0) + std::size_t(n * n));
    }
    EXPECT_GT(more, entries) << "level " << level;
    EXPECT_LT(less, std::max(residual, 100 * TestFixture::epsilon)) << "level " << level;
    EXPECT_GT(m.workspace_bytes(), std::int64_t(more * (sizeof(Scalar) + 4)));
    entries = more;
    residual = less;
    bytes = m.workspace_bytes();
  }
  // Complete factors fill the band of n entries beside the diagonal. Before the band begins, rows have their neighbour.
  EXPECT_EQ(entries, std::size_t(2 * (n * n + (n * n - n) * n + n - 1)));
  EXPECT_LE(residual, 50 * TestFixture::epsilon);
  EXPECT_GT(bytes, 0);
}

/// Values change, the factors follow, as if they were made for them alone: the same bits.
TYPED_TEST(IluOn, TakesNewValues) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 20;
  auto const r = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(4).vector(n * n));
  Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n * n)), y("karman::test::y", std::size_t(n * n));
  auto const first = to_matrix_on<Exec, Scalar>(this->space, lattice<Number>(n, 5));
  auto const second = to_matrix_on<Exec, Scalar>(this->space, lattice<Number>(n, 6));
  for (int level : {0, 2}) {
    IluPreconditioner<Exec, Scalar> m(this->space, first.graph, n * n, {level});
    m.factor(this->space, first);
    m.apply(this->space, r, z);
    auto const before = to_vector(z);
    m.factor(this->space, second);
    m.apply(this->space, r, z);
    IluPreconditioner<Exec, Scalar> other(this->space, second.graph, n * n, {level});
    other.factor(this->space, second);
    other.apply(this->space, r, y);
    EXPECT_EQ(to_vector(z), to_vector(y));
    EXPECT_GT(distance(to_vector(z), before), 0.01 * norm_of(before));
    // And back, after it has moved.
    IluPreconditioner<Exec, Scalar> moved = std::move(m);
    moved.factor(this->space, first);
    moved.apply(this->space, r, z);
    EXPECT_EQ(to_vector(z), before);
  }
}

TYPED_TEST(IluOn, WorksOnTheInstanceGivenAndApplyAllocatesNothing) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 20;
  auto const host = stored<Scalar>(lattice<Number>(n, 5));
  for (Exec const& space : instances(this->space)) {
    auto const matrix = to_matrix_on<Exec, Scalar>(space, host);
    auto const r = to_vector_on<Exec, Scalar>(space, RandomNumbers<Number>(4).vector(n * n));
    Vector<Exec, Scalar> const z("karman::test::z", std::size_t(n * n));
    IluPreconditioner<Exec, Scalar> m(space, matrix.graph, n * n, {1});
    m.factor(space, matrix);
    // The content of z before apply() must not matter.
    Kokkos::deep_copy(space, z, Scalar(7));
    auto const factoring = record([&] { m.factor(space, matrix); });
    auto const applying = record([&] { m.apply(space, r, z); });
    int kernels = 0;
    for (auto const& event : applying) {
      EXPECT_TRUE(event.kind == RecordedEvent::Kind::kernel || event.kind == RecordedEvent::Kind::fence) << event.label;
      kernels += event.kind == RecordedEvent::Kind::kernel && !is_ours(event.label) ? 1 : 0;
    }
    EXPECT_EQ(kernels, m.levels()[0] + m.levels()[1]);
    // Our own kernel reveals the number of this instance.
    auto const ours = std::find_if(factoring.begin(), factoring.end(), [](auto const& e) { return is_ours(e.label); });
    ASSERT_NE(ours, factoring.end());
    for (auto const& events : {factoring, applying}) {
      for (auto const& event : events) {
        if (event.kind == RecordedEvent::Kind::kernel && event.label.rfind("Kokkos::", 0) != 0) {
          EXPECT_EQ(event.device, ours->device) << event.label;
        }
      }
    }
    space.fence();
    expect_same_factors(factors_of(m), serial_ilu(host, 1), 100 * TestFixture::epsilon);
    Vector<Exec, Scalar> const other("karman::test::other", std::size_t(n * n));
    m.apply(space, r, other);
    space.fence();
    EXPECT_EQ(to_vector(z), to_vector(other));
  }
}

TYPED_TEST(IluOn, NoRows) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const empty = to_matrix_on<Exec, Scalar>(this->space, HostMatrix<Number>(0));
  IluPreconditioner<Exec, Scalar> m(this->space, empty.graph, 0, {2});
  m.factor(this->space, empty);
  Vector<Exec, Scalar> const none("karman::test::none", 0);
  m.apply(this->space, none, none);
  EXPECT_EQ(m.zero_pivots(this->space), 0);
  EXPECT_EQ(m.levels(), (std::array<int, 2>{0, 0}));
  EXPECT_EQ(m.workspace_bytes(), 0);
}

TYPED_TEST(IluOn, CountsPivotsThatAreZeroOrNotFinite) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const count = [&](HostMatrix<Number> const& host) {
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    IluPreconditioner<Exec, Scalar> m(this->space, matrix.graph, host.n());
    m.factor(this->space, matrix);
    return m.zero_pivots(this->space);
  };
  // A zero on the diagonal, and one that elimination makes: 1 - 2 * 2 / 4.
  EXPECT_EQ(count([] {
              HostMatrix<Number> a(4);
              a.rows[0] = {{0, Number(0)}, {1, Number(1)}};
              a.rows[1] = {{0, Number(1)}, {1, Number(3)}};
              a.rows[2] = {{2, Number(4)}, {3, Number(2)}};
              a.rows[3] = {{2, Number(2)}, {3, Number(1)}};
              return a;
            }()),
            2);
  // Genuine pivots of 10^6, one of them after an elimination.
  EXPECT_EQ(count([] {
              HostMatrix<Number> a(3);
              a.rows[0] = {{0, Number(1e6)}};
              a.rows[1] = {{1, Number(4)}, {2, Number(2)}};
              a.rows[2] = {{1, Number(2)}, {2, Number(1000001)}};
              return a;
            }()),
            0);
  EXPECT_EQ(count([] {
              HostMatrix<Number> a(3);
              a.rows[0] = {{0, Number(std::numeric_limits<double>::quiet_NaN())}};
              a.rows[1] = {{1, Number(std::numeric_limits<double>::infinity())}};
              a.rows[2] = {{2, Number(1)}};
              return a;
            }()),
            2);
}

TYPED_TEST(IluOn, RefusesWhatItCannotFactor) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  using Ilu = IluPreconditioner<Exec, Scalar>;
  auto const host = lattice<Number>(5, 5);
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  expect_refused("fill_level must be 0 or more, found -1", [&] { Ilu(this->space, matrix.graph, 25, {-1}); });
  expect_refused("square", [&] { Ilu(this->space, matrix.graph, 24); });
  // The widest front of the square of 5 by 5 nodes has 5 rows of 25 columns.
  expect_refused("table_limit", [&] { Ilu(this->space, matrix.graph, 25, {0, 4 * 5 * 25 - 1}); });
  EXPECT_NO_THROW((Ilu(this->space, matrix.graph, 25, {0, 4 * 5 * 25})));
  auto without = host;
  without.rows[7].erase(7);
  auto const no_diagonal = to_matrix_on<Exec, Scalar>(this->space, without);
  expect_refused("row 7 of the profile has no diagonal", [&] { Ilu(this->space, no_diagonal.graph, 25); });
  for (std::vector<int> const& columns : {std::vector<int>{1, 0, 1}, {0, 0, 1}, {0, 2, 1}, {0, -1, 1}}) {
    Graph<Exec> const bad{numbers_on(this->space, {0, 2, 3}), numbers_on(this->space, columns)};
    expect_refused("row 0 of the profile has columns", [&] { Ilu(this->space, bad, 2); });
  }
  Ilu m(this->space, matrix.graph, 25);
  auto const other = to_matrix_on<Exec, Scalar>(this->space, lattice<Number>(6, 5));
  expect_refused("another profile", [&] { m.factor(this->space, other); });
  expect_refused("another profile", [&] { m.factor(this->space, no_diagonal); });
  Vector<Exec, Scalar> const z("karman::test::z", 25), longer("karman::test::longer", 26);
  expect_refused("correction", [&] { m.apply(this->space, z, longer); });
}

/// Iterations to the tolerance from zero; x is the solution.
template <class Exec, class Scalar>
int iterations_with(Exec const& space, KrylovMethod method, CsrMatrix<Exec, Scalar> const& matrix, int level,
                    Vector<Exec, Scalar> const& b, Vector<Exec, Scalar> const& x) {
  int const n = matrix.rows();
  IluPreconditioner<Exec, Scalar> m(space, matrix.graph, n, {level});
  m.factor(space, matrix);
  SparseOperator<Exec, Scalar> a(matrix);
  GeneralKrylov<Exec, Scalar> solver(space, n, {method, 200});
  GeneralKrylovOptions options;
  options.tolerance = 1e-10;
  options.max_iterations = 2000;
  options.check_every = 1;
  auto const report = solver.solve(space, a, m, x, b, options);
  EXPECT_TRUE(report.converged) << name(method) << ", level " << level << ": " << summary(report);
  return report.iterations;
}

template <class Parameter>
class DefiniteIluOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(DefiniteIluOn, WideBackends, SparseNames);

/// Poisson's equation on 40 by 40 nodes: each level needs fewer iterations than the one before.
TYPED_TEST(DefiniteIluOn, EachLevelNeedsFewerIterations) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  int const n = 40;
  auto host = lattice<Number>(n, 5);
  for (int i = 0; i < n * n; ++i) {
    for (auto& [j, value] : host.rows[std::size_t(i)]) value = i == j ? Number(4) : Number(-1);
  }
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(4).vector(n * n));
  for (auto const method : {KrylovMethod::cocg, KrylovMethod::gmres}) {
    int before = std::numeric_limits<int>::max();
    for (int level : {0, 1, 2, 4, 8}) {
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n * n));
      int const iterations = iterations_with(this->space, method, matrix, level, b, x);
      EXPECT_LT(iterations, before) << name(method) << ", level " << level;
      EXPECT_LE(distance(host * to_vector(x), to_vector(b)), 1.01e-10 * norm_of(to_vector(b)));
      before = iterations;
    }
  }
}

template <class Parameter>
class WaveIluOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(WaveIluOn, ComplexBackends, SparseNames);

/// Waves in a basin, five wave lengths across. The matrix is indefinite: levels 1 and 2 may be worse than none. From
/// level 3 on fill pays, with less than a fifth of the iterations.
TYPED_TEST(WaveIluOn, FillPaysOnWaves) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  HelmholtzCase const problem{.n = 51, .across = 5, .reflection = 0.3};
  auto const system = problem.assemble();
  int const n = problem.n * problem.n;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, system.matrix);
  auto const b = to_vector_on<Exec, Scalar>(this->space, system.rhs);
  std::vector<std::complex<double>> first;
  for (auto const method : {KrylovMethod::cocg, KrylovMethod::gmres}) {
    int before = 0, without = 0;
    for (int level : {0, 3, 5, 10}) {
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n));
      int const iterations = iterations_with(this->space, method, matrix, level, b, x);
      if (level == 0) {
        without = iterations;
      } else {
        EXPECT_LT(iterations, before) << name(method) << ", level " << level;
      }
      before = iterations;
      if (first.empty()) first = to_vector(x);
      EXPECT_LE(distance(to_vector(x), first), 1e-6 * norm_of(first)) << name(method);
    }
    EXPECT_LT(5 * before, without) << name(method);
  }
}

}  // namespace ilu_preconditioner_test
