// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Undisturbed wind as a function of height.
#pragma once

#include <array>
#include <vector>

namespace karman::wind {

/// Horizontal wind, uniform over the domain. docs/wind_profiles.md derives the formulas.
///
/// With F(x) = ln(x / z0) + psi(x / L) - psi(z0 / L), z0 the roughness and L the Obukhov length (psi = 0 without one):
/// - log: U(z) = speed F(z + z0) / F(height + z0)
/// - power: U(z) = speed (z / height)^exponent
/// - canopy: U(z) = speed S(z) / S(height), where S(z) = F(z - d) from the canopy height H on and S(z) = F(H - d)
///   exp(attenuation (z / H - 1)) below it. The displacement height d of canopy_displacement() makes speed and slope
///   continuous at H.
/// - measured: piecewise linear in ln((z + z0) / z0) between the heights, from 0 on the ground; constant above the
///   highest. The direction turns in the same way between the heights and keeps its end values outside.
struct Profile {
  enum class Kind { log, power, canopy, measured };
  Kind kind = Kind::log;
  double speed = 0;             ///< m/s at `height`
  double height = 10;           ///< m above the ground
  double roughness = 1;         ///< z0 in m, not of power
  double exponent = 0;          ///< power only
  double canopy_height = 10;    ///< H in m, canopy only
  double attenuation = 1;       ///< a, canopy only
  double obukhov_length = 0;    ///< L in m: positive stable, negative unstable, 0 neutral; log and canopy only
  std::vector<double> heights;  ///< m, increasing, measured only
  std::vector<double> speeds;   ///< m/s at `heights`
  std::vector<double> turning;  ///< degrees from `direction` at `heights`, clockwise from above; empty: none
  double direction = 270;       ///< degrees, where the wind comes from: 0 north, 90 east

  /// Speed in m/s at the height z >= 0 in metres above the ground. Cost: some dozens of logarithms.
  double speed_at(double z) const;

  /// Unit vector of the direction of travel at `direction`, (x, y). Zones around buildings are aligned with it.
  std::array<double, 2> heading() const;
  /// Unit vector of the direction of travel at the height z.
  std::array<double, 2> heading_at(double z) const;
  /// Velocity (u, v) in m/s at the height z: speed_at(z) heading_at(z).
  std::array<double, 2> velocity(double z) const;
};

/// Stability correction psi of the speed over the surface, U = (u* / kappa) (ln(z / z0) + psi(z / L) - psi(z0 / L)),
/// as a function of zeta = z / L:
/// - stable, 0 <= zeta <= 1: 4.7 zeta (Businger et al. 1971); above 1: 4.7 (1 + ln zeta), slope and value continuous
///   (Webb 1970)
/// - unstable, zeta < 0: -2 ln((1 + X) / 2) - ln((1 + X^2) / 2) + 2 atan X - pi / 2, X = (1 - 15 zeta)^(1/4) (Paulson
///   1970)
double stability_correction(double zeta);

/// Dimensionless shear phi = (kappa z / u*) dU/dz = 1 + zeta dpsi/dzeta: 1 + 4.7 zeta, 5.7 above zeta = 1, and 1 / X.
double dimensionless_shear(double zeta);

/// Least attenuation of a canopy profile for which a displacement height exists: phi(H / L) / F(H).
/// \par Requires
/// roughness < canopy_height
double least_attenuation(Profile const& profile);

/// Displacement height d in [0, H) of a canopy profile: the solution of attenuation F(H - d) = phi((H - d) / L) H / (H
/// - d), at which both the speed and its slope are continuous at H. In neutral air this is a U_H kappa / u* = H / (H -
/// d). Bisection to the last bit.
/// \par Requires
/// roughness < canopy_height, attenuation >= least_attenuation()
double canopy_displacement(Profile const& profile);

}  // namespace karman::wind
