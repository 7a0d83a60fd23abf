// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sea_state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace karman::waves {
namespace {

/// Points at which the shares (n + 1/2) / count of the integral of a density lie, by the trapezoidal rule.
std::vector<double> middles_of_equal_bands(std::function<double(double)> const& density, double from, double to,
                                           int count) {
  constexpr int intervals = 4000;
  std::vector<double> integral(intervals + 1, 0);
  double const step = (to - from) / intervals;
  double before = density(from);
  for (int n = 1; n <= intervals; ++n) {
    double const here = density(from + n * step);
    integral[static_cast<std::size_t>(n)] = integral[static_cast<std::size_t>(n - 1)] + 0.5 * step * (before + here);
    before = here;
  }
  std::vector<double> middles;
  for (int band = 0; band < count; ++band) {
    double const share = integral.back() * (band + 0.5) / count;
    auto const above = std::upper_bound(integral.begin() + 1, integral.end() - 1, share);
    double const low = *(above - 1), high = *above;
    double const part = high > low ? (share - low) / (high - low) : 0.5;
    middles.push_back(from + step * (static_cast<double>(above - integral.begin()) - 1 + part));
  }
  return middles;
}

}  // namespace

double spectral_shape(double frequency, double peak, double peak_enhancement) {
  constexpr double width_below = 0.07, width_above = 0.09;
  if (!(frequency > 0)) return 0;
  double const ratio = frequency / peak;
  double const width = ratio <= 1 ? width_below : width_above;
  double const bell = std::exp(-0.5 * (ratio - 1) * (ratio - 1) / (width * width));
  return std::pow(ratio, -5) * std::exp(-1.25 * std::pow(ratio, -4)) * std::pow(peak_enhancement, bell);
}

std::vector<WaveComponent> components_of(Spectrum const& spectrum) {
  constexpr double lowest = 0.4, highest = 5;
  double const peak = 1 / spectrum.peak_period;
  auto const frequencies =
      middles_of_equal_bands([&](double f) { return spectral_shape(f, peak, spectrum.peak_enhancement); },
                             lowest * peak, highest * peak, spectrum.periods);
  std::vector<double> directions{0};
  if (spectrum.spreading > 0) {
    directions =
        middles_of_equal_bands([&](double angle) { return std::pow(std::cos(0.5 * angle), 2 * spectrum.spreading); },
                               -0.5 * std::numbers::pi, 0.5 * std::numbers::pi, spectrum.directions);
  }
  double const count = static_cast<double>(frequencies.size() * directions.size());
  double const amplitude = spectrum.significant_height / std::sqrt(8 * count);
  std::vector<WaveComponent> components;
  for (double frequency : frequencies) {
    for (double angle : directions)
      components.push_back({1 / frequency, {{amplitude, spectrum.direction + angle, 0}}, 2 * amplitude});
  }
  return components;
}

}  // namespace karman::waves
