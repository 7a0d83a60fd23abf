// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parameters of Adi.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace karman::detail {

/// The parameters of Wachspress for [a, b]: as few as reduce the error a thousandfold per cycle, and at most 16. More
/// of them gain little per iteration.
std::vector<double> parameter_cycle(double a, double b);

/// A parameter for which the iteration in three dimensions converges whatever the walls. The matrices of the axes have
/// eigenvalues in [0, b]. With M = (r + X) (r + Y) (r + Z) / (2 r^2) the error shrinks in the norm of X + Y + Z = A
/// when M + M^T - A = r + sum of sym(XY) / r + sym(XYZ) / r^2 is positive definite. The symmetric part of a product of
/// two positive semi-definite matrices is at least -b^2 / 8, of three -b^3 / 4 (attained by projections): r >= 0.83 b.
constexpr double safe_parameter_of_three_axes(double b) { return 0.83 * b; }

/// True when cycles of these parameters reduce the residual of an error by orders of magnitude and keep it bounded.
/// `iterate(r)` returns max |residual| of the present error, then iterates once.
template <class T, class Iterate>
bool cycle_contracts(std::vector<double> const& cycle, Iterate const& iterate) {
  constexpr int most_cycles = 8;
  constexpr double enough = sizeof(T) == 4 ? 1e-3 : 1e-6, lost = 1e4;
  double first = 0;
  for (int n = 0; n < most_cycles; ++n) {
    for (std::size_t j = 0; j < cycle.size(); ++j) {
      double const now = iterate(cycle[j]);
      if (n == 0 && j == 0) first = now;
      if (!(now <= lost * first)) return false;
      if (j == 0 && now <= enough * first) return true;
    }
  }
  return false;
}

/// The same for one parameter, which reduces the residual slowly: it must still decrease after many iterations.
template <class Iterate>
bool parameter_contracts(double r, Iterate const& iterate) {
  constexpr int iterations = 64;
  double before = HUGE_VAL, first = 0, after = 0;
  for (int n = 0; n < iterations; ++n) {
    double const now = iterate(r);
    if (n == 0) first = now;
    if (!(now <= 10 * first)) return false;
    if (n >= iterations / 2 && n < 3 * iterations / 4) before = now < before ? now : before;
    if (n >= 3 * iterations / 4) after = now > after ? now : after;
  }
  return after <= before;
}

}  // namespace karman::detail
