// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices on which elimination in order fails, solved with scaled partial pivoting.
#include "general_systems.hpp"

namespace tridiagonal_pivoting_test {

using namespace karman;
using namespace karman::test;

template <class P>
class PivotingOn : public ::testing::Test {
 public:
  using Exec = typename P::execution_space;
  using T = typename P::scalar;
  using W = typename Scalar<T>::wide;
  Exec space;

  /// Solves, `in_place` with the solution over the right-hand side.
  static std::vector<std::vector<W>> run(Exec const& space, PlacedBatch<Exec, T> const& batch, bool in_place) {
    Tridiagonal<Exec, T> plan(space, batch.shape(),
                              {.algorithm = TridiagonalAlgorithm::pivoting, .periodic = batch.periodic()});
    plan.solve(space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(), batch.rhs.view(),
               in_place ? batch.rhs.view() : batch.solution.view());
    return batch.read(space, in_place ? batch.rhs : batch.solution);
  }
};
TYPED_TEST_SUITE(PivotingOn, AllScalars, ScalarNames);

TYPED_TEST(PivotingOn, SolvesEveryKindAtEverySize) {
  using T = typename TestFixture::T;
  for (General kind : every_kind) {
    for (bool periodic : {false, true}) {
      for (std::int64_t rows = 1; rows <= 1100; rows += rows < 36 ? 1 : 113) {
        if (!exists(kind, rows, periodic)) continue;
        std::vector<GeneralSystem<T>> systems;
        for (unsigned s = 0; s < 2; ++s) systems.push_back(general_system<T>(kind, rows, periodic, s));
        PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 2}, 2, Order::right, systems);
        expect_pivoted(batch, TestFixture::run(this->space, batch, rows % 2 == 0), name(kind));
      }
    }
  }
}

/// Enough systems for a host to take several at a time, of which each exchanges other rows; the last tile is not full.
TYPED_TEST(PivotingOn, KindsBesideEachOther) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 3, 8, 9, 40, 511, 1024}) {
    std::vector<GeneralSystem<T>> systems;
    for (unsigned s = 0; systems.size() < 83; ++s) {
      General const kind = every_kind[s % std::size(every_kind)];
      if (exists(kind, rows, false)) systems.push_back(general_system<T>(kind, rows, false, s));
    }
    for (Order order : {Order::right, Order::left, Order::spaced}) {
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 83}, 2, order, systems);
      expect_pivoted(batch, TestFixture::run(this->space, batch, rows % 2 == 0),
                     std::string("beside each other, ") + karman::test::name(order));
    }
  }
}

TYPED_TEST(PivotingOn, ErrorsFollowTheConditionNumber) {
  using T = typename TestFixture::T;
  for (General kind : {General::random, General::sparse, General::rows_scaled}) {
    for (std::int64_t rows : {33, 258, 514}) {
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1}, 2, Order::right,
                                                             {general_system<T>(kind, rows, false, 5)});
      auto const found = TestFixture::run(this->space, batch, false);
      auto const exact = solve(batch.systems[0]);
      // The backward error is one of rows: |dA| |x| is at most the row's sum times max |x|, a factor that the
      // condition number with the true |x| lacks.
      double const bound = error_bound<T>(std::log2(double(rows)), sensitivity_to_rows(batch.systems[0], exact));
      EXPECT_LE(double(largest_difference(found[0], exact)), bound) << name(kind) << ", " << rows << " rows";
    }
  }
}

TYPED_TEST(PivotingOn, AnyAxisAndLayout) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {7, 300}) {
    for (int axis : {0, 1, 2}) {
      for (Order order : {Order::right, Order::left, Order::middle, Order::spaced}) {
        for (auto const& extents : std::vector<std::array<std::int64_t, 2>>{{3, 5}, {1, 4}, {6, 1}, {9, 13}}) {
          std::vector<GeneralSystem<T>> systems;
          for (unsigned s = 0; s < extents[0] * extents[1]; ++s) {
            systems.push_back(general_system<T>(General::random, rows, false, s));
          }
          PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, extents, axis, order, systems);
          expect_pivoted(batch, TestFixture::run(this->space, batch, false),
                         std::string("axis ") + std::to_string(axis) + ' ' + karman::test::name(order));
        }
      }
    }
  }
}

TYPED_TEST(PivotingOn, ManyLevels) {
  using T = typename TestFixture::T;
  for (bool periodic : {false, true}) {
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1}, 2, Order::right,
                                                           {general_system<T>(General::random, 70001, periodic, 1)});
    expect_pivoted(batch, TestFixture::run(this->space, batch, false), "random");
  }
}

TYPED_TEST(PivotingOn, SmallSystemsWhoseRowsOrColumnsDifferInSize) {
  using T = typename TestFixture::T;
  for (bool columns : {false, true}) {
    for (std::int64_t rows : {2, 3, 5, 8, 12, 17, 24, 33}) {
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 2000}, 2, Order::right,
                                                             scaled_systems<T>(2000, rows, columns));
      expect_scaled_solved(batch, TestFixture::run(this->space, batch, false), columns);
    }
  }
}

TYPED_TEST(PivotingOn, SingularMatricesAreNotSolvedInSilence) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 3, 40, 513}) {
    auto system = general_system<T>(General::random, rows, false, 3);
    std::size_t const empty = std::size_t(rows / 2);
    system.lower[empty] = system.diagonal[empty] = system.upper[empty] = 0;
    for (int const others : {0, 50}) {
      std::vector<GeneralSystem<T>> systems{system};
      for (int s = 0; s < others; ++s) systems.push_back(general_system<T>(General::random, rows, false, unsigned(s)));
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1 + others}, 2, Order::right, systems);
      auto const found = TestFixture::run(this->space, batch, false);
      EXPECT_FALSE(std::isfinite(double(largest(found[0])))) << rows << " rows";
      for (int s = 1; s <= others; ++s) {
        EXPECT_TRUE(std::isfinite(double(largest(found[std::size_t(s)])))) << rows << " rows, system " << s;
      }
    }
  }
}

TYPED_TEST(PivotingOn, NothingToDoForAnEmptyBatch) {
  PlacedBatch<typename TestFixture::Exec, typename TestFixture::T> const batch(this->space, {0, 4}, 2, Order::right,
                                                                               {});
  EXPECT_TRUE(TestFixture::run(this->space, batch, false).empty());
}

}  // namespace tridiagonal_pivoting_test
