// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways to call a plan: axes and layouts, forms of coefficients, in place or not, factor once, periodic ends.
#include "tridiagonal_runs.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tridiagonal_calls_test {

using namespace karman;
using namespace karman::test;
using A = TridiagonalAlgorithm;

template <class Parameter>
class TridiagonalCalls : public TridiagonalOn<Parameter> {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::scalar;
  using W = typename Scalar<T>::wide;
  using Plan = Tridiagonal<Exec, T>;
  using Coefficient = TridiagonalCoefficient<Exec, T>;
};
TYPED_TEST_SUITE(TridiagonalCalls, TwoScalars, ScalarNames);

TYPED_TEST(TridiagonalCalls, AnyAxisAndLayout) {
  for (std::int64_t rows : {5, 67}) {
    if (!TestFixture::is_double && rows == 5) continue;
    for (int axis : {0, 1, 2}) {
      for (Order order : {Order::right, Order::left, Order::middle, Order::spaced}) {
        for (auto const& batch : std::vector<std::array<std::int64_t, 2>>{{3, 37}, {33, 1}}) {
          typename TestFixture::Known systems(this->space, Matrix::dominant, rows, batch, false, axis, order);
          std::string const what = std::string("axis ") + std::to_string(axis) + ", " + name(order);
          for (A algorithm : every_algorithm) systems.expect_solved(this->space, algorithm, what);
          systems.expect_solved(this->space, A::automatic, what);
        }
      }
    }
  }
}

/// Several segments, chunks or passes of every algorithm, along an axis that is not contiguous.
TYPED_TEST(TridiagonalCalls, LongSystemsInAnyLayout) {
  for (Order order : {Order::right, Order::left, Order::spaced}) {
    for (int axis : {0, 2}) {
      typename TestFixture::Known systems(this->space, Matrix::dominant, 3001, {2, 3}, axis == 0, axis, order);
      for (A algorithm : every_algorithm) systems.expect_solved(this->space, algorithm, name(order));
    }
  }
}

TYPED_TEST(TridiagonalCalls, PeriodicSystems) {
  for (std::int64_t rows : {1, 2, 3, 4, 33, 130, 1000, 2500}) {
    for (Matrix matrix : {Matrix::dominant, Matrix::toeplitz}) {
      typename TestFixture::Known systems(this->space, matrix, rows, {2, 2}, true);
      for (A algorithm : every_algorithm) {
        systems.expect_solved(this->space, algorithm, std::string("periodic, ") + name(matrix));
      }
    }
  }
}

TYPED_TEST(TridiagonalCalls, InPlace) {
  for (std::int64_t rows : {1, 40, 700, 5000}) {
    for (bool periodic : {false, true}) {
      for (Order order : {Order::right, Order::left}) {
        typename TestFixture::Known systems(this->space, Matrix::dominant, rows, {1, 3}, periodic, 2, order);
        for (A algorithm : every_algorithm) {
          systems.expect_solved(this->space, algorithm, "in place", Target::in_place);
        }
      }
    }
  }
}

/// Coefficients and right-hand side keep their bits, and so does the memory between the values of the solution.
TYPED_TEST(TridiagonalCalls, KeepsItsInputs) {
  for (std::int64_t rows : {40, 700, 5000}) {
    for (bool periodic : {false, true}) {
      typename TestFixture::Known known(this->space, Matrix::dominant, rows, {1, 3}, periodic, 2, Order::spaced);
      auto const& batch = known.placed;
      auto const all = [&] {
        return std::array{batch.bytes(this->space, batch.lower), batch.bytes(this->space, batch.diagonal),
                          batch.bytes(this->space, batch.upper), batch.bytes(this->space, batch.rhs)};
      };
      auto const before = all();
      for (A algorithm : every_algorithm) {
        known.solve(this->space, {.algorithm = algorithm});
        auto const after = all();
        for (std::size_t a = 0; a < before.size(); ++a) {
          EXPECT_EQ(std::memcmp(before[a].data(), after[a].data(), before[a].size() * sizeof(before[a][0])), 0)
              << name(algorithm) << ", " << rows << " rows, array " << a;
        }
        auto const written = batch.bytes(this->space, batch.solution);
        auto const finite = std::count_if(written.begin(), written.end(), [](auto const& x) { return x == x; });
        EXPECT_EQ(finite, rows * 3) << name(algorithm);
      }
    }
  }
}

TYPED_TEST(TridiagonalCalls, SharedAndConstantCoefficients) {
  using T = typename TestFixture::T;
  using Coefficient = typename TestFixture::Coefficient;
  for (std::int64_t rows : {1, 6, 513, 3000}) {
    for (bool periodic : {false, true}) {
      for (Matrix matrix : {Matrix::dominant, Matrix::toeplitz}) {
        auto const systems = systems_of_one_matrix<T>(matrix, rows, {2, 3}, periodic);
        for (Order order : {Order::right, Order::left}) {
          typename TestFixture::Known known(this->space, {2, 3}, 2, order, systems);
          auto const& first = known.placed.systems[0];
          auto const lower = this->upload(first.lower), diagonal = this->upload(first.diagonal),
                     upper = this->upload(first.upper);
          for (A algorithm : every_algorithm) {
            typename TestFixture::Plan plan(this->space, known.placed.shape(),
                                            {.algorithm = algorithm, .periodic = periodic});
            auto const rhs = known.placed.rhs.view(), x = known.placed.solution.view();
            known.restore(this->space);
            plan.solve(this->space, lower, diagonal, upper, rhs, x);
            known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm, "shared");
            // Forms may be mixed.
            known.restore(this->space);
            plan.solve(this->space, known.placed.lower.view(), diagonal, upper, rhs, x);
            known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm, "mixed");
            if (matrix != Matrix::toeplitz || Scalar<T>::is_complex) continue;
            known.restore(this->space);
            plan.solve(this->space, Coefficient(1), Coefficient(4.0), Coefficient(T(1)), rhs, x);
            known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm, "constant");
          }
        }
      }
    }
  }
}

/// rhs(system, row, side), with matrices that differ between systems but not between sides.
TYPED_TEST(TridiagonalCalls, SeveralRightHandSides) {
  using T = typename TestFixture::T;
  using Coefficient = typename TestFixture::Coefficient;
  std::int64_t const systems = 3, sides = 5;
  for (std::int64_t rows : {9, 300, 2100}) {
    auto given = make_systems<T>(Matrix::dominant, rows, {systems, sides}, false);
    std::vector<typename TestFixture::W> flat[3];
    for (std::int64_t s = 0; s < systems; ++s) {
      auto const matrix = given[std::size_t(s * sides)];
      for (std::int64_t side = 1; side < sides; ++side) {
        auto& system = given[std::size_t(s * sides + side)];
        auto const rhs = system.rhs;
        system = matrix;
        system.rhs = rhs;
      }
      flat[0].insert(flat[0].end(), matrix.lower.begin(), matrix.lower.end());
      flat[1].insert(flat[1].end(), matrix.diagonal.begin(), matrix.diagonal.end());
      flat[2].insert(flat[2].end(), matrix.upper.begin(), matrix.upper.end());
    }
    typename TestFixture::Known known(this->space, {systems, sides}, 1, Order::right, given);
    Kokkos::View<T*, typename TestFixture::Exec::memory_space> const values[3] = {
        this->upload(flat[0]), this->upload(flat[1]), this->upload(flat[2])};
    using Pair = Kokkos::View<T**, Kokkos::LayoutRight, typename TestFixture::Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    auto const coefficient = [&](int c) {
      return Coefficient::shared_over(2, Pair(values[c].data(), std::size_t(systems), std::size_t(rows)));
    };
    for (A algorithm : every_algorithm) {
      typename TestFixture::Plan plan(this->space, known.placed.shape(), {.algorithm = algorithm});
      known.restore(this->space);
      plan.solve(this->space, coefficient(0), coefficient(1), coefficient(2), known.placed.rhs.view(),
                 known.placed.solution.view());
      known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm, "several sides");
      // And once more with factors that are kept.
      plan.factor(this->space, coefficient(0), coefficient(1), coefficient(2));
      known.restore(this->space);
      plan.solve(this->space, known.placed.rhs.view(), known.placed.solution.view());
      known.expect_accurate(known.placed.read(this->space, known.placed.solution), algorithm,
                            "several sides, factored");
    }
  }
}

TYPED_TEST(TridiagonalCalls, FactorOnceSolveOften) {
  using T = typename TestFixture::T;
  for (std::int64_t rows : {1, 2, 50, 600, 3000}) {
    for (bool periodic : {false, true}) {
      for (Order order : {Order::right, Order::left}) {
        typename TestFixture::Known known(this->space, Matrix::dominant, rows, {2, 3}, periodic, 2, order);
        auto& batch = known.placed;
        for (A algorithm : every_algorithm) {
          typename TestFixture::Plan plan(this->space, batch.shape(), {.algorithm = algorithm, .periodic = periodic});
          known.restore(this->space);
          plan.factor(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view());
          // The caller's coefficients are no longer needed.
          auto const lower = batch.bytes(this->space, batch.lower);
          copy_to_device(this->space, std::vector<T>(lower.size(), T(0)), batch.lower.memory);
          for (Target target : {Target::apart, Target::in_place}) {
            known.restore(this->space);
            auto const& x = target == Target::in_place ? batch.rhs : batch.solution;
            plan.solve(this->space, batch.rhs.view(), x.view());
            known.expect_accurate(batch.read(this->space, x), algorithm, "factored");
          }
          copy_to_device(this->space, lower, batch.lower.memory);
        }
      }
    }
  }
}

/// Views of rank 1 and 2 of Kokkos' own layouts, read-only ones among them.
TYPED_TEST(TridiagonalCalls, ViewsOfOtherRanks) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  typename TestFixture::Known known(this->space, Matrix::dominant, 77, {1, 1});
  auto const& system = known.placed.systems[0];
  auto const lower = this->upload(system.lower), diagonal = this->upload(system.diagonal),
             upper = this->upload(system.upper), rhs = this->upload(system.rhs), x = this->upload(system.rhs);
  using ReadOnly = Kokkos::View<T const*, typename Exec::memory_space>;
  auto const solved = [&](auto const& view) {
    std::vector<typename TestFixture::W> values;
    for (T const& value : host_copy(this->space, view)) values.push_back(Scalar<T>::widen(value));
    return std::vector<std::vector<typename TestFixture::W>>{values};
  };
  typename TestFixture::Plan one(this->space, TridiagonalShape::along(0, {77}));
  one.solve(this->space, ReadOnly(lower), ReadOnly(diagonal), upper, ReadOnly(rhs), x);
  this->space.fence();
  known.expect_accurate(solved(x), one.algorithm(), "rank 1");

  // Rank 2, systems along the first axis, in either layout: the middle column is the system, the others are trivial.
  typename TestFixture::Plan three(this->space, TridiagonalShape::along(0, {77, 3}));
  Kokkos::View<T**, Kokkos::LayoutLeft, typename Exec::memory_space> const left(
      Kokkos::view_alloc(this->space, std::string("karman::test::left")), 77, 3);
  Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space> const right(
      Kokkos::view_alloc(this->space, std::string("karman::test::right")), 77, 3);
  Kokkos::deep_copy(this->space, Kokkos::subview(left, Kokkos::ALL, 1), rhs);
  three.solve(this->space, lower, diagonal, upper, left, right);
  Kokkos::deep_copy(this->space, x, Kokkos::subview(right, Kokkos::ALL, 1));
  this->space.fence();
  known.expect_accurate(solved(x), three.algorithm(), "rank 2");
}

TYPED_TEST(TridiagonalCalls, PlansMove) {
  typename TestFixture::Known known(this->space, Matrix::dominant, 100, {1, 2});
  auto const& batch = known.placed;
  typename TestFixture::Plan first(this->space, batch.shape());
  typename TestFixture::Plan plan(std::move(first));
  plan.solve(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(), batch.rhs.view(),
             batch.solution.view());
  known.expect_accurate(batch.read(this->space, batch.solution), plan.algorithm(), "moved");
}

}  // namespace tridiagonal_calls_test
