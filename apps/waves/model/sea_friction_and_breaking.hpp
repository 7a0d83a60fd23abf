// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Friction and breaking of superposed waves: the sum of all components sets the loss of each.
#pragma once

#include "friction_and_breaking.hpp"

#include <cmath>
#include <numbers>

namespace karman::waves {

/// Waves of several components at one place, with uncorrelated phases, as sums over them. The amplitude of each one's
/// orbital velocity at the bed is u = omega |eta| / sinh kh.
struct LocalSea {
  double square = 0;          ///< sum of |eta|^2, m^2: a quarter of the mean square height
  double omega = 0;           ///< sum of omega |eta|^2, m^2/s
  double wave_number = 0;     ///< sum of k |eta|^2, m
  double group_celerity = 0;  ///< sum of C_g |eta|^2, m^3/s
  double velocity2 = 0;       ///< sum of u^2, m^2/s^2: twice the variance of the velocity
  double velocity4 = 0;       ///< sum of u^4, m^4/s^4
  double orbit2 = 0;          ///< sum of (u / omega)^2, m^2

  KARMAN_HOST_DEVICE LocalSea& operator+=(LocalSea const& other) {
    square += other.square;
    omega += other.omega;
    wave_number += other.wave_number;
    group_celerity += other.group_celerity;
    velocity2 += other.velocity2;
    velocity4 += other.velocity4;
    orbit2 += other.orbit2;
    return *this;
  }
};

/// m^2 and m^2/s^2: limit below which sums count as zero. Their squares are still normal numbers.
inline constexpr double stillness = 1e-60;

/// The sums of one component.
KARMAN_HOST_DEVICE inline LocalSea sea_of(LocalWave const& wave) {
  using std::sinh;
  double const square = wave.amplitude * wave.amplitude, kh = wave.wave_number * wave.depth;
  double const orbit = kh > deepest_felt ? 0 : wave.amplitude / sinh(kh);
  double const velocity2 = wave.omega * wave.omega * orbit * orbit;
  return {square,
          wave.omega * square,
          wave.wave_number * square,
          wave.group_celerity * square,
          velocity2,
          velocity2 * velocity2,
          orbit * orbit};
}

/// Friction of one component, `wave`, which is part of the sea; `value` is the coefficient of the law.
///
/// The stress rho c_f |u| u of the total velocity u dissipates rho c_f <|u|^3> on average. The part of component j is
/// rho c_f <|u| u u_j> = (u_j / 3) d/du_j (rho c_f <|u|^3>). With s = sum u_j^2, x_j = u_j^2 / s, p = sum x_j^2:
///   <|u|^3> = sqrt(8 / pi) (s / 2)^{3/2} G(p),
///   G = 1 - a p - b p^2, a = 2 - 19 / (6 sqrt pi),  b = 11 / (6 sqrt pi) - 1,
///   W_j = c_f omega^2 / (g sinh^2 kh) sqrt(8 / pi) sqrt(s / 2) (G + (4 / 3) G'(p) (x_j - p)).
///
/// G makes this exact in three cases:
/// - One wave: the law of friction_rate().
/// - A small wave beside a large one: 4 / pi instead of 8 / (3 pi), half more than by its own law with the velocity of
///   the large one.
/// - Very many waves: a Gaussian sea (Collins 1972 has sqrt(s / 2) there with a coefficient of its own).
/// Between these cases, the error is at most 2 % for the whole and 3.5 % for a component. All velocities are taken
/// along one line; for waves from all directions equally, the loss is 17 % less.
///
/// Roughness depends on the orbit of the single wave with the same variance, sqrt(sum (u_j / omega_j)^2) (Madsen, Poon
/// and Graber 1988).
KARMAN_HOST_DEVICE inline double sea_friction_rate(FrictionLaw law, double value, LocalSea const& sea,
                                                   LocalWave const& wave) {
  using std::sinh;
  using std::sqrt;
  if (law == FrictionLaw::none || value == 0) return 0;
  if (law == FrictionLaw::linear) return value;
  double const kh = wave.wave_number * wave.depth, s = sea.velocity2;
  if (kh > deepest_felt || !(s > stillness)) return 0;
  double const coefficient = law == FrictionLaw::rough ? 0.5 * rough_bed_factor(sqrt(sea.orbit2), value) : value;
  constexpr double root_pi = 1 / std::numbers::inv_sqrtpi, a = 2 - 19 / (6 * root_pi), b = 11 / (6 * root_pi) - 1;
  double const turn = wave.omega / sinh(kh), velocity = turn * wave.amplitude;
  double const p = sea.velocity4 / (s * s), x = velocity * velocity / s;
  double const shape = 1 - (a + b * p) * p - (4.0 / 3) * (a + 2 * b * p) * (x - p);
  return coefficient * turn * turn / gravity * (2 / root_pi) * sqrt(s) * shape;
}

/// The single wave that represents a sea for breaking. It has the sea's energy, so that its height is the root mean
/// square height, H^2 = sum H_j^2. Frequency, wave number and group celerity are means weighted with energy. The energy
/// lost by breaking is shared in proportion to energy (Eldeberky and Battjes 1996): the rate W of this wave holds for
/// all components.
KARMAN_HOST_DEVICE inline LocalWave mean_wave(LocalSea const& sea, double depth) {
  using std::sqrt;
  if (!(sea.square > stillness)) return {0, 0, 0, depth, 0};
  return {sea.omega / sea.square, sea.wave_number / sea.square, sea.group_celerity / sea.square, depth,
          sqrt(sea.square)};
}

}  // namespace karman::waves
