// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "helmholtz_case.hpp"
#include "refused_calls.hpp"
#include "serial_amg.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse_backends.hpp"
#include "triangle_case.hpp"
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace amg_preconditioner_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class AmgOn : public SparseTest<Parameter> {
 public:
  using Exec = typename SparseTest<Parameter>::Exec;
  using Scalar = typename SparseTest<Parameter>::Scalar;
  using Number = typename SparseTest<Parameter>::Number;
  using Amg = AmgPreconditioner<Exec, Scalar>;

  std::vector<Number> applied(Amg const& m, std::vector<Number> const& r) const {
    Vector<Exec, Scalar> const z("karman::test::z", r.size());
    m.apply(this->space, to_vector_on<Exec, Scalar>(this->space, r), z);
    this->space.fence();
    return to_vector(z);
  }

  /// Iterations of conjugate gradients to `tolerance`; the solution is checked by the caller's matrix.
  SolveReport solved(HostMatrix<Number> const& host, AmgSetup const& setup = {}, double tolerance = 1e-8) const {
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    Amg const m(this->space, matrix, setup);
    SparseOperator<Exec, Scalar> const a(matrix);
    GeneralKrylov<Exec, Scalar> solver(this->space, host.n(), {KrylovMethod::cocg});
    // A right-hand side with a solution also where the matrix is singular.
    auto const b = to_vector_on<Exec, Scalar>(this->space, host * RandomNumbers<Number>(5).vector(host.n()));
    Vector<Exec, Scalar> const x("karman::test::x", std::size_t(host.n()));
    return solver.solve(this->space, a, m, x, b, {.tolerance = tolerance, .max_iterations = 300, .check_every = 1});
  }
};
TYPED_TEST_SUITE(AmgOn, SparseBackends, SparseNames);

template <class Number>
Number dot(std::vector<Number> const& a, std::vector<Number> const& b) {
  Number sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// A complex symmetric matrix with a positive definite real part.
template <class Number>
HostMatrix<Number> turned(HostMatrix<Number> a) {
  if constexpr (!std::is_same_v<Number, double>) {
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      for (auto& [j, value] : a.rows[i]) {
        value *= Number(1, 0.3);
        if (j == int(i)) value += Number(0, 0.01);
      }
    }
  }
  return a;
}

TYPED_TEST(AmgOn, AgreesWithASerialCycle) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (double aspect : {1.0, 30.0}) {
    for (int steps : {1, 2, 3}) {
      for (bool smoothed : {true, false}) {
        auto const host = stored<Scalar>(turned(
            TriangleCase{.across = 41, .along = 37, .aspect = aspect, .shuffled = steps == 2}.laplacian<Number>()));
        AmgSetup const setup{.smoothed = smoothed,
                             .cycle = steps == 3 ? AmgCycle::w : AmgCycle::v,
                             .smoothing_steps = steps,
                             .coarsest = 40};
        SerialAmg<Number> const serial(host, setup);
        typename TestFixture::Amg const m(this->space, to_matrix_on<Exec, Scalar>(this->space, host), setup);
        std::vector<int> sizes;
        for (auto const& level : m.levels()) sizes.push_back(level.rows);
        ASSERT_EQ(sizes, serial.sizes());
        EXPECT_GE(sizes.size(), 3u);
        EXPECT_EQ(m.levels()[1].visits, setup.cycle == AmgCycle::w ? 2 : 1);
        auto const r = stored_vector<Scalar>(RandomNumbers<Number>(4).vector(host.n()));
        auto const expected = serial(r);
        // The coarsest matrix has a condition of nearly a thousand: 40 rows in line have 0.4 n^2.
        EXPECT_LE(distance(this->applied(m, r), expected), 1000 * TestFixture::epsilon * norm_of(expected))
            << "aspect " << aspect << ", " << steps << " steps" << (smoothed ? ", smoothed" : "");
        EXPECT_EQ(m.zero_pivots(this->space), 0);
      }
    }
  }
}

/// Sizes around the blocks of the elimination.
TYPED_TEST(AmgOn, SolvesASmallMatrixExactly) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (int n : {1, 2, 15, 16, 17, 31, 33, 100, 250}) {
    auto const host = stored<Scalar>(random_dominant<Number>(n, 6, 1.3, false, unsigned(n)));
    typename TestFixture::Amg const m(this->space, to_matrix_on<Exec, Scalar>(this->space, host));
    ASSERT_EQ(m.levels().size(), 1u);
    auto const r = stored_vector<Scalar>(RandomNumbers<Number>(4).vector(n));
    EXPECT_LE(distance(host * this->applied(m, r), r), 100 * TestFixture::epsilon * norm_of(r)) << n;
  }
}

TYPED_TEST(AmgOn, IsSymmetricAndTheSameFromRunToRun) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const host = turned(TriangleCase{.across = 70, .along = 50, .hole = true}.laplacian<Number>());
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
  for (AmgCycle const cycle : {AmgCycle::automatic, AmgCycle::v, AmgCycle::w}) {
    AmgSetup const setup{.cycle = cycle, .coarsest = 50};
    typename TestFixture::Amg const m(this->space, matrix, setup), again(this->space, matrix, setup);
    RandomNumbers<Number> random(6);
    auto const r = random.vector(host.n()), s = random.vector(host.n());
    auto const mr = this->applied(m, r), ms = this->applied(m, s);
    EXPECT_EQ(mr, this->applied(again, r));
    double const scale = norm_of(mr) * norm_of(s);
    EXPECT_LE(std::abs(dot(mr, s) - dot(r, ms)), 50 * TestFixture::epsilon * scale);
  }
}

template <class Number>
HostMatrix<Number> doubled(HostMatrix<Number> a) {
  for (auto& row : a.rows) {
    for (auto& [j, value] : row) value *= 2.0;
  }
  return a;
}

/// New values of the same profile: twice the matrix, half the correction, to the bit.
TYPED_TEST(AmgOn, TakesNewValues) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const host = turned(TriangleCase{.across = 50, .along = 50}.laplacian<Number>());
  auto const first = to_matrix_on<Exec, Scalar>(this->space, host);
  auto const second = to_matrix_on<Exec, Scalar>(this->space, doubled(host));
  typename TestFixture::Amg m(this->space, first, {.coarsest = 50});
  auto const r = RandomNumbers<Number>(6).vector(host.n());
  auto const before = this->applied(m, r);
  EXPECT_TRUE(m.factor(this->space, second).ok());
  auto half = before;
  for (auto& value : half) value *= 0.5;
  EXPECT_EQ(this->applied(m, r), half);
  m.factor(this->space, first);
  EXPECT_EQ(this->applied(m, r), before);
}

/// A device keeps the kernels of calls with the same vectors, not the numbers of vectors and matrix.
TYPED_TEST(AmgOn, CallsWithTheSameVectorsReadThemAgain) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const host = turned(TriangleCase{.across = 40, .along = 30}.laplacian<Number>());
  auto const second = to_matrix_on<Exec, Scalar>(this->space, doubled(host));
  RandomNumbers<Number> random(6);
  std::vector<Number> const given[] = {random.vector(host.n()), random.vector(host.n())};
  for (int const steps : {1, 2, 3}) {
    AmgSetup const setup{.smoothing_steps = steps, .coarsest = 50};
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    typename TestFixture::Amg m(this->space, matrix, setup);
    std::vector<Number> const once[] = {this->applied(m, given[0]), this->applied(m, given[1])};
    Vector<Exec, Scalar> const r("karman::test::r", given[0].size()), z("karman::test::z", given[0].size());
    for (int call = 0; call < 16; ++call) {
      if (call == 8) Kokkos::deep_copy(this->space, matrix.values, second.values);
      if (call == 8) m.factor(this->space, matrix);
      if (call == 12) m.factor(this->space, second);
      int const which = call / 4 % 2;
      Kokkos::deep_copy(this->space, r, to_vector_on<Exec, Scalar>(this->space, given[which]));
      m.apply(this->space, r, z);
      this->space.fence();
      auto expected = once[which];
      for (auto& value : expected) value *= call < 8 ? 1.0 : 0.5;
      EXPECT_EQ(to_vector(z), expected) << "call " << call << ", " << steps << " steps";
    }
  }
}

/// Few iterations, which grow slowly: mixed sides, ordered and shuffled, a hole, stretched and sheared cells.
TYPED_TEST(AmgOn, ConvergesOnMeshesOfAnyShape) {
  using Number = typename TestFixture::Number;
  struct Shape {
    double aspect, jitter;
    bool hole;
    int most;
  };
  double const tolerance = TestFixture::epsilon > 1e-10 ? 1e-4 : 1e-8;
  // The jitter shears cells ten times as wide as high by twice their height.
  for (Shape const shape : {Shape{1, 0.2, true, 25}, Shape{100, 0, false, 25}, Shape{10, 0.2, false, 32}}) {
    int last = 0;
    for (int n : {32, 64, 128}) {
      TriangleCase const mesh{.across = n,
                              .along = n,
                              .aspect = shape.aspect,
                              .jitter = shape.jitter,
                              .hole = shape.hole,
                              .shuffled = n == 64};
      auto const report = this->solved(turned(mesh.laplacian<Number>()), {.coarsest = 100}, tolerance);
      EXPECT_TRUE(report.converged) << summary(report);
      EXPECT_LE(report.iterations, shape.most) << "aspect " << shape.aspect << ", " << n;
      if (last > 0) {
        EXPECT_LE(report.iterations, last + 4) << "aspect " << shape.aspect << ", " << n;
      }
      last = report.iterations;
    }
  }
}

/// With second corrections from every level the iterations do not grow at all.
TYPED_TEST(AmgOn, ConvergesAtOneRateInWCycles) {
  using Number = typename TestFixture::Number;
  double const tolerance = TestFixture::epsilon > 1e-10 ? 1e-4 : 1e-8;
  for (double aspect : {1.0, 100.0}) {
    int first = 0;
    for (int n : {48, 96, 192}) {
      TriangleCase const mesh{.across = n, .along = n, .aspect = aspect, .jitter = aspect > 1 ? 0 : 0.2};
      auto const report = this->solved(mesh.laplacian<Number>(), {.cycle = AmgCycle::w, .coarsest = 100}, tolerance);
      EXPECT_TRUE(report.converged) << summary(report);
      if (first == 0) first = report.iterations;
      EXPECT_LE(report.iterations, std::min(15, first + 1)) << "aspect " << aspect << ", " << n;
    }
  }
}

TYPED_TEST(AmgOn, AgreesWithTheDirectSolver) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  if (direct_libraries().empty()) GTEST_SKIP() << "this build has no direct solver";
  for (unsigned seed : {1u, 2u, 3u}) {
    TriangleCase const mesh{.across = 45, .along = 30, .jitter = 0.42, .hole = true, .shuffled = true, .seed = seed};
    auto const host = turned(mesh.laplacian<Number>());
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    auto const b = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(seed).vector(host.n()));
    Vector<Exec, Scalar> const x("karman::test::x", std::size_t(host.n())), y("karman::test::y", std::size_t(host.n()));
    typename TestFixture::Amg const m(this->space, matrix, {.coarsest = 60});
    SparseOperator<Exec, Scalar> const a(matrix);
    GeneralKrylov<Exec, Scalar> solver(this->space, host.n(), {KrylovMethod::cocg});
    double const tolerance = 3000 * TestFixture::epsilon;
    auto const report = solver.solve(this->space, a, m, x, b, {.tolerance = tolerance, .max_iterations = 200});
    EXPECT_TRUE(report.converged) << summary(report);
    DirectSolver<Exec, Scalar> direct;
    direct.analyse(this->space, matrix);
    direct.factor(this->space, matrix);
    direct.solve(this->space, y, b);
    // The condition of the matrix is a few thousand, of which a residual at random meets a tenth.
    EXPECT_LE(distance(to_vector(x), to_vector(y)), 300 * tolerance * norm_of(to_vector(y)));
  }
}

/// Natural conditions everywhere, and two separate parts: constants are the null space of each.
TYPED_TEST(AmgOn, AllowsASingularMatrix) {
  using Number = typename TestFixture::Number;
  double const tolerance = TestFixture::epsilon > 1e-10 ? 1e-4 : 1e-8;
  auto const part = TriangleCase{.across = 40, .along = 40, .given = false}.laplacian<Number>();
  HostMatrix<Number> both(2 * part.n());
  for (int i = 0; i < part.n(); ++i) {
    for (auto const& [j, value] : part.rows[std::size_t(i)]) {
      both.rows[std::size_t(i)][j] = value;
      both.rows[std::size_t(part.n() + i)][part.n() + j] = value;
    }
  }
  for (auto const& host : {part, both}) {
    auto const report = this->solved(host, {.coarsest = 100}, tolerance);
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_LE(report.iterations, 30);
  }
}

/// Laplacian of a mesh of squares and of chains beside it, natural conditions, random weights.
template <class Number>
HostMatrix<Number> with_chains(int across, int chains, int length, unsigned seed) {
  HostMatrix<Number> a(across * across + chains * length);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> weight(0.5, 1.5);
  auto const connect = [&](int i, int j) {
    double const w = weight(random);
    for (auto const& [row, other] : {std::pair(i, j), std::pair(j, i)}) {
      a.rows[std::size_t(row)][row] += w;
      a.rows[std::size_t(row)][other] -= w;
    }
  };
  for (int i = 0; i < across * across; ++i) {
    if ((i + 1) % across != 0) connect(i, i + 1);
    if (i + across < across * across) connect(i, i + across);
  }
  for (int chain = 0; chain < chains; ++chain) {
    int const first = across * across + chain * length;
    for (int i = first; i + 1 < first + length; ++i) connect(i, i + 1);
  }
  return a;
}

/// All of a chain is a null space whose coarse row is rounding, on the coarsest level or above. It is no pivot.
TYPED_TEST(AmgOn, LeavesOutSmallComponents) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  bool const wide = TestFixture::epsilon < 1e-10;
  struct Shape {
    int across, chains, length, seeds;
    AmgSetup setup;
  };
  int const seeds = std::is_same_v<Scalar, double> ? 20 : 2;
  for (Shape const& shape :
       {Shape{20, 40, 3, seeds, {}}, Shape{24, 30, 2, 3, {.coarsest = 20}}, Shape{24, 8, 17, 3, {.coarsest = 20}},
        Shape{24, 20, 3, 2, {.smoothed = false}}, Shape{24, 20, 3, 2, {.coarsest = 5, .max_levels = 2}}}) {
    for (unsigned seed = 1; seed <= unsigned(shape.seeds); ++seed) {
      SCOPED_TRACE(std::to_string(shape.chains) + " chains of " + std::to_string(shape.length) + ", seed " +
                   std::to_string(seed));
      auto const host = stored<Scalar>(with_chains<Number>(shape.across, shape.chains, shape.length, seed));
      auto const report = this->solved(host, shape.setup, wide ? 1e-8 : 1e-4);
      EXPECT_TRUE(report.converged) << summary(report);
      typename TestFixture::Amg const m(this->space, to_matrix_on<Exec, Scalar>(this->space, host), shape.setup);
      // Where the coarsest level is only smoothed, the mesh is not down to its null space.
      int const mesh = shape.setup.max_levels == 2 ? 0 : 1;
      EXPECT_EQ(m.zero_pivots(this->space), mesh + shape.chains);
    }
  }
}

/// A part with a thousand million times the coefficient of its surroundings is no null space: all digits of its small
/// coupling count.
TYPED_TEST(AmgOn, KeepsStiffInclusions) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  constexpr int across = 40;
  double const contrast = TestFixture::epsilon > 1e-10 ? 1e3 : 1e9;
  HostMatrix<Number> host(across * across);
  auto const inside = [&](int i) { return std::abs(i % across - 20) < 8 && std::abs(i / across - 20) < 8; };
  for (int i = 0; i < across * across; ++i) {
    host.rows[std::size_t(i)][i] += 0.01;
    for (int const j : {(i + 1) % across != 0 ? i + 1 : -1, i + across < across * across ? i + across : -1}) {
      if (j < 0) continue;
      double const w = inside(i) && inside(j) ? contrast : 1;
      host.rows[std::size_t(i)][i] += w;
      host.rows[std::size_t(j)][j] += w;
      host.rows[std::size_t(i)][j] -= w;
      host.rows[std::size_t(j)][i] -= w;
    }
  }
  AmgSetup const setup{.coarsest = 60};
  typename TestFixture::Amg const m(this->space, to_matrix_on<Exec, Scalar>(this->space, host), setup);
  EXPECT_EQ(m.zero_pivots(this->space), 0);
  auto const report = this->solved(host, setup, TestFixture::epsilon > 1e-10 ? 1e-4 : 1e-6);
  EXPECT_TRUE(report.converged) << summary(report);
}

TYPED_TEST(AmgOn, StandsDegenerateMatrices) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  double const tolerance = TestFixture::epsilon > 1e-10 ? 1e-5 : 1e-8;
  // No connection at all: the smoother alone.
  HostMatrix<Number> diagonal(700);
  for (int i = 0; i < 700; ++i) diagonal.rows[std::size_t(i)][i] = Number(1 + i % 7);
  EXPECT_TRUE(this->solved(diagonal, {.coarsest = 10}, tolerance).converged);
  // A row that is connected with every other, of an arrow and on top of a mesh.
  auto mesh = TriangleCase{.across = 40, .along = 40}.laplacian<Number>();
  HostMatrix<Number> arrow(1500);
  for (int i = 0; i < 1500; ++i) arrow.rows[std::size_t(i)][i] = Number(2);
  for (auto* matrix : {&mesh, &arrow}) {
    for (int i = 1; i < matrix->n(); ++i) {
      matrix->rows[0][i] += Number(-0.5);
      matrix->rows[std::size_t(i)][0] += Number(-0.5);
      matrix->rows[std::size_t(i)][i] += Number(0.5);
    }
    matrix->rows[0][0] += Number(0.5 * matrix->n());
    auto const report = this->solved(*matrix, {.coarsest = 10}, tolerance);
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_LE(report.iterations, 60);
  }
  // No rows; one row; too few levels for the coarsest to be small.
  typename TestFixture::Amg const empty(this->space, to_matrix_on<Exec, Scalar>(this->space, HostMatrix<Number>(0)));
  EXPECT_EQ(this->applied(empty, {}).size(), 0u);
  auto const shallow = this->solved(TriangleCase{}.laplacian<Number>(), {.coarsest = 10, .max_levels = 2}, tolerance);
  EXPECT_TRUE(shallow.converged) << summary(shallow);
  // Values that are not numbers end in an apply() that returns; pivots of zero are counted.
  auto broken = TriangleCase{}.laplacian<Number>();
  broken.rows[70][70] = std::numeric_limits<double>::quiet_NaN();
  broken.rows[90] = {{90, Number(0)}};
  typename TestFixture::Amg const m(this->space, to_matrix_on<Exec, Scalar>(this->space, broken), {.coarsest = 50});
  this->applied(m, std::vector<Number>(std::size_t(broken.n()), Number(1)));
  EXPECT_GE(m.zero_pivots(this->space), 1);
}

TYPED_TEST(AmgOn, RefusesWhatDoesNotFit) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  using Amg = typename TestFixture::Amg;
  auto const good = to_matrix_on<Exec, Scalar>(this->space, TriangleCase{}.laplacian<Number>());
  auto const other = to_matrix_on<Exec, Scalar>(this->space, TriangleCase{.across = 39}.laplacian<Number>());
  auto const wide = to_matrix_on<Exec, Scalar>(this->space, HostMatrix<Number>(3, 4));
  expect_refused("square", [&] { Amg(this->space, wide); });
  expect_refused("strength", [&] { Amg(this->space, good, {.strength = 1}); });
  expect_refused("strength", [&] { Amg(this->space, good, {.strength = std::nan("")}); });
  expect_refused("smoothing_steps", [&] { Amg(this->space, good, {.smoothing_steps = 0}); });
  expect_refused("damped_range", [&] { Amg(this->space, good, {.damped_range = 1}); });
  expect_refused("coarsest", [&] { Amg(this->space, good, {.coarsest = 100000}); });
  expect_refused("max_levels", [&] { Amg(this->space, good, {.max_levels = 0}); });
  expect_refused("dense_row", [&] { Amg(this->space, good, {.dense_row = -1}); });
  Amg m(this->space, good);
  expect_refused("profile", [&] { m.factor(this->space, other); });
  Vector<Exec, Scalar> const shorter("karman::test::r", 3), z("karman::test::z", good.graph.offsets.extent(0) - 1);
  expect_refused("residual", [&] { m.apply(this->space, shorter, z); });
}

/// factor() and apply() launch kernels and nothing else; workspace_bytes() is the memory that is kept.
TYPED_TEST(AmgOn, AllocatesWhatItSays) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  for (double aspect : {1.0, 100.0}) {
    auto const host = TriangleCase{.across = 60, .along = 60, .aspect = aspect}.laplacian<Number>();
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, host);
    auto const n = std::size_t(host.n());
    Vector<Exec, Scalar> const r("karman::test::r", n), z("karman::test::z", n);
    AmgSetup const setup{.coarsest = 100};
    std::optional<typename TestFixture::Amg> made;
    auto const kept = allocated_bytes<Exec>([&] {
      made.emplace(this->space, matrix, setup);
      this->space.fence();
    });
    auto& m = *made;
    EXPECT_GE(kept.beyond(m.workspace_bytes()), 0) << aspect;
    EXPECT_LE(kept.beyond(m.workspace_bytes()), 8 * kept.views) << aspect;
    auto const events = record([&] {
      m.factor(this->space, matrix);
      m.apply(this->space, r, z);
    });
    for (auto const& event : events) {
      EXPECT_EQ(event.kind, RecordedEvent::Kind::kernel) << event.label;
      EXPECT_TRUE(is_ours(event.label)) << event.label;
    }
    auto const estimate = TestFixture::Amg::workspace_bytes(host.n(), std::int64_t(matrix.values.extent(0)), setup);
    double const ratio = double(estimate) / double(m.workspace_bytes());
    EXPECT_GT(ratio, 2.0 / 3) << aspect;
    EXPECT_LT(ratio, 4.0 / 3) << aspect;
  }
}

template <class Parameter>
class AmgForWavesOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(AmgForWavesOn, ComplexBackends, SparseNames);

/// The damped matrix of waves.
HostMatrix<std::complex<double>> damped_waves(HelmholtzCase::System const& system, double wave_number, double damping) {
  auto damped = system.matrix;
  double const shift = damping * wave_number * wave_number;
  for (std::size_t i = 0; i < damped.rows.size(); ++i) {
    for (auto& [j, value] : damped.rows[i]) value -= std::complex<double>(0, shift) * system.mass.rows[i].at(j);
  }
  return damped;
}

/// Coarse levels that do not resolve the waves have a polynomial of their own.
TYPED_TEST(AmgForWavesOn, AgreesWithASerialCycle) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = std::complex<double>;
  HelmholtzCase const problem{.n = 41, .across = 5, .reflection = 0.3};
  auto const host = stored<Scalar>(damped_waves(problem.assemble(), problem.wave_number(), 1));
  for (int steps : {1, 2, 3}) {
    AmgSetup const setup{.cycle = AmgCycle::v, .smoothing_steps = steps, .coarsest = 10};
    SerialAmg<Number> const serial(host, setup);
    EXPECT_TRUE(serial.has_segments());
    AmgPreconditioner<Exec, Scalar> const m(this->space, to_matrix_on<Exec, Scalar>(this->space, host), setup);
    ASSERT_GE(m.levels().size(), 3u);
    auto const r = stored_vector<Scalar>(RandomNumbers<Number>(4).vector(host.n()));
    auto const expected = serial(r);
    Vector<Exec, Scalar> const z("karman::test::z", r.size());
    m.apply(this->space, to_vector_on<Exec, Scalar>(this->space, r), z);
    this->space.fence();
    EXPECT_LE(distance(to_vector(z), expected), 100 * TestFixture::epsilon * norm_of(expected)) << steps << " steps";
  }
}

/// Twelve nodes per wavelength and twice that. On the second level of the first four are left, too few for a smoother
/// that damps a real spectrum. The coarsest level has less than one.
TYPED_TEST(AmgForWavesOn, StandsLevelsThatDoNotResolveThem) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  int last = 0;
  for (int nodes : {121, 241}) {
    HelmholtzCase const problem{.n = nodes, .across = 10, .reflection = 0.3};
    auto const system = problem.assemble();
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, system.matrix);
    auto const b = to_vector_on<Exec, Scalar>(this->space, system.rhs);
    auto const damped = to_matrix_on<Exec, Scalar>(this->space, damped_waves(system, problem.wave_number(), 1));
    AmgPreconditioner<Exec, Scalar> const m(this->space, damped, {.cycle = AmgCycle::w, .coarsest = 50});
    SparseOperator<Exec, Scalar> const a(matrix);
    GeneralKrylov<Exec, Scalar> solver(this->space, matrix.rows(), {KrylovMethod::cocg});
    Vector<Exec, Scalar> const x("karman::test::x", b.extent(0));
    auto const report =
        solver.solve(this->space, a, m, x, b, {.tolerance = 1e-8, .max_iterations = 2000, .check_every = 1});
    EXPECT_TRUE(report.converged) << summary(report);
    EXPECT_LE(report.iterations, 220) << nodes;
    if (last > 0) {
      EXPECT_LE(report.iterations, 1.2 * last);
    }
    last = report.iterations;
  }
}

/// Waves five lengths across with the damped matrix: iterations of every method, which hardly grow with the nodes.
TYPED_TEST(AmgForWavesOn, HelpsOnWaves) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  std::array<int, 3> last{};
  for (int nodes : {61, 121}) {
    HelmholtzCase const problem{.n = nodes, .across = 5, .reflection = 0.3};
    auto const system = problem.assemble();
    int const n = problem.n * problem.n;
    auto const damped = damped_waves(system, problem.wave_number(), 0.5);
    auto const matrix = to_matrix_on<Exec, Scalar>(this->space, system.matrix);
    auto const b = to_vector_on<Exec, Scalar>(this->space, system.rhs);
    AmgPreconditioner<Exec, Scalar> const m(this->space, to_matrix_on<Exec, Scalar>(this->space, damped),
                                            {.cycle = AmgCycle::w, .coarsest = 500});
    SparseOperator<Exec, Scalar> const a(matrix);
    std::vector<std::complex<double>> first;
    std::size_t place = 0;
    for (auto const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
      GeneralKrylov<Exec, Scalar> solver(this->space, n, {method, 200});
      Vector<Exec, Scalar> const x("karman::test::x", std::size_t(n));
      auto const report =
          solver.solve(this->space, a, m, x, b, {.tolerance = 1e-8, .max_iterations = 400, .check_every = 1});
      EXPECT_TRUE(report.converged) << name(method) << ": " << summary(report);
      EXPECT_LE(report.iterations, 120) << name(method);
      if (last[place] > 0) {
        EXPECT_LE(report.iterations, 1.3 * last[place]) << name(method);
      }
      last[place++] = report.iterations;
      if (first.empty()) first = to_vector(x);
      EXPECT_LE(distance(to_vector(x), first), 1e-4 * norm_of(first)) << name(method);
    }
  }
}

}  // namespace amg_preconditioner_test
