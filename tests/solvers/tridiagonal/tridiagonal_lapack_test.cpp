// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against LAPACK's gtsv, which solves in the same precision with partial pivoting.
#include "tridiagonal_runs.hpp"

#include <complex>
#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

namespace tridiagonal_lapack_test {

using namespace karman;
using namespace karman::test;
using A = TridiagonalAlgorithm;

int gtsv(int n, float* lower, float* diagonal, float* upper, float* rhs) {
  return LAPACKE_sgtsv(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}
int gtsv(int n, double* lower, double* diagonal, double* upper, double* rhs) {
  return LAPACKE_dgtsv(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}
int gtsv(int n, std::complex<float>* lower, std::complex<float>* diagonal, std::complex<float>* upper,
         std::complex<float>* rhs) {
  return LAPACKE_cgtsv(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}
int gtsv(int n, std::complex<double>* lower, std::complex<double>* diagonal, std::complex<double>* upper,
         std::complex<double>* rhs) {
  return LAPACKE_zgtsv(LAPACK_COL_MAJOR, n, 1, lower, diagonal, upper, rhs, n);
}

/// LAPACK's solution. It has no periodic systems.
template <class T>
std::vector<typename Scalar<T>::wide> lapack(SerialTridiagonal<typename Scalar<T>::wide> const& system) {
  using Standard = typename Scalar<T>::standard;
  auto const rounded = [](auto const& values, std::size_t from, std::size_t to) {
    std::vector<Standard> result;
    for (std::size_t k = from; k < to; ++k) result.push_back(Standard(values[k]));
    result.resize(std::max<std::size_t>(result.size(), 1));  // LAPACK needs no values, but a pointer
    return result;
  };
  std::size_t const n = system.size();
  auto lower = rounded(system.lower, 1, n), diagonal = rounded(system.diagonal, 0, n),
       upper = rounded(system.upper, 0, n - 1), rhs = rounded(system.rhs, 0, n);
  EXPECT_EQ(gtsv(int(n), lower.data(), diagonal.data(), upper.data(), rhs.data()), 0);
  return {rhs.begin(), rhs.end()};
}

template <class Parameter>
class TridiagonalLapack : public TridiagonalOn<Parameter> {
 public:
  using T = typename Parameter::scalar;
  using W = typename Scalar<T>::wide;

  /// Both are within their bounds of the exact solution, so that they are within the sum of each other.
  static double bound(A algorithm, std::int64_t rows, long double by_entries, long double by_rows) {
    double const lapack = error_bound<T>(1, by_rows);
    return lapack + error_bound<T>(levels_of(algorithm, rows), algorithm == A::pivoting ? by_rows : by_entries);
  }
};
TYPED_TEST_SUITE(TridiagonalLapack, AllScalars, ScalarNames);

TYPED_TEST(TridiagonalLapack, EveryAlgorithmOnDominantMatrices) {
  using T = typename TestFixture::T;
  // LAPACK chooses its pivots among unscaled rows: it would solve rows of very different size less accurately.
  for (Matrix matrix :
       {Matrix::dominant, Matrix::barely_dominant, Matrix::toeplitz, Matrix::laplacian, Matrix::nearly_singular}) {
    for (std::int64_t rows : {1, 2, 3, 17, 64, 65, 300, 1000, 4097}) {
      typename TestFixture::Known known(this->space, matrix, rows, {1, 2});
      std::vector<std::vector<typename TestFixture::W>> theirs;
      for (auto const& system : known.placed.systems) theirs.push_back(lapack<T>(system));
      for (A algorithm : every_algorithm) {
        auto const ours = known.solve(this->space, {.algorithm = algorithm});
        for (std::size_t s = 0; s < ours.size(); ++s) {
          EXPECT_LE(double(largest_difference(ours[s], theirs[s])),
                    TestFixture::bound(algorithm, rows, known.by_entries[s], known.by_rows[s]))
              << name(algorithm) << ", " << name(matrix) << ", " << rows << " rows";
        }
      }
    }
  }
}

TYPED_TEST(TridiagonalLapack, ManySizes) {
  using T = typename TestFixture::T;
  for (std::int64_t rows = 1; rows <= 1100; rows += TestFixture::is_double ? 1 : 37) {
    typename TestFixture::Known known(this->space, Matrix::dominant, rows, {1, 1});
    auto const theirs = lapack<T>(known.placed.systems[0]);
    auto const ours = known.solve(this->space, {});
    EXPECT_LE(double(largest_difference(ours[0], theirs)),
              TestFixture::bound(A::automatic, rows, known.by_entries[0], known.by_rows[0]))
        << rows << " rows";
  }
}

/// Where exchanges are needed: at most the error of LAPACK, times the factor of the number of levels.
TYPED_TEST(TridiagonalLapack, PivotingOnGeneralMatrices) {
  using T = typename TestFixture::T;
  using S = Scalar<T>;
  for (std::int64_t rows : {2, 3, 40, 256, 300, 511, 2000}) {
    std::vector<SerialTridiagonal<typename S::wide>> systems;
    std::mt19937 random(static_cast<unsigned>(rows));
    for (int s = 0; s < 3; ++s) {
      systems.push_back(make_system<T>(Matrix::dominant, rows, false, unsigned(s)));
      for (auto& entry : systems.back().diagonal) entry = S::widen(random_value<T>(random));
    }
    PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, 3}, 2, Order::right, systems);
    Tridiagonal<typename TestFixture::Exec, T> plan(this->space, batch.shape(), {.algorithm = A::pivoting});
    plan.solve(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(), batch.rhs.view(),
               batch.solution.view());
    auto const ours = batch.read(this->space, batch.solution);
    for (std::size_t s = 0; s < systems.size(); ++s) {
      double const theirs = double(rowwise_backward_error(systems[s], lapack<T>(systems[s])));
      double const levels = 2 + std::log2(double(rows));
      EXPECT_LE(theirs, 16 * S::roundings * epsilon<T>);
      EXPECT_LE(double(rowwise_backward_error(systems[s], ours[s])), 4 * levels * (theirs + epsilon<T>))
          << rows << " rows, system " << s;
    }
  }
}

/// Columns of very different size, as from unknowns in different units. LAPACK's choice of pivots is independent of
/// them, and so must ours be. Errors in the units of each unknown, worst and mean of many systems.
TYPED_TEST(TridiagonalLapack, PivotingOnColumnsOfDifferentSize) {
  using T = typename TestFixture::T;
  using S = Scalar<T>;
  int const decades = TestFixture::is_double ? 8 : 4;
  for (bool alternating : {false, true}) {
    for (std::int64_t rows : {2, 3, 40, 300, 2000}) {
      int const count = rows < 1000 ? 40 : 6;
      std::vector<SerialTridiagonal<typename S::wide>> systems;
      std::mt19937 random(static_cast<unsigned>(rows));
      std::vector<std::vector<long double>> size;
      for (int s = 0; s < count; ++s) {
        auto& system = systems.emplace_back(make_system<T>(Matrix::dominant, rows, false, unsigned(s)));
        auto& column = size.emplace_back();
        for (std::int64_t k = 0; k < rows; ++k) {
          int const exponent = 10 * decades / 3;
          column.push_back(std::ldexp(1.0L, alternating ? (k % 2 == 0 ? exponent : -exponent)
                                                        : int(random() % unsigned(2 * exponent + 1)) - exponent));
        }
        for (std::size_t k = 0; k < system.size(); ++k) {
          system.diagonal[k] = S::widen(random_value<T>(random)) * column[k];
          if (k > 0) system.lower[k] = S::widen(random_value<T>(random)) * column[k - 1];
          if (k + 1 < system.size()) system.upper[k] = S::widen(random_value<T>(random)) * column[k + 1];
        }
      }
      PlacedBatch<typename TestFixture::Exec, T> const batch(this->space, {1, count}, 2, Order::right, systems);
      Tridiagonal<typename TestFixture::Exec, T> plan(this->space, batch.shape(), {.algorithm = A::pivoting});
      plan.solve(this->space, batch.lower.view(), batch.diagonal.view(), batch.upper.view(), batch.rhs.view(),
                 batch.solution.view());
      auto const ours = batch.read(this->space, batch.solution);
      double worst = 0, digits = 0, worst_of_lapack = 0, digits_of_lapack = 0;
      for (std::size_t s = 0; s < systems.size(); ++s) {
        auto const exact = solve(systems[s]), theirs = lapack<T>(systems[s]);
        auto const error = [&](auto const& x) {
          long double most = 0, all = 0;
          for (std::size_t k = 0; k < exact.size(); ++k) {
            most = std::max(most, std::abs(x[k] - exact[k]) * size[s][k]);
            all = std::max(all, std::abs(exact[k]) * size[s][k]);
          }
          return std::max(double(most / all), epsilon<T>);
        };
        worst = std::max(worst, error(ours[s]));
        worst_of_lapack = std::max(worst_of_lapack, error(theirs));
        digits += std::log10(error(ours[s])) / count;
        digits_of_lapack += std::log10(error(theirs)) / count;
      }
      // Both are backward stable, in other orders of elimination. The mean differs by a digit at most, one system in
      // forty by three; an unstable method lost ten.
      EXPECT_LE(digits, digits_of_lapack + 1) << rows << " rows" << (alternating ? ", alternating" : "");
      EXPECT_LE(worst, 1e3 * worst_of_lapack) << rows << " rows" << (alternating ? ", alternating" : "");
    }
  }
}

}  // namespace tridiagonal_lapack_test
