// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices on which elimination in order fails, solved with scaled partial pivoting.
#include "tridiagonal_cases.hpp"

namespace tridiagonal_pivoting_test {

using namespace karman;
using namespace karman::test;

/// General matrices; every one is nonsingular.
enum class General {
  random,        ///< all entries random in [-1, 1]
  sparse,        ///< random, half of the diagonal zero
  no_diagonal,   ///< diagonal zero everywhere, the others one: nonsingular for an even number of rows
  small_pivots,  ///< diagonal of order eps
  rows_scaled,   ///< random, rows multiplied by powers of two from 2^-30 to 2^30
  dominant       ///< matrices that the other algorithms solve, too
};
constexpr General every_kind[] = {General::random,       General::sparse,      General::no_diagonal,
                                  General::small_pivots, General::rows_scaled, General::dominant};

char const* name(General kind) {
  switch (kind) {
    case General::random: return "random";
    case General::sparse: return "sparse";
    case General::no_diagonal: return "no diagonal";
    case General::small_pivots: return "small pivots";
    case General::rows_scaled: return "rows scaled";
    case General::dominant: return "dominant";
  }
  return "";
}

template <class T>
using System = SerialTridiagonal<typename Scalar<T>::wide>;

template <class T>
System<T> general_system(General kind, std::int64_t rows, bool periodic, unsigned seed) {
  using S = Scalar<T>;
  using R = typename S::real;
  System<T> system = make_system<T>(Matrix::dominant, rows, periodic, seed);
  if (kind == General::dominant) return system;
  std::mt19937 random(seed * 100003u + unsigned(rows));
  for (std::size_t k = 0; k < system.size(); ++k) {
    T lower = random_value<T>(random), diagonal = random_value<T>(random), upper = random_value<T>(random);
    if (kind == General::sparse) {
      // A zero beside the diagonal could cut off a piece that is singular.
      if (lower == T(0)) lower = T(R(1));
      if (upper == T(0)) upper = T(R(1));
      // One entry that is not: an odd number of rows without a diagonal is singular.
      if (k == 0) diagonal = T(R(1));
      else if (random() % 2 == 0) diagonal = T(0);
    }
    if (kind == General::no_diagonal) {
      diagonal = T(0);
      lower = upper = T(R(1));
    }
    if (kind == General::small_pivots) diagonal *= std::numeric_limits<R>::epsilon();
    R const scale = kind == General::rows_scaled ? std::ldexp(R(1), int(random() % 61) - 30) : R(1);
    system.lower[k] = S::widen(lower * scale);
    system.diagonal[k] = S::widen(diagonal * scale);
    system.upper[k] = S::widen(upper * scale);
    system.rhs[k] *= typename S::wide(scale);
  }
  return system;
}

/// The kind has a nonsingular matrix of this size.
bool exists(General kind, std::int64_t rows, bool periodic) {
  if (kind == General::no_diagonal) return !periodic && rows % 2 == 0;
  if (kind == General::small_pivots) return !periodic && rows % 2 == 0;
  return true;
}

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

  /// Expects the accuracy of partial pivoting for every system. A row is combined about log2 n times, each with a
  /// handful of roundings. Growth by exchanges of rows is at most a factor of order one in practice.
  static void expect_solved(PlacedBatch<Exec, T> const& batch, std::vector<std::vector<W>> const& found,
                            std::string const& what) {
    for (std::size_t s = 0; s < found.size(); ++s) {
      double const levels = std::ceil(std::log2(double(found[s].size()) + 1));
      double const bound = 16 * Scalar<T>::roundings * (2 + levels) * epsilon<T>;
      EXPECT_LE(rowwise_backward_error(batch.systems[s], found[s]), bound)
          << what << ", " << found[s].size() << " rows, system " << s;
    }
  }
};
TYPED_TEST_SUITE(PivotingOn, AllScalars, ScalarNames);

TYPED_TEST(PivotingOn, SolvesEveryKindAtEverySize) {
  using T = typename TestFixture::T;
  for (General kind : every_kind) {
    for (bool periodic : {false, true}) {
      for (std::int64_t rows = 1; rows <= 1100; rows += rows < 36 ? 1 : 113) {
        if (!exists(kind, rows, periodic)) continue;
        std::vector<System<T>> systems;
        for (unsigned s = 0; s < 2; ++s) systems.push_back(general_system<T>(kind, rows, periodic, s));
        PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 2}, 2, Order::right, systems);
        TestFixture::expect_solved(batch, TestFixture::run(this->space, batch, rows % 2 == 0), name(kind));
      }
    }
  }
}

/// Enough systems for a host to take several at a time, of which each exchanges other rows; the last tile is not full.
TYPED_TEST(PivotingOn, KindsBesideEachOther) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 3, 8, 9, 40, 511, 1024}) {
    std::vector<System<T>> systems;
    for (unsigned s = 0; systems.size() < 83; ++s) {
      General const kind = every_kind[s % std::size(every_kind)];
      if (exists(kind, rows, false)) systems.push_back(general_system<T>(kind, rows, false, s));
    }
    for (Order order : {Order::right, Order::left, Order::spaced}) {
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 83}, 2, order, systems);
      TestFixture::expect_solved(batch, TestFixture::run(this->space, batch, rows % 2 == 0),
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
          std::vector<System<T>> systems;
          for (unsigned s = 0; s < extents[0] * extents[1]; ++s) {
            systems.push_back(general_system<T>(General::random, rows, false, s));
          }
          PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, extents, axis, order, systems);
          TestFixture::expect_solved(batch, TestFixture::run(this->space, batch, false),
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
    TestFixture::expect_solved(batch, TestFixture::run(this->space, batch, false), "random");
  }
}

/// With few rows it is unclear whether rows or columns differ in size. The error of each row is compared with the sizes
/// of its terms, which neither changes.
TYPED_TEST(PivotingOn, SmallSystemsWhoseRowsOrColumnsDifferInSize) {
  using T = typename TestFixture::T;
  using S = Scalar<T>;
  using R = typename S::real;
  constexpr int systems = 2000;
  std::mt19937 random(7);
  auto const power = [&] { return std::ldexp(R(1), int(random() % 53) - 26); };
  for (bool columns : {false, true}) {
    for (std::size_t rows : {2, 3, 5, 8, 12, 17, 24, 33}) {
      std::vector<System<T>> all;
      for (unsigned s = 0; s < systems; ++s) {
        auto& system = all.emplace_back(general_system<T>(General::random, std::int64_t(rows), false, s));
        std::vector<R> row(rows, R(1)), column(rows, R(1));
        for (R& scale : columns ? column : row) scale = power();
        auto const scale = [&](auto& entry, std::size_t k, std::size_t n) {
          if (n < rows) entry = S::widen(S::narrow(entry) * T(row[k] * column[n]));
        };
        for (std::size_t k = 0; k < rows; ++k) {
          scale(system.lower[k], k, k - 1);
          scale(system.diagonal[k], k, k);
          scale(system.upper[k], k, k + 1);
          system.rhs[k] = S::widen(S::narrow(system.rhs[k]) * T(row[k]));
        }
      }
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, systems}, 2, Order::right, all);
      auto const found = TestFixture::run(this->space, batch, false);
      double worst = 0;
      for (std::size_t s = 0; s < all.size(); ++s) {
        auto const x = [&](std::size_t n) { return n < rows ? found[s][n] : typename S::wide(0); };
        long double residual = 0, terms = 0, factor = 0;
        // The largest residual and the largest terms of any row, in units of its scale.
        for (std::size_t k = 0; k < rows; ++k) {
          auto const lower = k > 0 ? all[s].lower[k] * x(k - 1) : typename S::wide(0);
          auto const upper = k + 1 < rows ? all[s].upper[k] * x(k + 1) : typename S::wide(0);
          auto const middle = all[s].diagonal[k] * x(k);
          factor = columns ? 1
                           : 1 / std::max({(long double)std::abs(all[s].diagonal[k]),
                                           k > 0 ? (long double)std::abs(all[s].lower[k]) : 0.0L,
                                           k + 1 < rows ? (long double)std::abs(all[s].upper[k]) : 0.0L});
          residual = std::max(residual, factor * std::abs(all[s].rhs[k] - lower - middle - upper));
          terms = std::max(terms,
                           factor * (std::abs(all[s].rhs[k]) + std::abs(lower) + std::abs(middle) + std::abs(upper)));
        }
        worst = std::max(worst, double(residual / terms));
      }
      EXPECT_LE(worst, 64 * S::roundings * epsilon<T>) << rows << " rows, " << (columns ? "columns" : "rows");
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
      std::vector<System<T>> systems{system};
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
