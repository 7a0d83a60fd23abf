// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials of the smoother of algebraic multigrid against Chebyshev's by their recurrence.
#include "sparse/amg/chebyshev.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <utility>

namespace chebyshev_test {

using namespace karman::detail;
using Complex = Kokkos::complex<double>;

/// |T_n((c - z) / h) / T_n(c / h)|, c the centre of the segment and h half of it.
double expected(int n, std::complex<double> from, std::complex<double> to, std::complex<double> z) {
  auto const chebyshev = [&](std::complex<double> x) {
    std::complex<double> before = 1, now = x;
    for (int k = 1; k < n; ++k) before = std::exchange(now, 2.0 * x * now - before);
    return now;
  };
  auto const centre = (from + to) / 2.0, half = (to - from) / 2.0;
  return std::abs(chebyshev((centre - z) / half) / chebyshev(centre / half));
}

TEST(Chebyshev, MultipliesErrorsByItsPolynomial) {
  for (int n = 1; n <= 2 * most_smoothing_steps; ++n) {
    for (std::complex<double> const from : {std::complex<double>(0.125), {-0.3, 0.4}, {0.8, -0.3}}) {
      auto const steps = chebyshev_steps(n, Complex(from.real(), from.imag()), 1.0);
      ASSERT_EQ(steps.count, n);
      for (std::complex<double> const z : {std::complex<double>(0), from, {1, 0}, {0.5, 0.1}, {-0.2, 0.3}}) {
        double const value = expected(n, from, 1, z);
        EXPECT_NEAR(amplification(steps, Complex(z.real(), z.imag())), value, 1e-12 * (1 + value)) << n << z << from;
      }
    }
  }
}

TEST(Chebyshev, OneStepForADefiniteMatrixIsDampedJacobi) {
  auto const steps = smoothing_steps(1, 8);
  ASSERT_EQ(steps.count, 1);
  EXPECT_NEAR(amplification(steps, 1.0), 1.0 / 3, 1e-15);
  EXPECT_NEAR(amplification(steps, 0.75), 0, 1e-15);
}

TEST(StepsForShift, AreTwiceAsManyAndDoNotAmplify) {
  for (int n : {1, 2, 3, 4}) {
    auto const definite = smoothing_steps(n, 8);
    for (Complex const sum :
         {Complex(-0.25, 0.5), Complex(-0.125, -0.3125), Complex(0.75, 0.5), Complex(0.03125, 0.5)}) {
      auto const steps = steps_for_shift(definite, sum);
      EXPECT_EQ(steps.count, 2 * n);
      for (double part : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
        EXPECT_LE(amplification(steps, sum + part * (Complex(1.0) - sum)), 1) << n << " steps, part " << part;
      }
    }
    EXPECT_GT(amplification(definite, Complex(-0.25, 0.5)), 1) << "else nothing would be gained";
  }
}

TEST(StepsForShift, StayThoseOfADefiniteMatrix) {
  auto const definite = smoothing_steps(2, 8);
  double const none = std::numeric_limits<double>::quiet_NaN();
  // Real sums, nearly real ones, values that are not numbers.
  for (Complex const sum :
       {Complex(0.5, 0.0), Complex(-0.5, 0.0), Complex(0.9, 0.007), Complex(none, 0.5), Complex(0.5, none)}) {
    auto const steps = steps_for_shift(definite, sum);
    EXPECT_EQ(steps.count, 2) << sum.real() << ", " << sum.imag();
    EXPECT_EQ(amplification(steps, 0.3), amplification(definite, 0.3));
  }
  // A segment past zero whose polynomial of degree 4 is nearly zero there, so that it is large elsewhere.
  EXPECT_EQ(steps_for_shift(definite, Complex(-29.0 / 64, 1.0 / 64)).count, 2);
  // The order of an addition does not matter.
  EXPECT_EQ(amplification(steps_for_shift(definite, Complex(-0.25, 0.5)), 0.3),
            amplification(steps_for_shift(definite, Complex(-0.25 + 1e-12, 0.5 - 1e-12)), 0.3));
}

}  // namespace chebyshev_test
