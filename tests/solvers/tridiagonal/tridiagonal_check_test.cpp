// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failures that must be reported: breakdown, NaN, wrong calls.
#include "tridiagonal_runs.hpp"

#include <stdexcept>

namespace tridiagonal_check_test {

using namespace karman;
using namespace karman::test;
using A = TridiagonalAlgorithm;

template <class Parameter>
class TridiagonalChecks : public TridiagonalOn<Parameter> {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::scalar;
  using R = typename Scalar<T>::real;
  using W = typename Scalar<T>::wide;
  using Plan = Tridiagonal<Exec, T>;
  using Known = KnownBatch<Exec, T>;
  using System = SerialTridiagonal<W>;
  using View = Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space>;

  View view(std::int64_t systems, std::int64_t rows) const {
    return View(Kokkos::view_alloc(this->space, std::string("karman::test::view")), std::size_t(systems),
                std::size_t(rows));
  }

  TridiagonalReport report(PlacedBatch<Exec, T> const& batch, A algorithm) const {
    Plan plan(this->space, batch.shape(), {.algorithm = algorithm, .periodic = batch.periodic(), .check = true});
    return plan.solve_checked(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(),
                              batch.rhs.view(), batch.solution.view());
  }
};
TYPED_TEST_SUITE(TridiagonalChecks, TwoScalars, ScalarNames);

TYPED_TEST(TridiagonalChecks, SoundSystemsAreReportedSound) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 600, 3000}) {
    for (bool periodic : {false, true}) {
      typename TestFixture::Known known(this->space, Matrix::dominant, rows, {2, 3}, periodic);
      for (A algorithm : every_algorithm) {
        known.restore(this->space);
        auto const report = this->report(known.placed, algorithm);
        EXPECT_FALSE(report.breakdown) << name(algorithm) << ", " << rows << " rows: " << summary(report);
        EXPECT_EQ(report.system, -1);
        EXPECT_EQ(report.row, -1);
        EXPECT_GE(report.residual, 0);
        // Every system is twice dominant, so that forward and backward error are of the same order.
        EXPECT_LE(report.residual, 16 * Scalar<T>::roundings * (2 + levels_of(algorithm, rows)) * epsilon<T>)
            << name(algorithm) << ", " << rows << " rows";
        if (algorithm != A::pivoting) {
          // |pivot| <= |diagonal| + |lower| for dominant matrices; complex magnitudes count |re| + |im|.
          EXPECT_GT(report.growth_in_order, 0);
          EXPECT_LE(report.growth_in_order, Scalar<T>::is_complex ? 4 : 2);
        }
        known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm, "checked");
      }
    }
  }
}

TYPED_TEST(TridiagonalChecks, InPlaceIsCheckedAgainstWhatWasThere) {
  typename TestFixture::Known known(this->space, Matrix::dominant, 300, {1, 2});
  auto const& batch = known.placed;
  typename TestFixture::Plan plan(this->space, batch.shape(), {.check = true});
  auto const report = plan.solve_checked(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(),
                                         batch.rhs.view(), batch.rhs.view());
  EXPECT_FALSE(report.breakdown);
  EXPECT_LE(report.residual, 16 * Scalar<typename TestFixture::T>::roundings * 12 * epsilon<typename TestFixture::T>);
  known.expect_accurate(batch.read(this->space, batch.rhs), plan.algorithm(), "checked in place");
}

TYPED_TEST(TridiagonalChecks, NamesTheSystemThatBreaksDown) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 400, 2500}) {
    auto systems = make_systems<T>(Matrix::dominant, rows, {2, 3}, false);
    // A row without entries: singular for every algorithm. Its right-hand side is not zero.
    std::size_t const row = std::size_t(2 * rows / 3);
    auto& broken = systems[4];
    broken.lower[row] = broken.diagonal[row] = broken.upper[row] = 0;
    if (row + 1 < std::size_t(rows)) broken.lower[row + 1] = 0;
    broken.rhs[row] = 1;
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {2, 3}, 2, Order::right, systems);
    for (A algorithm : every_algorithm) {
      auto const report = this->report(batch, algorithm);
      EXPECT_TRUE(report.breakdown) << name(algorithm) << ", " << rows << " rows";
      EXPECT_EQ(report.system, 4) << name(algorithm) << ", " << rows << " rows";
      EXPECT_GE(report.row, 0);
      EXPECT_LE(report.row, std::int64_t(row)) << name(algorithm) << ", " << rows << " rows";
      // The other systems keep their solutions.
      auto const found = batch.read(this->space, batch.solution);
      for (std::size_t s = 0; s < systems.size(); ++s) {
        if (s == 4) continue;
        EXPECT_LE(double(rowwise_backward_error(systems[s], found[s])),
                  16 * Scalar<T>::roundings * (2 + levels_of(algorithm, rows)) * epsilon<T>)
            << name(algorithm) << ", system " << s;
      }
      EXPECT_FALSE(std::isfinite(double(largest(found[4])))) << name(algorithm) << ", " << rows << " rows";
    }
  }
}

/// Elimination in order meets a zero pivot although the matrix is nonsingular; exchanges of rows do not.
TYPED_TEST(TridiagonalChecks, ZeroPivots) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {2, 40, 700}) {
    auto systems = make_systems<T>(Matrix::toeplitz, rows, {1, 1}, false);
    for (auto& entry : systems[0].diagonal) entry = 0;
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1}, 2, Order::right, systems);
    for (A algorithm : {A::thomas, A::interleaved_thomas}) {
      auto const report = this->report(batch, algorithm);
      EXPECT_TRUE(report.breakdown) << name(algorithm) << ", " << rows << " rows";
      EXPECT_EQ(report.system, 0);
      EXPECT_EQ(report.row, 0);
    }
    auto const report = this->report(batch, A::pivoting);
    EXPECT_FALSE(report.breakdown) << rows << " rows: " << summary(report);
    EXPECT_LE(report.residual, 64 * Scalar<T>::roundings * epsilon<T>);
  }
}

/// A zero pivot of elimination in order affects only the algorithms that divide by it. The growth is that of the matrix
/// for all algorithms.
TYPED_TEST(TridiagonalChecks, PivotsInOrderAreNotThoseOfEveryAlgorithm) {
  using T = typename TestFixture::T;
  int sound = 0;
  for (std::size_t first : {0u, 1u}) {
    auto systems = make_systems<T>(Matrix::dominant, 41, {1, 1}, false);
    auto& system = systems[0];
    if (first == 1) system.upper[0] = system.lower[1] = 0;
    system.diagonal[first] = system.upper[first] = system.lower[first + 1] = system.diagonal[first + 1] = 1;
    system.upper[first + 1] = system.lower[first + 2] = 1;
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1}, 2, Order::right, systems);
    for (A algorithm : every_algorithm) {
      auto const report = this->report(batch, algorithm);
      auto const found = batch.read(this->space, batch.solution);
      bool finite = true;
      for (auto const& value : found[0]) {
        finite = finite && std::isfinite(double(std::abs(value)));
      }
      EXPECT_EQ(report.breakdown, !finite) << name(algorithm) << ": " << summary(report);
      if (algorithm == A::pivoting) continue;
      EXPECT_GT(report.growth_in_order, 1e6) << name(algorithm);
      sound += finite ? 1 : 0;
    }
  }
  EXPECT_GE(sound, 1);
}

/// A matrix that needs exchanges of rows is revealed by the growth or the residual.
TYPED_TEST(TridiagonalChecks, GrowthOfPivots) {
  using T = typename TestFixture::T;
  using R = typename TestFixture::R;
  auto systems = make_systems<T>(Matrix::dominant, 50, {1, 1}, false);
  systems[0].diagonal[20] = std::numeric_limits<R>::epsilon();
  systems[0].lower[20] = 0;
  systems[0].upper[20] = systems[0].lower[21] = 1;
  PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 1}, 2, Order::right, systems);
  auto const report = this->report(batch, A::thomas);
  EXPECT_GT(report.growth_in_order, 0.01 / std::numeric_limits<R>::epsilon());
  EXPECT_LE(this->report(batch, A::pivoting).residual, 200 * Scalar<T>::roundings * epsilon<T>);
}

/// The largest residual and the largest terms may lie far apart, here 1200 rows. Both count for the whole system.
TYPED_TEST(TridiagonalChecks, QuotientsAreThoseOfWholeSystems) {
  using T = typename TestFixture::T;
  using R = typename TestFixture::R;
  using W = typename TestFixture::W;
  auto const size = [](W const& v) {
    if constexpr (Scalar<T>::is_complex) return std::abs(v.real()) + std::abs(v.imag());
    else return std::abs(v);
  };
  for (bool periodic : {false, true}) {
    auto systems = make_systems<T>(Matrix::dominant, 2500, {1, 3}, periodic);
    for (auto& system : systems) {
      for (std::size_t k = 0; k < 900; ++k) {
        for (auto* row : {&system.lower, &system.diagonal, &system.upper, &system.rhs}) (*row)[k] *= R(1 << 20);
      }
    }
    // A pivot with which elimination in order loses its digits.
    auto& lossy = systems[1];
    lossy.diagonal[2100] = std::numeric_limits<R>::epsilon();
    lossy.lower[2100] = 0;
    lossy.upper[2100] = lossy.lower[2101] = 1;
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 3}, 2, Order::right, systems);
    for (A algorithm : every_algorithm) {
      auto const report = this->report(batch, algorithm);
      EXPECT_FALSE(report.breakdown) << name(algorithm) << ": " << summary(report);
      auto const found = batch.read(this->space, batch.solution);
      long double expected = 0, coefficient = 0;
      for (std::size_t s = 0; s < systems.size(); ++s) {
        auto const& system = systems[s];
        long double residual = 0, terms = 0;
        for (std::size_t k = 0; k < system.size(); ++k) {
          W const left = system.row(k, found[s], [](W const& v) { return v; }, [](W const& v) { return v; });
          residual = std::max<long double>(residual, size(system.rhs[k] - left));
          auto const product = [&](W const& entry, std::size_t at) { return size(entry * found[s][at]); };
          terms =
              std::max<long double>(terms, product(system.lower[k], system.before(k)) + product(system.diagonal[k], k) +
                                               product(system.upper[k], system.after(k)) + size(system.rhs[k]));
          if (s == 1) {
            for (auto const* row : {&system.lower, &system.diagonal, &system.upper})
              coefficient = std::max<long double>(coefficient, size((*row)[k]));
          }
        }
        expected = std::max(expected, residual / terms);
      }
      EXPECT_NEAR(report.residual, double(expected), 0.01 * double(expected) + 4 * Scalar<T>::roundings * epsilon<T>)
          << name(algorithm) << (periodic ? ", periodic" : "");
      if (algorithm == A::pivoting) continue;
      double const growth = 1 / epsilon<T> / double(coefficient);
      EXPECT_NEAR(report.growth_in_order, growth, 0.5 * growth) << name(algorithm);
    }
  }
}

TYPED_TEST(TridiagonalChecks, NaNIsReported) {
  using T = typename TestFixture::T;
  using R = typename TestFixture::R;
  for (std::int64_t rows : {1, 65, 1500}) {
    for (int where = 0; where < 2; ++where) {
      auto systems = make_systems<T>(Matrix::dominant, rows, {1, 3}, false);
      std::size_t const row = std::size_t(rows / 2);
      long double const nan = std::numeric_limits<R>::quiet_NaN();
      if (where == 0) systems[1].rhs[row] = nan;
      else systems[1].diagonal[row] = nan;
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 3}, 2, Order::right, systems);
      for (A algorithm : every_algorithm) {
        auto const report = this->report(batch, algorithm);
        EXPECT_TRUE(report.breakdown) << name(algorithm) << ", " << rows << " rows";
        EXPECT_EQ(report.system, 1) << name(algorithm) << ", " << rows << " rows";
        auto const found = batch.read(this->space, batch.solution);
        EXPECT_FALSE(std::isfinite(double(largest(found[1]))));
        EXPECT_TRUE(std::isfinite(double(largest(found[0]))) && std::isfinite(double(largest(found[2]))));
      }
    }
  }
}

/// Entries outside of the matrix are ignored.
TYPED_TEST(TridiagonalChecks, EntriesOutsideMayBeAnything) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 65, 600, 3000}) {
    typename TestFixture::Known clean(this->space, Matrix::dominant, rows, {1, 2});
    auto systems = clean.placed.systems;
    long double const nan = std::numeric_limits<typename TestFixture::R>::quiet_NaN();
    for (auto& system : systems) {
      system.lower.front() = nan;
      system.upper.back() = nan;
    }
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 2}, 2, Order::right, systems);
    for (A algorithm : every_algorithm) {
      auto const report = this->report(batch, algorithm);
      EXPECT_FALSE(report.breakdown) << name(algorithm) << ", " << rows << " rows";
      clean.expect_accurate(batch.read(this->space, batch.solution), algorithm, "NaN outside");
    }
  }
}

TYPED_TEST(TridiagonalChecks, EmptyBatches) {
  for (A algorithm : every_algorithm) {
    typename TestFixture::Plan plan(this->space, TridiagonalShape::along(1, {0, 30}),
                                    {.algorithm = algorithm, .check = true});
    auto const a = this->view(0, 30), x = this->view(0, 30);
    EXPECT_NO_THROW(plan.solve(this->space, a, a, a, a, x));
    EXPECT_NO_THROW(plan.factor(this->space, a, a, a));
    EXPECT_NO_THROW(plan.solve(this->space, a, x));
    EXPECT_FALSE(plan.solve_checked(this->space, a, a, a, a, x).breakdown);
  }
}

TYPED_TEST(TridiagonalChecks, WrongPlansThrow) {
  using Plan = typename TestFixture::Plan;
  auto const plan = [&](TridiagonalShape const& shape, TridiagonalSetup const& setup) {
    Plan const made(this->space, shape, setup);
    return made.workspace_bytes();
  };
  auto const shape = [](std::int64_t rows, std::int64_t systems) {
    return TridiagonalShape::along(1, {systems, rows});
  };
  EXPECT_THROW(plan(shape(0, 3), {}), std::invalid_argument);
  EXPECT_THROW(plan(shape(-1, 3), {}), std::invalid_argument);
  EXPECT_THROW(plan(shape(3, -1), {}), std::invalid_argument);
  EXPECT_THROW(plan(shape(std::int64_t(1) << 40, std::int64_t(1) << 40), {}), std::invalid_argument);
  EXPECT_THROW(plan(shape(8, 3), {.algorithm = A::cr_pcr, .intermediate_size = 9}), std::invalid_argument);
  EXPECT_THROW(plan(shape(8, 3), {.algorithm = A::cr_pcr, .intermediate_size = -1}), std::invalid_argument);
  EXPECT_THROW(TridiagonalShape::along(2, {3, 4}), std::invalid_argument);
  EXPECT_THROW(TridiagonalShape::along(-1, {3, 4}), std::invalid_argument);
  EXPECT_THROW(TridiagonalShape::along(0, {}), std::invalid_argument);
  EXPECT_THROW(TridiagonalShape::along(0, {2, 2, 2, 2}), std::invalid_argument);
}

TYPED_TEST(TridiagonalChecks, WrongCallsThrow) {
  typename TestFixture::Plan plan(this->space, TridiagonalShape::along(1, {4, 30}));
  auto const good = this->view(4, 30), x = this->view(4, 30), few = this->view(4, 29), many = this->view(5, 30);
  auto& space = this->space;
  EXPECT_NO_THROW(plan.solve(space, good, good, good, good, x));
  EXPECT_NO_THROW(plan.solve(space, good, 1.0, good, good, good.data() == nullptr ? good : x));
  for (auto const& wrong : {few, many, this->view(30, 4)}) {
    EXPECT_THROW(plan.solve(space, wrong, good, good, good, x), std::invalid_argument);
    EXPECT_THROW(plan.solve(space, good, wrong, good, good, x), std::invalid_argument);
    EXPECT_THROW(plan.solve(space, good, good, wrong, good, x), std::invalid_argument);
    EXPECT_THROW(plan.solve(space, good, good, good, wrong, x), std::invalid_argument);
    EXPECT_THROW(plan.solve(space, good, good, good, good, wrong), std::invalid_argument);
    EXPECT_THROW(plan.factor(space, good, wrong, good), std::invalid_argument);
  }
  auto const row = Kokkos::subview(few, 0, Kokkos::ALL);
  EXPECT_THROW(plan.solve(space, row, good, good, good, x), std::invalid_argument);
  EXPECT_THROW(plan.solve(space, good, good, good, row, x), std::invalid_argument);
  // x over a coefficient, or over a part of the right-hand side.
  EXPECT_THROW(plan.solve(space, x, good, good, good, x), std::invalid_argument);
  EXPECT_THROW(plan.solve(space, good, good, x, good, x), std::invalid_argument);
  auto const upper_part = Kokkos::subview(many, std::make_pair(0, 4), Kokkos::ALL),
             lower_part = Kokkos::subview(many, std::make_pair(1, 5), Kokkos::ALL);
  EXPECT_THROW(plan.solve(space, good, good, good, upper_part, lower_part), std::invalid_argument);
  EXPECT_NO_THROW(plan.solve(space, good, good, good, x, x));
  // Not prepared for it.
  EXPECT_THROW(plan.solve(space, good, x), std::invalid_argument);
  EXPECT_THROW(plan.solve_checked(space, good, good, good, good, x), std::invalid_argument);
  EXPECT_THROW((TestFixture::Plan::Coefficient::shared_over(1, row),
                plan.solve(space, TestFixture::Plan::Coefficient::shared_over(1, row), 1.0, 1.0, good, x)),
               std::invalid_argument);
  space.fence();
}

TEST(TridiagonalNames, OfAlgorithmsAndReports) {
  EXPECT_EQ(name(A::automatic), "automatic");
  EXPECT_EQ(name(A::parallel_cyclic_reduction), "parallel_cyclic_reduction");
  TridiagonalReport report;
  report.breakdown = true;
  report.system = 12;
  report.row = 345;
  EXPECT_NE(summary(report).find("12"), std::string::npos);
  EXPECT_NE(summary(report).find("345"), std::string::npos);
}

}  // namespace tridiagonal_check_test
