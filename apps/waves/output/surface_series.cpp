// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "surface_series.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace karman::waves {
namespace {

using SeriesComplex = std::complex<double>;

/// One wave of the sum: its frequency, and the factor of the amplitudes of its component.
struct SeriesWave {
  std::size_t component;
  double frequency;
  SeriesComplex factor;
};

/// Numbers from 0 to below 1 whose bits depend on the seed alone; the distributions of the library do not guarantee it.
class UnitNumbers {
 public:
  explicit UnitNumbers(std::int64_t seed) : bits_(static_cast<std::uint64_t>(seed)) {}
  double next() { return std::ldexp(static_cast<double>(bits_() >> 11), -53); }

 private:
  std::mt19937_64 bits_;
};

std::vector<SeriesWave> waves_of(WaveCase const& wave_case, SurfaceSeries const& series) {
  std::vector<SeriesWave> waves;
  UnitNumbers numbers(series.seed);
  std::size_t const count = wave_case.components.size();
  constexpr std::size_t most_waves = 40000;
  std::size_t const most_parts = std::max<std::size_t>(1, most_waves / count);
  for (std::size_t c = 0; c < count; ++c) {
    WaveComponent const& component = wave_case.components[c];
    double const from = component.share_from, to = component.share_to;
    if (!wave_case.random_phases) {
      waves.push_back({c, 1 / component.period, 1});
      continue;
    }
    bool const band = wave_case.frequency_at && to > from;
    double const width = band ? wave_case.frequency_at(to) - wave_case.frequency_at(from) : 0;
    auto const parts =
        static_cast<std::size_t>(std::clamp(std::ceil(width * series.duration), 1.0, static_cast<double>(most_parts)));
    for (std::size_t k = 0; k < parts; ++k) {
      double frequency = 1 / component.period;
      if (band) {
        double const share = (static_cast<double>(k) + numbers.next()) / static_cast<double>(parts);
        frequency = wave_case.frequency_at(from + share * (to - from));
      }
      double const phase = 2 * std::numbers::pi * numbers.next();
      waves.push_back({c, frequency, std::polar(1 / std::sqrt(static_cast<double>(parts)), phase)});
    }
  }
  return waves;
}

}  // namespace

std::vector<double> times_of(SurfaceSeries const& series) {
  // An allowance for rounding, so that 60 s in steps of 0.1 s has 601 times.
  constexpr double rounding = 1e-9;
  auto const steps = static_cast<std::size_t>(std::floor(series.duration / series.step * (1 + rounding)));
  std::vector<double> times;
  for (std::size_t n = 0; n <= steps; ++n) times.push_back(static_cast<double>(n) * series.step);
  return times;
}

std::vector<double> surface_series(WaveCase const& wave_case, SurfaceSeries const& series,
                                   std::vector<std::vector<SeriesComplex>> const& elevation) {
  std::size_t const points = elevation.empty() ? 0 : elevation.front().size(), steps = times_of(series).size();
  std::vector<double> surface(steps * points, 0);
  // The phase turns by one product per step; from time to time it is computed again, against rounding.
  constexpr std::size_t turns = 256;
  for (SeriesWave const& wave : waves_of(wave_case, series)) {
    double const angle = -2 * std::numbers::pi * wave.frequency * series.step;
    double const turn_cosine = std::cos(angle), turn_sine = std::sin(angle);
    double cosine = 0, sine = 0;
    for (std::size_t n = 0; n < steps; ++n) {
      if (n % turns == 0) {
        double const whole = std::remainder(angle * static_cast<double>(n), 2 * std::numbers::pi);
        SeriesComplex const exact = wave.factor * std::polar(1.0, whole);
        cosine = exact.real(), sine = exact.imag();
      } else {
        double const before = cosine;
        cosine = before * turn_cosine - sine * turn_sine;
        sine = before * turn_sine + sine * turn_cosine;
      }
      double* const row = surface.data() + n * points;
      for (std::size_t p = 0; p < points; ++p) {
        SeriesComplex const& eta = elevation[wave.component][p];
        row[p] += eta.real() * cosine - eta.imag() * sine;
      }
    }
  }
  return surface;
}

double height_of_series(std::vector<double> const& surface, std::size_t points, std::size_t point) {
  double sum = 0, squares = 0;
  for (std::size_t n = point; n < surface.size(); n += points) sum += surface[n], squares += surface[n] * surface[n];
  double const count = static_cast<double>(surface.size() / points), mean = sum / count;
  return 4 * std::sqrt(std::max(0.0, squares / count - mean * mean));
}

}  // namespace karman::waves
