// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Round-off of a residual, for judging one that does not meet its tolerance.
#pragma once

#include "linear_system.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace karman::poisson {

/// Bounds on the round-off of max |b - A p| / max |b|, from max |p|.
struct RoundOff {
  double epsilon = 0;    ///< of the precision of the case
  double weight = 0;     ///< largest weight of a cell in its equation
  double largest_b = 0;  ///< max |b|

  /// One rounding of every term of the residual: eps (1 + weight * max |p| / max |b|).
  double unit(double largest_p) const { return epsilon * (1 + (largest_b > 0 ? weight * largest_p / largest_b : 0)); }
  /// Of a residual that is evaluated in the precision of the case. Coefficient, weight, difference, two products and
  /// the sum of six terms are 11 roundings. Each is half an eps on at most 4/3 of the weight.
  double of_residual(double largest_p) const {
    constexpr double roundings = 8;
    return roundings * unit(largest_p);
  }
  /// Largest residual that may pass as round-off: of_residual(), and never more than single precision is asked for.
  /// The error |A^-1 (b - A p)| is at most that fraction of A^-1 max |b|, because no entry of -A^-1 is negative. So a
  /// larger estimate, as of extreme contrasts, makes no wrong solution a good one.
  double acceptable(double largest_p) const {
    return std::min(of_residual(largest_p), app::usual_tolerance(Precision::f32));
  }
  /// The same for direct methods and for single precision, whose residuals are round-off alone. By that bound of the
  /// error the solution keeps two digits.
  static double limited(double bound) {
    constexpr double most = 0.01;
    return std::min(bound, most);
  }
};

inline RoundOff round_off(LinearSystem const& system, Precision precision) {
  RoundOff result;
  result.epsilon = precision == Precision::f32 ? double(std::numeric_limits<float>::epsilon())
                                               : std::numeric_limits<double>::epsilon();
  std::array const spacing{system.grid.dx(), system.grid.dy(), system.grid.dz(0)};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(system.dimensions); ++axis) {
    // A Dirichlet side counts twice.
    result.weight += 3 * system.largest_coefficient / (spacing[axis] * spacing[axis]);
  }
  result.largest_b = system.largest_b;
  return result;
}

}  // namespace karman::poisson
