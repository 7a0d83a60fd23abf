// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "zone_lengths.hpp"

#include <algorithm>
#include <cmath>

namespace karman::wind {

double upwind_cavity_length(double coefficient, double width, double height) {
  return coefficient * width / (1 + 0.8 * width / height);
}

double cavity_length(double length, double width, double height) {
  double const l = std::clamp(length / height, 0.3, 3.0);
  double const w = std::min(width / height, 10.0);
  return height * 1.8 * w / (std::pow(l, 0.3) * (1 + 0.24 * w));
}

double high_rise_cavity_length(double length, double width, double height) {
  double const usual = cavity_length(length, width, height);
  if (height < 2 * length) return usual;
  double const l = length / height;
  double const w = width / height;
  double const denominator = 1.86 * w - 0.27;
  if (!(denominator > 0)) return usual;
  return std::min(usual, height * 2.34 * w * std::pow(l, 1.37) / denominator);
}

double separation_scale(double width, double height) {
  double const small = std::min(width, height);
  double const large = std::max(width, height);
  return std::cbrt(small * small * large);
}

}  // namespace karman::wind
