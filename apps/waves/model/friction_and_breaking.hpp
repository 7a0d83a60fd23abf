// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rates W (1/s) at which friction and breaking take energy: div(energy flux) = -W E, E = rho g |eta|^2 / 2.
#pragma once

#include "common/fields/host_device.hpp"
#include "waves/case/dispersion.hpp"
#include "waves/case/wave_problem.hpp"

#include <cmath>
#include <numbers>

namespace karman::waves {

/// A wave at one place.
struct LocalWave {
  double omega = 0;           ///< 1/s
  double wave_number = 0;     ///< 1/m
  double group_celerity = 0;  ///< m/s
  double depth = 0;           ///< m
  double amplitude = 0;       ///< |eta|, m; the height is twice that
};

/// kh beyond which the bed has no effect: 1 / sinh^2 is 1e-173.
inline constexpr double deepest_felt = 200;

/// Jonsson's friction factor f_w over a rough bed: min(0.3, exp(-6 + 5.2 (A / k_s)^-0.19)), with the orbital amplitude
/// A at the bed and the roughness k_s, m (Swart 1974).
KARMAN_HOST_DEVICE inline double rough_bed_factor(double orbital_amplitude, double roughness) {
  using std::exp;
  using std::pow;
  double const ratio = orbital_amplitude / roughness;
  if (ratio < 0.3) return 0.3;  // the formula is above 0.3 up to 1.57
  double const factor = exp(-6 + 5.2 * pow(ratio, -0.19));
  return factor < 0.3 ? factor : 0.3;
}

/// Laws of a Dissipation without nodal values, for kernels.
struct DissipationLaw {
  FrictionLaw friction = FrictionLaw::none;
  BreakingLaw breaking = BreakingLaw::none;
  double breaking_index = 0, breaking_strength = 0, dally_decay = 0, dally_stable = 0;

  DissipationLaw() = default;
  explicit DissipationLaw(Dissipation const& d)
      : friction(d.friction),
        breaking(d.breaking),
        breaking_index(d.breaking_index),
        breaking_strength(d.breaking_strength),
        dally_decay(d.dally_decay),
        dally_stable(d.dally_stable) {}
};

/// Friction. `value` is the coefficient of the law: W, c_f or k_s. Quadratic law: the bed stress rho c_f |u| u acts on
/// the orbital velocity u = omega |eta| / sinh kh at the bed. It dissipates rho c_f 4 u^3 / (3 pi) on average over a
/// period, so that W = 8 c_f omega^3 |eta| / (3 pi g sinh^3 kh).
KARMAN_HOST_DEVICE inline double friction_rate(FrictionLaw law, double value, LocalWave const& wave) {
  using std::sinh;
  if (law == FrictionLaw::none || value == 0) return 0;
  if (law == FrictionLaw::linear) return value;
  double const kh = wave.wave_number * wave.depth;
  if (kh > deepest_felt) return 0;
  double const sh = sinh(kh);
  double const coefficient = law == FrictionLaw::rough ? 0.5 * rough_bed_factor(wave.amplitude / sh, value) : value;
  double const velocity = wave.omega / sh;
  return 8 * coefficient * velocity * velocity * velocity * wave.amplitude / (3 * std::numbers::pi * gravity);
}

/// The fraction Q_b of breaking waves, (1 - Q_b) / (-ln Q_b) = (H_rms / H_m)^2 = b2 (Battjes and Janssen 1978): 0 for
/// small waves, 1 from b2 = 1 on. To 1e-8.
KARMAN_HOST_DEVICE inline double breaking_share(double b2) {
  using std::exp;
  if (b2 >= 1) return 1;
  if (b2 < 0.02) return 0;  // below e^{-50}
  // u = ln Q_b is the negative zero of 1 - e^u + b2 u, which is concave: Newton's method approaches it from the left.
  // Near b2 = 1 the series gives a start a little to the left.
  double u = b2 < 0.7 ? -1 / b2 : 2.5 * (b2 - 1);
  for (int step = 0; step < 12; ++step) {
    double const e = exp(u);
    u -= (1 - e + b2 * u) / (b2 - e);
  }
  return exp(u);
}

/// The largest height of a wave: (0.88 / k) tanh(gamma_s k h / 0.88) (Miche 1944, Battjes and Janssen 1978).
KARMAN_HOST_DEVICE inline double largest_height(double wave_number, double depth, double index) {
  using std::tanh;
  return 0.88 / wave_number * tanh(index * wave_number * depth / 0.88);
}

/// Breaking: its rate, and the fraction of breaking waves.
struct Breaking {
  double rate = 0;   ///< 1/s
  double share = 0;  ///< Q_b
};

/// Battjes and Janssen: the dissipation alpha rho g f Q_b H_m^2 / 4 of a bore. With H = 2 |eta| as the root mean square
/// height and E = rho g H^2 / 8: W = alpha omega Q_b (H_m / H)^2 / pi.
/// Dally, Dean and Dalrymple (1985): the flux decays towards that of the stable height Gamma h over the length h / K.
/// Where the wave is higher: W = (K C_g / h) (1 - (Gamma h / H)^2).
KARMAN_HOST_DEVICE inline Breaking breaking_rate(DissipationLaw const& law, LocalWave const& wave) {
  double const height = 2 * wave.amplitude;
  if (law.breaking == BreakingLaw::none || height <= 0) return {};
  if (law.breaking == BreakingLaw::dally) {
    double const stable = law.dally_stable * wave.depth;
    if (height <= stable) return {};
    double const ratio = stable / height;
    return {law.dally_decay * wave.group_celerity / wave.depth * (1 - ratio * ratio), 1};
  }
  double const largest = largest_height(wave.wave_number, wave.depth, law.breaking_index);
  double const b2 = (height / largest) * (height / largest);
  double const share = breaking_share(b2);
  return {law.breaking_strength * wave.omega * share / (b2 * std::numbers::pi), share};
}

}  // namespace karman::waves
