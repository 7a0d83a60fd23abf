// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "block_cases.hpp"
#include "solvers/common/bits_on_threads.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse/block_amg/block_aggregates.hpp"
#include <karman/solvers/sparse/block_amg.hpp>
#include <karman/solvers/sparse/block_operator.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/rounded_block_preconditioner.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace block_sparse_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class BlocksOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  static constexpr double epsilon = std::numeric_limits<T>::epsilon();
  Exec space;

  Vector<Exec, T> on_device(std::vector<double> const& values) { return to_vector_on<Exec, T>(space, values); }
  Vector<Exec, T> result(int blocks) { return Vector<Exec, T>("karman::test::result", 4 * std::size_t(blocks)); }
};
TYPED_TEST_SUITE(BlocksOn, AllBackends, BackendNames);

double largest_of(std::vector<double> const& values) {
  double largest = 0;
  for (double const value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<double> difference(std::vector<double> a, std::vector<double> const& b) {
  for (std::size_t n = 0; n < a.size(); ++n) a[n] -= b[n];
  return a;
}

/// Against a plain loop in double and against the scalar product of the same numbers. Rows of every length, empty ones,
/// a full one. m products and their sum round each by epsilon / 2 of the sum of magnitudes at most.
TYPED_TEST(BlocksOn, ProductsAgreeWithPlainLoopsAndScalarOnes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  RandomNumbers<double> random(3);
  for (int const n : {0, 1, 2, 15, 16, 17, 33, 500}) {
    HostBlocks host(n);
    for (int i = 0; i < n; ++i) {
      int const count = i == n / 2 ? n : i % 9;
      for (int m = 0; m < count; ++m) {
        host.rows[std::size_t(i)][i == n / 2 ? m : random.below(n)] = random_block(random);
      }
    }
    auto const matrix = to_blocks_on<T>(this->space, host);
    auto const x = this->on_device(random.vector(4 * n));
    auto const y = this->result(n), z = this->result(n);
    Kokkos::deep_copy(y, std::numeric_limits<T>::quiet_NaN());
    BlockSparseOperator<Exec, T, 4> const a(matrix);
    ASSERT_EQ(a.size(), 4 * n);
    a.apply(this->space, x, y);
    SparseOperator<Exec, T> const scalar(to_matrix_on<Exec, T>(this->space, host.numbers()));
    scalar.apply(this->space, x, z);
    auto const own = to_vector(y), other = to_vector(z), expected = host * to_vector(x),
               sizes = host.magnitudes(to_vector(x));
    for (std::size_t i = 0; i < own.size(); ++i) {
      double const bound = 4 * double(host.rows[i / 4].size()) * this->epsilon * sizes[i];
      EXPECT_LE(std::abs(own[i] - expected[i]), bound) << "n = " << n << ", number " << i;
      EXPECT_LE(std::abs(own[i] - other[i]), 2 * bound) << "n = " << n << ", number " << i;
    }
  }
}

/// Dominant blocks of size 9 at most, whose inverse is at most 1 / 3. Elimination rounds a number of the inverse about
/// 3 N = 12 times by epsilon / 2, its storage once, the product 4 times: the residual is below 27 epsilon.
TYPED_TEST(BlocksOn, JacobiSolvesBlockDiagonalSystems) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int const n : {0, 1, 15, 16, 17, 300}) {
    RandomNumbers<double> random(static_cast<unsigned>(n) + 1);
    HostBlocks host(n);
    for (int i = 0; i < n; ++i) {
      Block block = dominant_block(random, 6);
      // The largest number of a row is not on its diagonal: row exchanges are needed.
      std::swap(block[0], block[i % 4]);
      host.rows[std::size_t(i)][i] = block;
    }
    auto const matrix = to_blocks_on<T>(this->space, host);
    BlockJacobi<Exec, T, 4> jacobi(this->space, matrix.graph);
    EXPECT_TRUE(jacobi.factor(this->space, matrix).ok());
    EXPECT_EQ(jacobi.singular_blocks(this->space), 0);
    auto const r = this->on_device(random.vector(4 * n));
    auto const z = this->result(n);
    jacobi.apply(this->space, r, z);
    EXPECT_LE(largest_of(difference(host * to_vector(z), to_vector(r))), 27 * this->epsilon) << "n = " << n;
  }
}

/// Blocks D_1 A D_2 with scales of many powers of ten have an inverse as A has; none is counted. The rounding is the
/// same as above, relative to the scale of each equation.
TYPED_TEST(BlocksOn, ScalesOfEquationsAndVariablesDoNotMatter) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  RandomNumbers<double> random(7);
  HostBlocks host(40);
  std::array<double, 4> const equations{1e-8, 1, 1e6, 1e9}, variables{1e7, 1e-7, 1, 1e-3};
  for (int i = 0; i < 40; ++i) {
    Block block = dominant_block(random, 6);
    for (std::size_t r = 0; r < 4; ++r) {
      for (std::size_t c = 0; c < 4; ++c) block[r][c] *= equations[(r + std::size_t(i)) % 4] * variables[c];
    }
    host.rows[std::size_t(i)][i] = block;
  }
  auto const matrix = to_blocks_on<T>(this->space, host);
  BlockJacobi<Exec, T, 4> jacobi(this->space, matrix.graph);
  jacobi.factor(this->space, matrix);
  EXPECT_EQ(jacobi.singular_blocks(this->space), 0);
  std::vector<double> ones(160);
  for (std::size_t i = 0; i < ones.size(); ++i) ones[i] = equations[(i % 4 + i / 4) % 4];
  auto const r = this->on_device(ones);
  auto const z = this->result(40);
  jacobi.apply(this->space, r, z);
  auto const rest = difference(host * to_vector(z), to_vector(r));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    EXPECT_LE(std::abs(rest[i]), 27 * this->epsilon * ones[i]) << i;
  }
}

template <class View>
std::vector<int> numbers_of(View const& view) {
  return host_copy(typename View::execution_space(), view);
}

/// Sweeps against serial ones in the order of the colours and of the numbering. Rows dominate by 3, so a relaxed number
/// carries at most 0.4 + 1.4 / 3 < 0.87 of the errors before it: they add up to less than 8 times the errors of one
/// number. One number has m roundings of m products, 16 of D^-1 and of the scaled blocks. Numbers on the way are at
/// most twice the greatest result.
TYPED_TEST(BlocksOn, GaussSeidelAgreesWithSerialSweeps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int const n : {0, 1, 2, 33, 300}) {
    auto host = random_dominant_blocks(n, 6, 3, static_cast<unsigned>(n) + 2);
    auto const matrix = to_blocks_on<T>(this->space, host);
    std::size_t longest = 0;
    for (auto const& row : host.rows) longest = std::max(longest, row.size());
    auto const r = this->on_device(RandomNumbers<double>(4).vector(4 * n));
    auto const z = this->result(n);
    for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
      for (double const omega : {1.0, 0.7, 1.4}) {
        for (int const sweeps : {1, 2, 3}) {
          BlockGaussSeidel<Exec, T, 4> m(this->space, matrix.graph, {.sweeps = sweeps, .omega = omega, .order = order});
          ASSERT_EQ(m.size(), 4 * n);
          EXPECT_TRUE(m.factor(this->space, matrix).ok());
          EXPECT_EQ(m.singular_blocks(this->space), 0);
          Kokkos::deep_copy(z, std::numeric_limits<T>::quiet_NaN());
          m.apply(this->space, r, z);
          auto numbering = order_of_colors(numbers_of(m.row_colors()));
          if (order == SweepOrder::rows) std::iota(numbering.begin(), numbering.end(), 0);
          auto const expected = serial_sweeps(host, numbering, to_vector(r), omega, sweeps);
          EXPECT_LE(largest_of(difference(to_vector(z), expected)),
                    8 * 2 * (4 * double(longest) + 16) * this->epsilon * largest_of(expected))
              << "n = " << n << ", omega = " << omega << ", sweeps = " << sweeps;
        }
      }
    }
  }
}

/// Factors against serial ones. Rows dominate by 3: a number of the factors or of the solution carries less than half
/// of the errors before it. So these at most double. The two solutions and the factorisation add up.
TYPED_TEST(BlocksOn, IluAgreesWithSerialFactors) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int const n : {0, 1, 2, 33, 300}) {
    auto host = random_dominant_blocks(n, 6, 3, static_cast<unsigned>(n) + 5);
    auto const matrix = to_blocks_on<T>(this->space, host);
    std::size_t longest = 0;
    for (auto const& row : host.rows) longest = std::max(longest, row.size());
    auto const r = this->on_device(RandomNumbers<double>(4).vector(4 * n));
    auto const z = this->result(n);
    for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
      BlockIlu<Exec, T, 4> m(this->space, matrix.graph, {.order = order});
      ASSERT_EQ(m.size(), 4 * n);
      EXPECT_TRUE(m.factor(this->space, matrix).ok());
      EXPECT_EQ(m.singular_blocks(this->space), 0);
      Kokkos::deep_copy(z, std::numeric_limits<T>::quiet_NaN());
      m.apply(this->space, r, z);
      auto numbering = order_of_colors(numbers_of(m.row_colors()));
      if (order == SweepOrder::rows) std::iota(numbering.begin(), numbering.end(), 0);
      auto const expected = serial_ilu(host, numbering, to_vector(r));
      EXPECT_LE(largest_of(difference(to_vector(z), expected)),
                3 * 2 * (4 * double(longest) + 16) * this->epsilon * largest_of(expected))
          << "n = " << n << ", " << (order == SweepOrder::rows ? "rows" : "colors");
    }
  }
}

/// Without fill M = A: chains in the order of the rows, separate pairs in any order. Rows dominate by 3.
TYPED_TEST(BlocksOn, IluIsExactWhereNothingFillsIn) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 120;
  for (bool const chain : {true, false}) {
    RandomNumbers<double> random(6);
    HostBlocks host(n);
    for (int i = 0; i < n; ++i) {
      host.rows[std::size_t(i)][i] = dominant_block(random, 33);
      int const other = chain ? i + 1 : i % 2 == 0 ? i + 1 : n;
      if (other >= n) continue;
      host.rows[std::size_t(i)][other] = random_block(random);
      host.rows[std::size_t(other)][i] = random_block(random);
    }
    auto const matrix = to_blocks_on<T>(this->space, host);
    auto const r = this->on_device(random.vector(4 * n));
    auto const z = this->result(n);
    for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
      BlockIlu<Exec, T, 4> m(this->space, matrix.graph, {.order = order});
      m.factor(this->space, matrix);
      if (order == SweepOrder::rows) {
        EXPECT_EQ(m.colors(), chain ? n : 2);
      }
      m.apply(this->space, r, z);
      double const rest = largest_of(difference(host * to_vector(z), to_vector(r)));
      // |A| |A^-1| <= (33 + 11) / (33 - 11) = 2, with 12 products per number and 16 roundings of a factor.
      double const bound = 2 * 2 * 28 * this->epsilon;
      if (chain && order == SweepOrder::colors) {
        EXPECT_GT(rest, 10 * bound) << "elimination by colours drops fill";
      } else {
        EXPECT_LE(rest, bound) << (chain ? "chain" : "pairs");
      }
    }
  }
}

/// Iterations of GMRES on waves in a flow with cells of many sizes: each method saves more than the one before it.
TYPED_TEST(BlocksOn, EachPreconditionerSavesIterations) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 24, unknowns = 4 * n * n;
  auto host = carried_waves(n, 20);
  auto const matrix = to_blocks_on<T>(this->space, host);
  auto const& graph = matrix.graph;
  BlockJacobi<Exec, T, 4> jacobi(this->space, graph);
  BlockGaussSeidel<Exec, T, 4> once(this->space, graph), twice(this->space, graph, {.sweeps = 2});
  BlockGaussSeidel<Exec, T, 4> by_rows(this->space, graph, {.order = SweepOrder::rows});
  BlockIlu<Exec, T, 4> ilu(this->space, graph), ilu_by_rows(this->space, graph, {.order = SweepOrder::rows});
  BlockSparseOperator<Exec, T, 4> const a(matrix);
  GeneralKrylov<Exec, T> solver(this->space, unknowns, {KrylovMethod::gmres, 150});
  auto const b = this->on_device(RandomNumbers<double>(4).vector(unknowns));
  GeneralKrylovOptions options{
      .tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-8, .max_iterations = 1000, .check_every = 1};
  auto const x = this->result(n * n);
  auto const plain = solver.solve(this->space, a, x, b, options);
  auto const iterations = [&](BlockPreconditioner<Exec, T, 4>& m) {
    EXPECT_TRUE(m.factor(this->space, matrix).ok());
    EXPECT_EQ(m.singular_blocks(this->space), 0);
    Kokkos::deep_copy(x, T(0));
    auto const report = solver.solve(this->space, a, m, x, b, options);
    EXPECT_TRUE(report.converged) << summary(report);
    auto const rest = norm_of(difference(host * to_vector(x), to_vector(b))) / norm_of(to_vector(b));
    EXPECT_LE(rest, 2 * options.tolerance);
    return report.iterations;
  };
  int const with_jacobi = iterations(jacobi), with_sweep = iterations(once), with_ilu = iterations(ilu);
  EXPECT_GT(plain.iterations, with_jacobi);
  EXPECT_GT(with_jacobi, with_sweep);
  EXPECT_GT(with_sweep, with_ilu);
  EXPECT_GT(with_sweep, iterations(twice));
  int const with_rows = iterations(by_rows);
  EXPECT_GT(with_sweep, with_rows);
  EXPECT_GT(with_ilu, iterations(ilu_by_rows));
  if constexpr (std::is_same_v<T, double>) {
    using Rounded = RoundedBlockPreconditioner<Exec, 4>;
    Rounded rounded(this->space, graph, std::make_unique<BlockIlu<Exec, float, 4>>(this->space, graph));
    // Rounding makes M a linear map to about 1e-7 only: GMRES takes a fifth more iterations for eight digits.
    EXPECT_NEAR(iterations(rounded), with_ilu, with_ilu / 4);
    options.tolerance = 1e-4;
    EXPECT_NEAR(iterations(rounded), iterations(ilu), 1);
    auto const entries = static_cast<std::int64_t>(graph.entries.extent(0));
    EXPECT_EQ(rounded.workspace_bytes(),
              (BlockIlu<Exec, float, 4>::workspace_bytes(n * n, entries) + Rounded::workspace_bytes(n * n, entries)));
    EXPECT_THROW(Rounded(this->space, graph, nullptr), std::invalid_argument);
    auto smaller = carried_waves(n / 2, 20);
    auto const other = to_blocks_on<T>(this->space, smaller);
    EXPECT_THROW(Rounded(this->space, other.graph, std::make_unique<BlockIlu<Exec, float, 4>>(this->space, graph)),
                 std::invalid_argument);
    EXPECT_THROW(rounded.factor(this->space, other), std::invalid_argument);
  }
}

/// Blocks of zeros, of rank 3, absent, with an infinite number, with one that is not a number.
TYPED_TEST(BlocksOn, SingularBlocksAreCountedAndReplaced) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 12;
  RandomNumbers<double> random(3);
  HostBlocks host(n);
  for (int i = 0; i < n; ++i) host.rows[std::size_t(i)][i] = dominant_block(random, 6);
  auto const block = [&](int i) -> Block& { return host.rows[std::size_t(i)].at(i); };
  block(1) = {};
  // Exact in binary: the last row is the sum of two others.
  block(3) = {{{1, 2, 3, 5}, {0.5, -1, 4, 0.25}, {7, 0, 0.125, -2}, {1.5, 1, 7, 5.25}}};
  host.rows[5].clear();
  block(7)[2][1] = std::numeric_limits<double>::infinity();
  block(9)[0][3] = std::numeric_limits<double>::quiet_NaN();
  auto const matrix = to_blocks_on<T>(this->space, host);
  BlockJacobi<Exec, T, 4> jacobi(this->space, matrix.graph);
  BlockGaussSeidel<Exec, T, 4> sweeps(this->space, matrix.graph);
  BlockIlu<Exec, T, 4> ilu(this->space, matrix.graph);
  auto const r = this->on_device(std::vector<double>(48, 1.0));
  auto const z = this->result(n), jacobi_result = this->result(n);
  for (BlockPreconditioner<Exec, T, 4>* m :
       std::initializer_list<BlockPreconditioner<Exec, T, 4>*>{&jacobi, &sweeps, &ilu}) {
    EXPECT_TRUE(m->factor(this->space, matrix).ok());
    EXPECT_EQ(m->singular_blocks(this->space), 5);
    m->apply(this->space, r, z);
    auto const found = to_vector(z);
    for (int const i : {1, 3, 5, 7, 9}) {
      for (int c = 0; c < 4; ++c) EXPECT_EQ(found[std::size_t(4 * i + c)], 1) << "block row " << i;
    }
    for (double const number : found) EXPECT_TRUE(std::isfinite(number));
  }
  // New values are counted again: only the absent block is left.
  for (int const i : {1, 3, 7, 9}) block(i) = unit_block();
  jacobi.factor(this->space, to_blocks_on<T>(this->space, host));
  EXPECT_EQ(jacobi.singular_blocks(this->space), 1);
}

/// A pivot that becomes singular by elimination only: [I I; I I].
TYPED_TEST(BlocksOn, SingularPivotsOfFactorsAreCounted) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  HostBlocks host(2);
  for (auto& row : host.rows) row = {{0, unit_block()}, {1, unit_block()}};
  auto const matrix = to_blocks_on<T>(this->space, host);
  BlockIlu<Exec, T, 4> ilu(this->space, matrix.graph);
  ilu.factor(this->space, matrix);
  EXPECT_EQ(ilu.singular_blocks(this->space), 1);
}

TYPED_TEST(BlocksOn, WrongProfilesAndSetupsAreRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Jacobi = BlockJacobi<Exec, T, 4>;
  using Sweeps = BlockGaussSeidel<Exec, T, 4>;
  using Ilu = BlockIlu<Exec, T, 4>;
  using Amg = BlockAmg<Exec, T, 4>;
  auto host = random_dominant_blocks(20, 4, 3, 3), other = random_dominant_blocks(20, 6, 3, 4);
  auto const good = to_blocks_on<T>(this->space, host), another = to_blocks_on<T>(this->space, other);
  HostBlocks lopsided = host;
  for (int i = 0; i < 20; ++i) lopsided.rows[std::size_t(i)][19] = unit_block();
  lopsided.rows[19] = {{19, unit_block()}};
  auto const bad = to_blocks_on<T>(this->space, lopsided);
  for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
    EXPECT_THROW((Sweeps(this->space, bad.graph, {.order = order})), std::invalid_argument);
    EXPECT_THROW((Ilu(this->space, bad.graph, {.order = order})), std::invalid_argument);
  }
  EXPECT_NO_THROW((Jacobi(this->space, bad.graph)));
  EXPECT_THROW((Sweeps(this->space, good.graph, {.sweeps = 0})), std::invalid_argument);
  for (double const omega : {0.0, 2.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW((Sweeps(this->space, good.graph, {.omega = omega})), std::invalid_argument);
  }
  EXPECT_THROW((Sweeps(this->space, good.graph, {.passes = -1})), std::invalid_argument);
  EXPECT_THROW((Ilu(this->space, good.graph, {.passes = -1})), std::invalid_argument);
  EXPECT_THROW((Amg(this->space, bad.graph)), std::invalid_argument);
  for (BlockAmgSetup const& setup :
       {BlockAmgSetup{.before = -1}, BlockAmgSetup{.before = 9}, BlockAmgSetup{.after = 0}, BlockAmgSetup{.after = 9},
        BlockAmgSetup{.visits = 0}, BlockAmgSetup{.visits = 3}, BlockAmgSetup{.coarsest = 0},
        BlockAmgSetup{.max_levels = 0}, BlockAmgSetup{.max_levels = 31}}) {
    EXPECT_THROW((Amg(this->space, good.graph, setup)), std::invalid_argument);
  }

  Jacobi jacobi(this->space, good.graph);
  Sweeps sweeps(this->space, good.graph);
  Ilu ilu(this->space, good.graph);
  Amg amg(this->space, good.graph);
  auto const z = this->result(20), wrong = this->result(19);
  auto short_values = good;
  short_values.values = another.values;
  auto wide = good;
  wide.columns = 21;
  for (BlockPreconditioner<Exec, T, 4>* m :
       std::initializer_list<BlockPreconditioner<Exec, T, 4>*>{&jacobi, &sweeps, &ilu, &amg}) {
    EXPECT_THROW(m->factor(this->space, another), std::invalid_argument);
    EXPECT_THROW(m->factor(this->space, short_values), std::invalid_argument);
    EXPECT_THROW(m->factor(this->space, wide), std::invalid_argument);
    EXPECT_NO_THROW(m->factor(this->space, good));
    EXPECT_THROW(m->apply(this->space, wrong, z), std::invalid_argument);
    EXPECT_THROW(m->apply(this->space, z, wrong), std::invalid_argument);
  }
  using Product = BlockSparseOperator<Exec, T, 4>;
  EXPECT_THROW((Product(short_values)), std::invalid_argument);
  EXPECT_THROW((Product(wide)), std::invalid_argument);
  EXPECT_THROW(Product(good).apply(this->space, wrong, z), std::invalid_argument);
  EXPECT_THROW(Product(good).apply(this->space, z, wrong), std::invalid_argument);
}

/// Maps between two levels against plain loops, on a random profile with rows that have no neighbours.
TYPED_TEST(BlocksOn, CoarseBlocksAreSumsOverAggregates) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  int const n = 700;
  auto host = random_dominant_blocks(n, 4, 3, 9);
  for (int const alone : {0, 350, 699}) {
    for (auto& row : host.rows) row.erase(alone);
    host.rows[std::size_t(alone)] = {{alone, unit_block()}};
  }
  auto const matrix = to_blocks_on<T>(this->space, host);
  auto const maps = karman::detail::aggregate_blocks(this->space, matrix.graph, "test");
  auto const of_row = numbers_of(maps.of_row), members = numbers_of(maps.rows.entries);
  EXPECT_EQ(members.size(), std::size_t(std::count_if(of_row.begin(), of_row.end(), [](int a) { return a >= 0; })));
  EXPECT_LT(maps.count, n / 3);
  HostBlocks expected(maps.count);
  for (int i = 0; i < n; ++i) {
    EXPECT_EQ(of_row[std::size_t(i)] < 0, host.rows[std::size_t(i)].size() == 1) << i;
    for (auto const& [j, block] : host.rows[std::size_t(i)]) {
      int const row = of_row[std::size_t(i)], column = of_row[std::size_t(j)];
      if (row < 0 || column < 0) continue;
      Block& sum = expected.rows[std::size_t(row)][column];
      sum = sum - -1.0 * block;
    }
  }
  auto const coarse = make_block_csr_matrix<T, 4>(this->space, maps.coarse);
  Kokkos::parallel_for(
      "karman::test::sum_blocks",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(this->space, 0, std::int64_t(coarse.values.size())),
      karman::detail::SumBlocks<Exec, T, 4>{maps.blocks, matrix.values.data(), coarse.values.data()});
  this->space.fence();
  auto const x = this->on_device(RandomNumbers<double>(4).vector(4 * maps.count));
  auto const y = this->result(maps.count);
  BlockSparseOperator<Exec, T, 4>(coarse).apply(this->space, x, y);
  std::size_t entries = 0;
  for (auto const& row : expected.rows) entries += row.size();
  EXPECT_EQ(coarse.values.extent(0), entries);
  // A row has some twenty sums of as many blocks at most.
  EXPECT_LE(largest_of(difference(to_vector(y), expected * to_vector(x))),
            400 * this->epsilon * largest_of(expected.magnitudes(to_vector(x))));
}

/// Long steps of waves in a flow. Factors alone need more iterations on finer meshes, multigrid few more.
TYPED_TEST(BlocksOn, MultigridNeedsFewIterationsOnEveryMesh) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  std::vector<int> with_ilu, with_amg;
  for (int const n : {16, 40}) {
    int const unknowns = 4 * n * n;
    auto host = carried_waves(n, 1e4);
    auto const matrix = to_blocks_on<T>(this->space, host);
    BlockSparseOperator<Exec, T, 4> const a(matrix);
    BlockIlu<Exec, T, 4> ilu(this->space, matrix.graph);
    BlockAmg<Exec, T, 4> amg(this->space, matrix.graph);
    EXPECT_GE(amg.level_rows().size(), n == 16 ? 2u : 3u);
    double const kept = double(amg.workspace_bytes());
    auto const entries = static_cast<std::int64_t>(matrix.graph.entries.extent(0));
    EXPECT_NEAR(double(BlockAmg<Exec, T, 4>::workspace_bytes(n * n, entries)), kept, kept / 8);
    EXPECT_LE(amg.level_rows().back(), 32);
    GeneralKrylov<Exec, T> solver(this->space, unknowns, {KrylovMethod::gmres, 100});
    auto const b = this->on_device(RandomNumbers<double>(4).vector(unknowns));
    auto const x = this->result(n * n);
    auto const iterations = [&](BlockPreconditioner<Exec, T, 4>& m) {
      EXPECT_TRUE(m.factor(this->space, matrix).ok());
      EXPECT_EQ(m.singular_blocks(this->space), 0);
      Kokkos::deep_copy(x, T(0));
      auto const report =
          solver.solve(this->space, a, m, x, b, {.tolerance = 1e-4, .max_iterations = 500, .check_every = 1});
      EXPECT_TRUE(report.converged) << summary(report);
      EXPECT_LE(norm_of(difference(host * to_vector(x), to_vector(b))), 2e-4 * norm_of(to_vector(b)));
      return report.iterations;
    };
    with_ilu.push_back(iterations(ilu));
    with_amg.push_back(iterations(amg));
    BlockAmg<Exec, T, 4> w(this->space, matrix.graph, {.visits = 2}), after(this->space, matrix.graph, {.before = 0});
    EXPECT_LE(iterations(w), with_amg.back());
    EXPECT_GE(iterations(after), with_amg.back());
  }
  EXPECT_GE(2 * with_ilu[1], 3 * with_ilu[0]);
  EXPECT_LE(with_amg[1], 2 * with_amg[0]);
  EXPECT_LE(3 * with_amg[1], with_ilu[1]);
}

/// One level is one step of the smoother. New values give the bits of a new object; so does a copy of the matrix.
TYPED_TEST(BlocksOn, MultigridTakesNewValuesAndAnySize) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (int const n : {0, 1, 30}) {
    auto host = random_dominant_blocks(n, 6, 3, 5);
    auto const matrix = to_blocks_on<T>(this->space, host);
    BlockAmg<Exec, T, 4> amg(this->space, matrix.graph);
    BlockIlu<Exec, T, 4> ilu(this->space, matrix.graph);
    amg.factor(this->space, matrix);
    ilu.factor(this->space, matrix);
    auto const r = this->on_device(RandomNumbers<double>(4).vector(4 * n));
    auto const z = this->result(n), expected = this->result(n);
    amg.apply(this->space, r, z);
    ilu.apply(this->space, r, expected);
    EXPECT_EQ(amg.level_rows(), std::vector<int>{n});
    EXPECT_EQ(to_vector(z), to_vector(expected));
  }
  auto first = carried_waves(20, 0.1), second = carried_waves(20, 50);
  auto const matrix = to_blocks_on<T>(this->space, first), other = to_blocks_on<T>(this->space, second);
  BlockAmg<Exec, T, 4> again(this->space, matrix.graph), fresh(this->space, other.graph);
  auto const r = this->on_device(RandomNumbers<double>(4).vector(1600));
  auto const z = this->result(400), expected = this->result(400);
  again.factor(this->space, matrix);
  again.apply(this->space, r, z);
  again.factor(this->space, other);
  again.apply(this->space, r, z);
  fresh.factor(this->space, other);
  fresh.apply(this->space, r, expected);
  EXPECT_EQ(to_vector(z), to_vector(expected));
}

/// A device moves whole packs of vectors that begin at a multiple of 16 bytes. Others give the same bits, on levels
/// that one team sweeps and on larger ones.
TYPED_TEST(BlocksOn, VectorsMayBeginAnywhere) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  constexpr int rows = 45 * 45, size = 4 * rows;
  auto host = carried_waves(45, 20);
  auto const matrix = to_blocks_on<T>(this->space, host);
  auto const r = this->on_device(RandomNumbers<double>(4).vector(size));
  auto const z = this->result(rows), longer = this->result(rows + 1), other = this->result(rows + 1);
  auto const range = Kokkos::make_pair(std::size_t(1), std::size_t(size + 1));
  Vector<Exec, T> const shifted_r = Kokkos::subview(longer, range), shifted_z = Kokkos::subview(other, range);
  Kokkos::deep_copy(shifted_r, r);
  auto const expect_the_same = [&](VectorOperator<Exec, T> const& map, char const* name) {
    map.apply(this->space, r, z);
    map.apply(this->space, shifted_r, shifted_z);
    EXPECT_EQ(to_vector(z), to_vector(shifted_z)) << name;
  };
  expect_the_same(BlockSparseOperator<Exec, T, 4>(matrix), "product");
  auto const check = [&](auto&& preconditioner, char const* name) {
    preconditioner.factor(this->space, matrix);
    expect_the_same(preconditioner, name);
  };
  check(BlockJacobi<Exec, T, 4>(this->space, matrix.graph), "Jacobi");
  check(BlockGaussSeidel<Exec, T, 4>(this->space, matrix.graph, {.sweeps = 2}), "Gauss-Seidel");
  check(BlockIlu<Exec, T, 4>(this->space, matrix.graph), "ILU");
  check(BlockAmg<Exec, T, 4>(this->space, matrix.graph), "multigrid");
  if constexpr (sizeof(T) == 8) {
    auto inner = std::make_unique<BlockIlu<Exec, float, 4>>(this->space, matrix.graph);
    check(RoundedBlockPreconditioner<Exec, 4>(this->space, matrix.graph, std::move(inner)), "rounded");
  }
}

/// factor() and apply() launch the documented numbers of kernels and nothing else.
TYPED_TEST(BlocksOn, KernelsAreAsDocumentedAndNothingIsAllocated) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto host = random_dominant_blocks(200, 6, 3, 3);
  auto const matrix = to_blocks_on<T>(this->space, host);
  BlockSparseOperator<Exec, T, 4> const a(matrix);
  BlockJacobi<Exec, T, 4> jacobi(this->space, matrix.graph);
  BlockGaussSeidel<Exec, T, 4> sweeps(this->space, matrix.graph, {.sweeps = 2});
  BlockIlu<Exec, T, 4> ilu(this->space, matrix.graph);
  auto const r = this->result(200), z = this->result(200);
  this->space.fence();
  int const colors = sweeps.colors();
  EXPECT_EQ(ilu.colors(), colors);
  auto const count = [&](int kernels, auto const& run) {
    auto const events = record(run);
    expect_kernels_only(this->space, events, kernels);
    EXPECT_EQ(static_cast<int>(events.size()), kernels);
  };
  count(1, [&] { a.apply(this->space, r, z); });
  count(2, [&] { jacobi.factor(this->space, matrix); });
  count(1, [&] { jacobi.apply(this->space, r, z); });
  count(2, [&] { sweeps.factor(this->space, matrix); });
  // One team of a device takes all colours of few rows, in a first sweep from zero.
  auto const first_sweep = [](int of) { return karman::runs_on_host<Exec> ? 2 * of - 1 : 1; };
  count(first_sweep(colors) + 2 * colors - 1, [&] { sweeps.apply(this->space, r, z); });
  count(2 + colors, [&] { ilu.factor(this->space, matrix); });
  count(first_sweep(colors), [&] { ilu.apply(this->space, r, z); });
  // Two levels: the coarsest takes four steps of the smoother.
  for (int const before : {0, 1, 2}) {
    BlockAmg<Exec, T, 4> amg(this->space, matrix.graph, {.before = before, .coarsest = 100});
    ASSERT_EQ(amg.level_rows().size(), 2u);
    auto const maps = karman::detail::aggregate_blocks(this->space, matrix.graph, "test");
    int const coarse = BlockIlu<Exec, T, 4>(this->space, maps.coarse).colors();
    count(2 + colors + 1 + 2 + coarse, [&] { amg.factor(this->space, matrix); });
    int const finest = (first_sweep(colors) + 2) * (before + 1) + (before == 0 ? 2 : 1);
    count(finest + 4 * (first_sweep(coarse) + 2) - 2, [&] { amg.apply(this->space, r, z); });
  }
}

/// The product and the preconditioners, in both orders.
TEST(BlockThreads, GiveTheSameBits) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Exec const space;
  auto host = carried_waves(40, 20);
  auto const matrix = to_blocks_on<double>(space, host);
  auto const& graph = matrix.graph;
  auto const r = to_vector_on<Exec, double>(space, RandomNumbers<double>(4).vector(6400));
  Vector<Exec, double> const z("karman::test::z", 6400);
  std::vector<double> all;
  auto const add = [&](VectorOperator<Exec, double> const& map) {
    map.apply(space, r, z);
    auto const found = to_vector(z);
    all.insert(all.end(), found.begin(), found.end());
  };
  add(BlockSparseOperator<Exec, double, 4>(matrix));
  BlockJacobi<Exec, double, 4> jacobi(space, graph);
  jacobi.factor(space, matrix);
  add(jacobi);
  for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
    BlockGaussSeidel<Exec, double, 4> sweeps(space, graph, {.sweeps = 2, .omega = 1.1, .order = order});
    BlockIlu<Exec, double, 4> ilu(space, graph, {.order = order});
    sweeps.factor(space, matrix);
    ilu.factor(space, matrix);
    add(sweeps);
    add(ilu);
    BlockAmg<Exec, double, 4> amg(space, graph, {.order = order});
    amg.factor(space, matrix);
    add(amg);
  }
  expect_bits_on_any_threads(bits_of(all));
}

}  // namespace block_sparse_test
