// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Polynomials of a smoother, and the choice between them.
#pragma once

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstddef>

namespace karman::detail {

/// Most steps of a smoother; twice as many where rows belong to a shift.
inline constexpr int most_smoothing_steps = 8;

/// Step of a smoother: d = along d + across L^-1 (b - A x), x += d. Real for a real matrix.
struct SmoothingStep {
  Kokkos::complex<double> along, across;
};

/// The steps of a smoother; `along` of the first is 0.
struct SmoothingSteps {
  int count = 0;
  std::array<SmoothingStep, 2 * most_smoothing_steps> step{};
};

/// Chebyshev's polynomial for a spectrum on the segment between two different numbers (Y. Saad, Iterative Methods for
/// Sparse Linear Systems, 2nd ed., SIAM 2003, algorithm 12.1). In the plane of complex numbers it need not be the best
/// one, but is near to it.
inline SmoothingSteps chebyshev_steps(int count, Kokkos::complex<double> from, Kokkos::complex<double> to) {
  using Complex = Kokkos::complex<double>;
  Complex const centre = (to + from) / 2.0, half = (to - from) / 2.0, sigma = centre / half;
  SmoothingSteps result;
  result.count = count;
  Complex rho = 1.0 / sigma;
  result.step[0] = {Complex(0.0), 1.0 / centre};
  for (std::size_t s = 1; s < static_cast<std::size_t>(count); ++s) {
    Complex const next = 1.0 / (2.0 * sigma - rho);
    result.step[s] = {next * rho, 2.0 * next / half};
    rho = next;
  }
  return result;
}

/// Steps for a definite matrix: the part [1 / range, 1] of the spectrum. One step is damped Jacobi with 4/3 of the
/// norm, the usual 2/3 of the diagonal where the norm is twice that.
inline SmoothingSteps smoothing_steps(int count, double range) {
  if (count > 1) return chebyshev_steps(count, 1 / range, 1.0);
  SmoothingSteps result;
  result.count = 1;
  result.step[0] = {Kokkos::complex<double>(0.0), Kokkos::complex<double>(4.0 / 3)};
  return result;
}

/// Size of the factor by which the steps change an error that is an eigenvector of L^-1 A.
inline double amplification(SmoothingSteps const& steps, Kokkos::complex<double> eigenvalue) {
  Kokkos::complex<double> error(1.0), d(0.0);
  for (std::size_t s = 0; s < static_cast<std::size_t>(steps.count); ++s) {
    d = steps.step[s].along * d - steps.step[s].across * eigenvalue * error;
    error += d;
  }
  return std::hypot(error.real(), error.imag());
}

/// Steps where many rows belong to a shift, so that the level does not resolve waves. The spectrum lies near the
/// segment from `sum` to 1: the mean of the scaled sums of the rows is the eigenvalue of smooth errors. The steps for a
/// definite matrix amplify those. Twice as many: they have to solve more than to smooth, and such levels are small.
///
/// The steps for a definite matrix stay for a real sum. They also stay where a segment passes zero so closely that its
/// own steps amplify more. The sum is rounded to 1/64, so that the order of its addition does not matter.
inline SmoothingSteps steps_for_shift(SmoothingSteps const& definite, Kokkos::complex<double> sum) {
  double const re = std::round(64 * sum.real()) / 64, im = std::round(64 * sum.imag()) / 64;
  if (im == 0 || !std::isfinite(re + im)) return definite;
  Kokkos::complex<double> const from(re, im);
  SmoothingSteps const along_segment = chebyshev_steps(2 * definite.count, from, 1.0);
  return amplification(along_segment, from) < amplification(definite, from) ? along_segment : definite;
}

}  // namespace karman::detail
