// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "block_cases.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/sparse/block_operator.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
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

}  // namespace block_sparse_test
