// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adi_parameters.hpp"

#include <karman/core/error.hpp>
#include <karman/solvers/grid/adi.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace karman {

namespace {

/// The descending Landen transformation from the modulus with complement k' (Abramowitz and Stegun 16.4 and 17.6).
class EllipticDn {
 public:
  explicit EllipticDn(double complement) : complement_(complement) {
    double mean = 1, lower = complement, difference = std::sqrt((1 - complement) * (1 + complement));
    // The next difference follows from the square of the last, not from two nearly equal means. It falls to zero
    // quadratically, in seven steps at most for the complements allowed here.
    constexpr double negligible = 1e-17;
    for (int step = 0; step < most_steps && difference > negligible * mean; ++step) {
      double const next = 0.5 * (mean + lower);
      lower = std::sqrt(mean * lower);
      difference = 0.25 * difference / next * difference;
      mean = next;
      ratios_.push_back(difference / mean);
    }
  }

  /// dn(share K), K the complete elliptic integral.
  double operator()(double share) const {
    constexpr double quarter = 0.5 * std::numbers::pi;  // K of the last, circular mean
    double angle = std::ldexp(quarter * share, static_cast<int>(ratios_.size()));
    for (std::size_t n = ratios_.size(); n-- > 0;) angle = 0.5 * (angle + std::asin(ratios_[n] * std::sin(angle)));
    double const cosine = std::cos(angle), sine = std::sin(angle);
    return std::sqrt(cosine * cosine + complement_ * complement_ * sine * sine);
  }

 private:
  static constexpr int most_steps = 16;
  double complement_;
  std::vector<double> ratios_;  ///< difference to mean after each step
};

/// The largest |product of (r - x) / (r + x)| over [a, b]: the factor by which a cycle reduces the error along one
/// axis.
double left_by_cycle(std::vector<double> const& parameters, double a, double b) {
  double largest = 0;
  constexpr int points = 400;
  for (int n = 0; n <= points; ++n) {
    double const x = a * std::pow(b / a, double(n) / points);
    double product = 1;
    for (double r : parameters) product *= (r - x) / (r + x);
    largest = std::max(largest, std::abs(product));
  }
  return largest;
}

}  // namespace

std::vector<double> wachspress_parameters(double a, double b, int count) {
  require(a > 0 && a <= b && std::isfinite(b), "wachspress_parameters: 0 < a <= b must hold");
  require(count >= 1, "wachspress_parameters: at least one parameter is needed");
  // Below this complement dn(u) = sech(u) up to K / 2 with a relative error of 4 k', and K = ln(4 / k').
  constexpr double hyperbolic = 1e-10;
  double const complement = a / b;
  EllipticDn const dn(std::max(complement, hyperbolic));
  double const complete = std::log(4.0) + std::log(b) - std::log(a);
  double const middle = std::sqrt(a) * std::sqrt(b);
  std::vector<double> parameters(static_cast<std::size_t>(count), middle);
  for (int j = 0; j < count / 2; ++j) {
    double const share = (2 * j + 1) / (2.0 * count);
    double const value = complement < hyperbolic ? 1 / std::cosh(share * complete) : dn(share);
    // Pairs have the product a b. The smaller ones would lose their digits by cancellation in dn.
    double const larger = std::clamp(b * value, middle, b);
    parameters[static_cast<std::size_t>(j)] = larger;
    parameters[static_cast<std::size_t>(count - 1 - j)] = std::clamp(middle / larger * middle, a, middle);
  }
  return parameters;
}

std::vector<double> detail::parameter_cycle(double a, double b) {
  constexpr int most = 16;
  for (int count = 1;; ++count) {
    auto parameters = wachspress_parameters(a, b, count);
    double const left = left_by_cycle(parameters, a, b);
    if (left * left <= 1e-3 || count == most) return parameters;
  }
}

}  // namespace karman
