// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Incident waves: a spectrum in frequency and direction as a set of plane waves.
#pragma once

#include "waves/case/wave_problem.hpp"

#include <functional>
#include <vector>

namespace karman::waves {

/// S(f) = A f^-5 exp(-5/4 (f_p/f)^4) gamma^exp(-(f/f_p - 1)^2 / (2 sigma^2)), sigma = 0.07 below the peak and 0.09
/// above (Hasselmann and others, 1973), with A from the significant height; gamma = 1 is the spectrum of Pierson and
/// Moskowitz (1964). Directions: cos^2s((theta - theta_0) / 2) (Longuet-Higgins, 1963), cut 90 degrees from theta_0.
struct Spectrum {
  double significant_height = 1;  ///< m, 4 sqrt(m_0)
  double peak_period = 10;        ///< s
  double peak_enhancement = 3.3;  ///< gamma
  double direction = 0;           ///< rad, the mean one
  double spreading = 0;           ///< s; 0: all waves travel in the mean direction
  int periods = 8;
  int directions = 5;
};

/// The spectral density divided by A. `frequency` and `peak` in Hz.
double spectral_shape(double frequency, double peak, double peak_enhancement);

/// Waves of a spectrum.
struct SeaState {
  std::vector<WaveComponent> components;
  /// Frequency, Hz, below which the spectrum has this fraction of its energy, 0 to 1.
  std::function<double(double)> frequency_at;
};

/// Points at which the shares (n + 1/2) / count of the integral of a density lie, by the trapezoidal rule.
std::vector<double> middles_of_equal_bands(std::function<double(double)> const& density, double from, double to,
                                           int count);

/// periods x directions waves of equal energy, so that no wave carries a negligible part. Each one's frequency
/// (direction) halves the energy of a band of equal energy. Frequencies lie between 0.4 and 5 f_p. All waves have the
/// requested significant height: sum of amplitude^2 / 2 = H_s^2 / 16. The longest period comes first.
SeaState sea_state_of(Spectrum const& spectrum);
inline std::vector<WaveComponent> components_of(Spectrum const& spectrum) { return sea_state_of(spectrum).components; }

}  // namespace karman::waves
