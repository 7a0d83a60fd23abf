// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Progressive waves of small amplitude over an even bed (Airy 1845): omega^2 = g k tanh(k h).
#pragma once

#include "../host_device.hpp"

#include <cmath>
#include <numbers>

namespace karman::waves {

/// Acceleration of free fall, m/s^2.
inline constexpr double gravity = 9.81;
/// Fresh water, kg/m^3: a factor of every energy and stress.
inline constexpr double water_density = 1000;

/// Wave number and speeds of one period over one depth.
struct Dispersion {
  double wave_number = 0;     ///< k, rad/m
  double celerity = 0;        ///< C = omega / k, m/s
  double group_celerity = 0;  ///< C_g = n C, n = (1 + 2 k h / sinh(2 k h)) / 2, m/s
};

/// x tanh x = y, y >= 0: Newton's method from the rational function of Hunt (1979), whose relative error is below 8e-4.
/// After one step it is below 8e-8, after two it is rounding; the third costs little.
KARMAN_HOST_DEVICE inline double solve_x_tanh_x(double y) {
  using std::sqrt;
  using std::tanh;
  if (y > 40) return y;
  double const series = 1 + y * (0.6522 + y * (0.4622 + y * y * (0.0864 + y * 0.0675)));
  double x = sqrt(y * (y + 1 / series));
  if (x == 0) return x;
  for (int step = 0; step < 3; ++step) {
    double const t = tanh(x);
    x -= (x * t - y) / (t + x * (1 - t * t));
  }
  return x;
}

/// Waves of the angular frequency omega (1/s) over the depth h (m), both above 0. To some units of rounding.
KARMAN_HOST_DEVICE inline Dispersion dispersion(double omega, double h) {
  using std::sinh;
  double const kh = solve_x_tanh_x(omega * omega * h / gravity);
  Dispersion d;
  d.wave_number = kh / h;
  d.celerity = omega / d.wave_number;
  // Beyond 2 kh = 700 sinh would overflow; the quotient is nothing long before.
  double const n = 2 * kh > 700 ? 0.5 : 0.5 * (1 + 2 * kh / sinh(2 * kh));
  d.group_celerity = n * d.celerity;
  return d;
}

/// 2 pi / T, 1/s.
KARMAN_HOST_DEVICE inline double angular_frequency(double period) { return 2 * std::numbers::pi / period; }

}  // namespace karman::waves
