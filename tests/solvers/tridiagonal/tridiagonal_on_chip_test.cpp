// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that solves with pivoting on chip. A device runs it as a plan does. On a host, teams of several sizes run
// it, in which a thread has many segments.
#include "general_systems.hpp"
#include "tridiagonal/pivoting_device.hpp"
#include <karman/core/backend.hpp>

namespace tridiagonal_on_chip_test {

using namespace karman;
using namespace karman::test;
namespace pivoting = karman::detail::pivoting;

template <class P>
class PivotingOnChip : public ::testing::Test {
 public:
  using Exec = typename P::execution_space;
  using T = typename P::scalar;
  using W = typename Scalar<T>::wide;
  using Batch = PlacedBatch<Exec, T>;
  template <bool staged>
  using Table = pivoting::OnChipTable<T, staged>;
  Exec space;

  /// Sizes of teams: one thread, all threads of the host, and one in between.
  std::vector<int> team_sizes() const {
    int const all = runs_on_host<Exec> ? std::clamp(int(space.concurrency()), 1, 8) : 1;
    std::vector<int> sizes{1};
    if (all > 1) sizes.push_back(all);
    if (all > 3) sizes.push_back(3);
    return sizes;
  }

  /// The coefficients of a batch.
  static karman::detail::StridedRows<T> rows_of(Batch const& batch) {
    auto const array = [&](PlacedArray<Exec, T> const& a) {
      return karman::detail::CoefficientArray<T>{karman::detail::read_only(a.systems(batch.axis())), T(0)};
    };
    return {array(batch.lower), array(batch.diagonal), array(batch.upper)};
  }

  static karman::detail::SystemShape shape_of(Batch const& batch) {
    auto const shape = batch.shape();
    return {shape.rows, {shape.batch[0], shape.batch[1]}, batch.periodic()};
  }

  /// Solves with teams of this size on a host. `threads`: segments of a team.
  static std::vector<std::vector<W>> run(Exec const& space, Batch const& batch, bool in_place, int team_size,
                                         karman::detail::StridedRows<T> const& rows, int threads = 100) {
    karman::detail::SystemShape const shape = shape_of(batch);
    auto const rhs = karman::detail::read_only(batch.rhs.systems(batch.axis()));
    auto const& target = in_place ? batch.rhs : batch.solution;
    auto const x = target.systems(batch.axis());
    if constexpr (runs_on_host<Exec>) {
      auto const layout = karman::detail::batch_layout(rows, rhs, x, shape);
      if (layout.unit > 0) solve<true>(space, rows, rhs, x, shape, layout, team_size, threads);
      else solve<false>(space, rows, rhs, x, shape, layout, team_size, threads);
    } else {
      EXPECT_TRUE(karman::detail::solve_pivoting_on_chip(space, shape, rows, rhs, x));
    }
    return batch.read(space, target);
  }
  static std::vector<std::vector<W>> run(Exec const& space, Batch const& batch, bool in_place, int team_size) {
    return run(space, batch, in_place, team_size, rows_of(batch));
  }

  /// False for sizes with another kernel on a device.
  static bool on_chip(std::int64_t rows) { return runs_on_host<Exec> || rows > std::int64_t(128 / sizeof(T)); }

 private:
  template <bool staged>
  static void solve(Exec const& space, karman::detail::StridedRows<T> const& rows,
                    karman::detail::StridedSystems<T const> const& rhs, karman::detail::StridedSystems<T> const& x,
                    karman::detail::SystemShape const& shape, karman::detail::BatchLayout const& layout, int team_size,
                    int threads) {
    constexpr int most = Table<staged>::most_threads;
    pivoting::launch_pivoting_on_chip<Table<staged>::rows, staged, typename Table<staged>::Bounds, most>(
        space, rows, rhs, x, shape, layout, std::min(threads, most), team_size);
  }
};
TYPED_TEST_SUITE(PivotingOnChip, AllScalars, ScalarNames);

TYPED_TEST(PivotingOnChip, SolvesEveryKind) {
  using T = typename TestFixture::T;
  std::int64_t const sizes[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, 128, 130, 200, 258};
  for (General kind : every_kind) {
    for (bool periodic : {false, true}) {
      for (std::int64_t rows : sizes) {
        if (!exists(kind, rows, periodic) || !TestFixture::on_chip(rows) || (periodic && rows < 3)) continue;
        std::vector<GeneralSystem<T>> systems;
        for (unsigned s = 0; s < 5; ++s) systems.push_back(general_system<T>(kind, rows, periodic, s));
        for (Order order : {Order::right, Order::left, Order::spaced}) {
          for (int team : this->team_sizes()) {
            PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 5}, 2, order, systems);
            expect_pivoted(
                batch, TestFixture::run(this->space, batch, rows % 2 == 0, team),
                std::string(name(kind)) + ' ' + karman::test::name(order) + ", team of " + std::to_string(team));
          }
        }
      }
    }
  }
}

/// Up to the largest systems that fit, and the most levels of joins.
TYPED_TEST(PivotingOnChip, LargeSystems) {
  using T = typename TestFixture::T;
  std::int64_t const contiguous =
      TestFixture::template Table<true>::rows * TestFixture::template Table<true>::most_threads;
  std::int64_t const strided =
      TestFixture::template Table<false>::rows * TestFixture::template Table<false>::most_threads;
  for (std::int64_t rows :
       {std::int64_t(511), std::int64_t(512), std::int64_t(513), contiguous - 1, contiguous, strided}) {
    for (Order order : {Order::right, Order::spaced}) {
      if (rows > (order == Order::right ? contiguous : strided)) continue;
      std::vector<GeneralSystem<T>> systems;
      for (General kind : {General::random, General::sparse, General::rows_scaled}) {
        systems.push_back(general_system<T>(kind, rows, false, 1));
      }
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 3}, 2, order, systems);
      for (int team : this->team_sizes()) {
        expect_pivoted(batch, TestFixture::run(this->space, batch, false, team), karman::test::name(order));
      }
    }
  }
}

/// Every system has the same bits for every size of teams and number of systems per team. A device, which has one size
/// of teams, shows the second by a smaller batch.
TYPED_TEST(PivotingOnChip, BitsDoNotDependOnTeams) {
  using T = typename TestFixture::T;
  using Batch = PlacedBatch<typename TestFixture::Exec, T>;
  std::vector<GeneralSystem<T>> systems;
  for (unsigned s = 0; s < 11; ++s) systems.push_back(general_system<T>(every_kind[s % 5], 100, false, s));
  for (Order order : {Order::right, Order::left}) {
    Batch const batch(this->space, {1, 11}, 2, order, systems);
    auto const expected = TestFixture::run(this->space, batch, false, 1);
    Batch const few(this->space, {1, 3}, 2, order, {systems.begin(), systems.begin() + 3});
    EXPECT_EQ(TestFixture::run(this->space, few, false, 1), std::vector(expected.begin(), expected.begin() + 3));
    for (int team : this->team_sizes()) {
      for (int threads : {1, 26, 70, 180}) {
        EXPECT_EQ(TestFixture::run(this->space, batch, false, team, TestFixture::rows_of(batch), threads), expected)
            << team << " threads, " << threads << " segments";
      }
    }
  }
}

TYPED_TEST(PivotingOnChip, AnyAxisAndLayout) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {40, 300}) {
    for (int axis : {0, 1, 2}) {
      for (Order order : {Order::right, Order::left, Order::middle, Order::spaced}) {
        for (auto const& extents : std::vector<std::array<std::int64_t, 2>>{{3, 5}, {1, 4}, {6, 1}}) {
          std::vector<GeneralSystem<T>> systems;
          for (unsigned s = 0; s < extents[0] * extents[1]; ++s) {
            systems.push_back(general_system<T>(General::random, rows, false, s));
          }
          PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, extents, axis, order, systems);
          expect_pivoted(batch, TestFixture::run(this->space, batch, false, this->team_sizes().back()),
                         std::string("axis ") + std::to_string(axis) + ' ' + karman::test::name(order));
        }
      }
    }
  }
}

/// One matrix for all systems, whose rows have a stride of 0 between systems, and a constant.
TYPED_TEST(PivotingOnChip, SharedAndConstantCoefficients) {
  using T = typename TestFixture::T;
  using S = Scalar<T>;
  for (Order order : {Order::right, Order::left}) {
    std::vector<GeneralSystem<T>> systems;
    for (unsigned s = 0; s < 9; ++s) {
      systems.push_back(general_system<T>(General::random, 77, false, 0));
      for (auto& value : systems.back().upper) value = S::widen(T(typename S::real(0.5)));
      auto const other = general_system<T>(General::random, 77, false, s);
      systems.back().rhs = other.rhs;
    }
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 9}, 2, order, systems);
    auto rows = TestFixture::rows_of(batch);
    for (auto* const shared : {&rows.lower, &rows.diagonal}) shared->array.stride[0] = shared->array.stride[1] = 0;
    rows.upper = {{nullptr, 0, {0, 0}}, T(typename S::real(0.5))};
    for (int team : this->team_sizes()) {
      expect_pivoted(batch, TestFixture::run(this->space, batch, false, team, rows), karman::test::name(order));
    }
  }
}

/// The team repeats itself with rows that are not scaled, for some of its systems.
TYPED_TEST(PivotingOnChip, RowsOrColumnsDifferInSize) {
  using T = typename TestFixture::T;
  for (bool columns : {false, true}) {
    for (std::int64_t rows : {17, 24, 33, 70}) {
      if (!TestFixture::on_chip(rows)) continue;
      for (Order order : {Order::right, Order::left}) {
        PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 500}, 2, order,
                                                               scaled_systems<T>(500, rows, columns));
        for (int team : this->team_sizes()) {
          expect_scaled_solved(batch, TestFixture::run(this->space, batch, false, team), columns);
        }
      }
    }
  }
}

TYPED_TEST(PivotingOnChip, SingularMatricesAreNotSolvedInSilence) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {40, 300}) {
    std::vector<GeneralSystem<T>> systems;
    for (unsigned s = 0; s < 4; ++s) systems.push_back(general_system<T>(General::random, rows, false, s));
    std::size_t const empty = std::size_t(rows / 2);
    systems[0].lower[empty] = systems[0].diagonal[empty] = systems[0].upper[empty] = 0;
    for (Order order : {Order::right, Order::left}) {
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 4}, 2, order, systems);
      for (int team : this->team_sizes()) {
        auto const found = TestFixture::run(this->space, batch, false, team);
        EXPECT_FALSE(std::isfinite(double(largest(found[0])))) << rows << " rows";
        for (std::size_t s = 1; s < 4; ++s) EXPECT_TRUE(std::isfinite(double(largest(found[s])))) << rows << " rows";
      }
    }
  }
}

}  // namespace tridiagonal_on_chip_test
