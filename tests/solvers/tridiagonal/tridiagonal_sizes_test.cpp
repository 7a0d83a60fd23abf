// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every algorithm against the serial solver: rows, systems, kinds of matrices.
#include "tridiagonal_runs.hpp"

namespace tridiagonal_sizes_test {

using namespace karman;
using namespace karman::test;
using A = TridiagonalAlgorithm;

template <class Parameter>
class TridiagonalSizes : public TridiagonalOn<Parameter> {};
TYPED_TEST_SUITE(TridiagonalSizes, AllScalars, ScalarNames);

TYPED_TEST(TridiagonalSizes, EveryNumberOfRowsUpTo1100) {
  for (std::int64_t rows = 1; rows <= 1100; ++rows) {
    bool const listed = rows < 20 || rows % 97 == 0 || (rows & (rows - 1)) == 0 || (rows & (rows + 1)) == 0 ||
                        ((rows - 1) & (rows - 2)) == 0;
    if (!TestFixture::is_double && !listed) continue;
    typename TestFixture::Known batch(this->space, Matrix::dominant, rows, {1, 3}, rows % 2 == 1);
    for (A algorithm : {A::automatic, A::thomas, A::cyclic_reduction, A::pcr_thomas, A::partitioned}) {
      batch.expect_solved(this->space, algorithm, "dominant");
    }
    if (!listed) continue;
    for (A algorithm : {A::parallel_cyclic_reduction, A::cr_pcr, A::interleaved_thomas, A::pivoting}) {
      batch.expect_solved(this->space, algorithm, "dominant");
    }
  }
}

TYPED_TEST(TridiagonalSizes, AroundPowersOfTwo) {
  for (int exponent : {11, 12, 13, 14, 16, 20}) {
    if (!TestFixture::is_double && exponent > 12) continue;
    for (std::int64_t shift : {-1, 0, 1}) {
      typename TestFixture::Known batch(this->space, Matrix::dominant, (std::int64_t(1) << exponent) + shift, {1, 1});
      for (A algorithm : every_algorithm) {
        // Beyond this many rows: only the algorithms meant for them.
        bool const huge = algorithm == A::partitioned || algorithm == A::pivoting || algorithm == A::thomas;
        if (exponent > 14 && !huge) continue;
        batch.expect_solved(this->space, algorithm, "dominant");
      }
      batch.expect_solved(this->space, A::automatic, "dominant");
    }
  }
}

TYPED_TEST(TridiagonalSizes, ReductionHasNoLimitOnTheRows) {
  for (std::int64_t rows : {TestFixture::is_double ? 40000 : 9000, TestFixture::is_double ? 65537 : 16385}) {
    typename TestFixture::Known batch(this->space, Matrix::dominant, rows, {1, 1});
    for (A algorithm : every_algorithm) batch.expect_solved(this->space, algorithm, "dominant");
  }
}

TYPED_TEST(TridiagonalSizes, EveryKindOfMatrix) {
  for (Matrix matrix : {Matrix::dominant, Matrix::barely_dominant, Matrix::toeplitz, Matrix::laplacian,
                        Matrix::nearly_singular, Matrix::scaled}) {
    for (bool periodic : {false, true}) {
      for (std::int64_t rows : {1, 2, 3, 5, 31, 64, 200, 513}) {
        // Two couplings of one row to the same unknown must not cancel the perturbation of a singular matrix.
        if (matrix == Matrix::nearly_singular && periodic && rows < 3) continue;
        typename TestFixture::Known batch(this->space, matrix, rows, {1, 2}, periodic);
        for (A algorithm : every_algorithm) {
          batch.expect_solved(this->space, algorithm, std::string(name(matrix)) + (periodic ? ", periodic" : ""));
        }
      }
    }
  }
}

/// Elimination in order leaves a residual of round-off however ill-conditioned a dominant matrix is.
TYPED_TEST(TridiagonalSizes, SmallResidualsWhateverTheCondition) {
  using T = typename TestFixture::T;
  for (Matrix matrix : {Matrix::laplacian, Matrix::nearly_singular, Matrix::barely_dominant}) {
    for (std::int64_t rows : {30, 500, 3000}) {
      typename TestFixture::Known batch(this->space, matrix, rows, {1, 2});
      for (A algorithm : {A::thomas, A::interleaved_thomas, A::pivoting}) {
        auto const found = batch.solve(this->space, {.algorithm = algorithm});
        double const bound = 16 * Scalar<T>::roundings * (2 + levels_of(algorithm, rows)) * epsilon<T>;
        for (std::size_t s = 0; s < found.size(); ++s) {
          EXPECT_LE(rowwise_backward_error(batch.placed.systems[s], found[s]), bound)
              << name(algorithm) << ", " << name(matrix) << ", " << rows << " rows";
        }
      }
    }
  }
}

TYPED_TEST(TridiagonalSizes, AnyNumberOfSystems) {
  for (auto const& batch : std::vector<std::array<std::int64_t, 2>>{{1, 1}, {1, 33}, {7, 5}, {1, 1025}, {129, 1}}) {
    for (std::int64_t rows : {4, 65}) {
      typename TestFixture::Known systems(this->space, Matrix::dominant, rows, batch);
      for (A algorithm : every_algorithm) systems.expect_solved(this->space, algorithm, "dominant");
      systems.expect_solved(this->space, A::automatic, "dominant");
    }
  }
}

TYPED_TEST(TridiagonalSizes, ManySmallSystems) {
  typename TestFixture::Known systems(this->space, Matrix::dominant, 3, {3, TestFixture::is_double ? 23333 : 3333});
  for (A algorithm : every_algorithm) systems.expect_solved(this->space, algorithm, "dominant");
}

/// One matrix for a batch of 16 MiB, side by side: right-hand sides that return after seven systems give bits that do.
TYPED_TEST(TridiagonalSizes, OneMatrixForManySystems) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using S = Scalar<T>;
  for (std::int64_t rows : {3, 33, 512, 700}) {
    for (bool periodic : {false, true}) {
      auto const systems = systems_of_one_matrix<T>(Matrix::dominant, rows, {1, 7}, periodic);
      typename TestFixture::Known const known(this->space, {1, 7}, 2, Order::left, systems);
      auto const lower = this->upload(systems[0].lower), diagonal = this->upload(systems[0].diagonal),
                 upper = this->upload(systems[0].upper);
      auto const count = static_cast<std::size_t>((std::int64_t(1) << 24) / std::int64_t(sizeof(T)) / rows + 3);
      std::vector<T> values(std::size_t(rows) * count);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = S::narrow(systems[i % count % 7].rhs[i / count]);
      auto const data = device_copy(this->space, values, "karman::test::values");
      using Plane = Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space>;
      Plane const in_place(data.data(), std::size_t(rows), count);
      Tridiagonal<Exec, T> plan(this->space, TridiagonalShape::along(0, {rows, std::int64_t(count)}),
                                {.periodic = periodic});
      plan.solve(this->space, lower, diagonal, upper, in_place, in_place);
      std::vector<T> const found = host_copy(this->space, data);
      std::vector<std::vector<typename S::wide>> first(7);
      std::size_t different = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (i % count < 7) first[i % count].push_back(S::widen(found[i]));
        else if (found[i] != found[i - i % count + i % count % 7]) ++different;
      }
      known.expect_accurate(first, A::automatic, "one matrix");
      EXPECT_EQ(different, 0u) << rows << " rows";

      // Factors that are kept give the same bits, also after a solve with another matrix.
      auto const again = device_copy(this->space, values, "karman::test::values");
      Plane const second(again.data(), std::size_t(rows), count);
      std::int64_t const before = plan.workspace_bytes();
      plan.factor(this->space, lower, diagonal, upper);
      EXPECT_GE(plan.workspace_bytes(), before + 3 * rows * std::int64_t(sizeof(T)));
      plan.solve(this->space, T(0), T(2), T(0), second, in_place);
      plan.solve(this->space, second, second);
      EXPECT_EQ(host_copy(this->space, again), found);
    }
  }
}

TYPED_TEST(TridiagonalSizes, EveryIntermediateSize) {
  for (std::int64_t rows : {1, 7, 100, 512, 520}) {
    typename TestFixture::Known batch(this->space, Matrix::dominant, rows, {1, 3}, rows == 100);
    for (std::int64_t size = 1; size <= rows; size = size < 8 ? size + 1 : 2 * size - 1) {
      auto const found = batch.solve(this->space, {.algorithm = A::cr_pcr, .intermediate_size = size});
      batch.expect_accurate(found, A::cr_pcr, "intermediate size " + std::to_string(size));
    }
  }
}

TYPED_TEST(TridiagonalSizes, EveryAlgorithmCanBeAskedFor) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 100, 5000}) {
    for (std::int64_t systems : {0, 1, 100}) {
      auto const shape = TridiagonalShape::along(1, {systems, rows});
      for (A algorithm : every_algorithm) {
        EXPECT_EQ((Tridiagonal<Exec, T>(this->space, shape, {.algorithm = algorithm}).algorithm()), algorithm);
      }
      A const chosen = Tridiagonal<Exec, T>(this->space, shape).algorithm();
      EXPECT_NE(chosen, A::automatic);
      // The matrix is not declared to need exchanges, and they cost time.
      EXPECT_NE(chosen, A::pivoting);
    }
  }
}

}  // namespace tridiagonal_sizes_test
