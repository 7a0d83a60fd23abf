// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "naca_profile.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace karman::detail {

NacaProfile::NacaProfile(std::string const& digits, std::string const& who) {
  std::string const message = who + ": digits: \"" + digits + "\": must be ";
  bool const four =
      digits.size() == 4 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  require(four, message + "four digits, such as \"0012\"");
  int const camber = digits[0] - '0', place = digits[1] - '0';
  int const thickness = 10 * (digits[2] - '0') + digits[3] - '0';
  require(thickness >= 1 && thickness <= 40, message + "of a thickness from 01 to 40");
  require((camber == 0) == (place == 0), message + "of a camber and its place, or of two zeros");
  camber_ = 0.01 * camber;
  if (place > 0) place_ = 0.1 * place;
  thickness_ = 0.01 * thickness;
}

double NacaProfile::camber_line(double x) const {
  double const tail = 1 - place_;
  return x < place_ ? camber_ / (place_ * place_) * x * (2 * place_ - x)
                    : camber_ / (tail * tail) * (1 - x) * (1 + x - 2 * place_);
}

double NacaProfile::camber_slope(double x) const {
  double const reach = x < place_ ? place_ : 1 - place_;
  return 2 * camber_ / (reach * reach) * (place_ - x);
}

std::complex<double> NacaProfile::camber_normal(double x) const {
  double const slope = camber_slope(x), length = std::hypot(1, slope);
  return {-slope / length, 1 / length};
}

std::complex<double> NacaProfile::contour(double parameter) const {
  if (parameter <= 0 || parameter >= 2 * std::numbers::pi) return {1, 0};
  double const root = std::cos(0.5 * parameter), x = root * root;
  double const half =
      5 * thickness_ * (0.2969 * std::abs(root) - x * (0.1260 + x * (0.3516 - x * (0.2843 - x * 0.1036))));
  // Across the camber line: upward on the upper side.
  return std::complex<double>(x, camber_line(x)) + (root >= 0 ? half : -half) * camber_normal(x);
}

double NacaProfile::trailing_angle() const {
  double const thinning = 5 * thickness_ * (0.5 * 0.2969 - 0.1260 - 2 * 0.3516 + 3 * 0.2843 - 4 * 0.1036);  // negative
  std::complex<double> const along{1, camber_slope(1)}, normal = thinning * camber_normal(1);
  return std::arg((along - normal) / (along + normal));
}

std::complex<double> NacaProfile::focus() const {
  double const root_coefficient = 5 * 0.2969 * thickness_;
  return std::polar(0.25 * root_coefficient * root_coefficient, std::atan(camber_slope(0)));
}

}  // namespace karman::detail
