// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sea_state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace karman::waves {
namespace {

/// Integral of a density between two points, by the trapezoidal rule.
class DensityIntegral {
 public:
  DensityIntegral(std::function<double(double)> const& density, double from, double to)
      : from_(from), step_((to - from) / intervals), integral_(intervals + 1, 0) {
    double before = density(from);
    for (int n = 1; n <= intervals; ++n) {
      double const here = density(from + n * step_);
      integral_[static_cast<std::size_t>(n)] =
          integral_[static_cast<std::size_t>(n - 1)] + 0.5 * step_ * (before + here);
      before = here;
    }
  }

  /// The point below which this share of the integral lies.
  double at(double part_of_all) const {
    double const share = integral_.back() * part_of_all;
    auto const above = std::upper_bound(integral_.begin() + 1, integral_.end() - 1, share);
    double const low = *(above - 1), high = *above;
    double const part = high > low ? std::clamp((share - low) / (high - low), 0.0, 1.0) : 0.5;
    return from_ + step_ * (static_cast<double>(above - integral_.begin()) - 1 + part);
  }

 private:
  static constexpr int intervals = 4000;
  double from_, step_;
  std::vector<double> integral_;
};

}  // namespace

double spectral_shape(double frequency, double peak, double peak_enhancement) {
  constexpr double width_below = 0.07, width_above = 0.09;
  if (!(frequency > 0)) return 0;
  double const ratio = frequency / peak;
  double const width = ratio <= 1 ? width_below : width_above;
  double const bell = std::exp(-0.5 * (ratio - 1) * (ratio - 1) / (width * width));
  return std::pow(ratio, -5) * std::exp(-1.25 * std::pow(ratio, -4)) * std::pow(peak_enhancement, bell);
}

std::vector<double> middles_of_equal_bands(std::function<double(double)> const& density, double from, double to,
                                           int count) {
  DensityIntegral const integral(density, from, to);
  std::vector<double> middles;
  for (int band = 0; band < count; ++band) middles.push_back(integral.at((band + 0.5) / count));
  return middles;
}

SeaState sea_state_of(Spectrum const& spectrum) {
  constexpr double lowest = 0.4, highest = 5;
  double const peak = 1 / spectrum.peak_period;
  DensityIntegral const energy([&](double f) { return spectral_shape(f, peak, spectrum.peak_enhancement); },
                               lowest * peak, highest * peak);
  std::vector<double> directions{0};
  if (spectrum.spreading > 0) {
    directions =
        middles_of_equal_bands([&](double angle) { return std::pow(std::cos(0.5 * angle), 2 * spectrum.spreading); },
                               -0.5 * std::numbers::pi, 0.5 * std::numbers::pi, spectrum.directions);
  }
  double const periods = spectrum.periods, count = periods * static_cast<double>(directions.size());
  double const amplitude = spectrum.significant_height / std::sqrt(8 * count);
  SeaState sea{{}, [energy](double share) { return energy.at(share); }};
  for (int band = 0; band < spectrum.periods; ++band) {
    double const frequency = energy.at((band + 0.5) / periods);
    for (double angle : directions) {
      sea.components.push_back({1 / frequency,
                                {{amplitude, spectrum.direction + angle, 0}},
                                2 * amplitude,
                                0,
                                band / periods,
                                (band + 1) / periods});
    }
  }
  return sea;
}

}  // namespace karman::waves
