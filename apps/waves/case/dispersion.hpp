// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Progressive waves of small amplitude over an even bed (Airy 1845): omega^2 = g k tanh(k h).
#pragma once

#include "common/fields/host_device.hpp"

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

/// Solves x tanh x = y, y >= 0, by Newton's method from the rational function of Hunt (1979). The relative error of
/// that start is below 8e-4. It is below 8e-8 after one step, and rounding after two. The third step costs little.
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

/// Speeds for k h at the angular frequency omega over the depth h.
KARMAN_HOST_DEVICE inline Dispersion dispersion_at(double omega, double h, double kh) {
  using std::sinh;
  Dispersion d;
  d.wave_number = kh / h;
  d.celerity = omega / d.wave_number;
  // Beyond 2 kh = 700 sinh would overflow; the quotient vanishes long before.
  double const n = 2 * kh > 700 ? 0.5 : 0.5 * (1 + 2 * kh / sinh(2 * kh));
  d.group_celerity = n * d.celerity;
  return d;
}

/// Waves of the angular frequency omega (1/s) over the depth h (m), both above 0. Accurate to a few roundings.
KARMAN_HOST_DEVICE inline Dispersion dispersion(double omega, double h) {
  return dispersion_at(omega, h, solve_x_tanh_x(omega * omega * h / gravity));
}

/// omega^2 h / g of a wave lengthened by its amplitude a (Kirby and Dalrymple 1986). With x = k h, e = a / h:
///   x (1 + (x e)^2 F1 tanh^5 x) tanh(x + x e F2),
///   F1 = (cosh 4x - 2 tanh^2 x + 8) / (8 sinh^4 x),  F2 = (x / sinh x)^4.
/// In deep water it is Stokes' third order. In shallow water it is x tanh(x + x e), that is C^2 = g (h + a).
KARMAN_HOST_DEVICE inline double steep_wave_relation(double x, double e) {
  using std::cosh;
  using std::sinh;
  using std::tanh;
  double const t = tanh(x), s = sinh(x);
  double const t2 = t * t;
  // Beyond x = 80 the functions overflow and F1, F2 have reached 1 and 0.
  double const f1 = x > 80 ? 1 : (cosh(4 * x) - 2 * t2 + 8) / (8 * s * s * s * s);
  double const f2 = x > 80 ? 0 : (x / s) * (x / s) * (x / s) * (x / s);
  double const steepness = x * e;
  return x * (1 + steepness * steepness * f1 * t2 * t2 * t) * tanh(x + steepness * f2);
}

/// Waves of the amplitude a (m) with the relation above; a = 0: dispersion(). To 1e-12.
KARMAN_HOST_DEVICE inline Dispersion dispersion(double omega, double h, double a) {
  using std::fabs;
  double const y = omega * omega * h / gravity;
  double const linear = solve_x_tanh_x(y);
  if (a <= 0) return dispersion_at(omega, h, linear);
  // Amplitude lengthens the waves: the root is below that of the linear relation, where the relation increases. Secant
  // steps are kept inside a bracket.
  double const e = a / h;
  double low = 0, high = linear, x = linear;
  double f_low = -y, f_high = steep_wave_relation(high, e) - y;
  for (int step = 0; step < 60 && high - low > 1e-13 * linear; ++step) {
    x = high - f_high * (high - low) / (f_high - f_low);
    double const f = steep_wave_relation(x, e) - y;
    if (f == 0) break;
    if (f > 0) {
      high = x;
      f_high = f;
      f_low *= 0.5;
    } else {
      low = x;
      f_low = f;
      f_high *= 0.5;
    }
  }
  return dispersion_at(omega, h, x);
}

/// 2 pi / T, 1/s.
KARMAN_HOST_DEVICE inline double angular_frequency(double period) { return 2 * std::numbers::pi / period; }

}  // namespace karman::waves
