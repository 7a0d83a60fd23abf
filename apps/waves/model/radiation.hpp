// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Boundary conditions that let waves leave.
#pragma once

#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

namespace karman::waves {

using Complex = Kokkos::complex<double>;

/// A stretch of boundary for kernels: d eta/dn = i share (first eta + second d2 eta/ds2) + the terms of incident waves,
/// with `first` and `second` of outflow().
struct BoundaryTerms {
  Complex share{0, 0};   ///< gamma = (1 - R e^{i beta}) / (1 + R e^{i beta}): 1 open, 0 a wall
  double cos_angle = 0;  ///< cosine of a known angle; 0: unknown
  double curvature = 0;  ///< 1 / radius of an arc around the origin of the waves, 1/m
  bool incident = false;
};

/// Coefficients of the condition above.
struct Outflow {
  Complex first;   ///< 1/m
  Complex second;  ///< m
};

/// The complex wave number p with p^2 = k^2 + i W omega / (C C_g), in the first quadrant; `loss` = W omega / (C C_g
/// k^2).
KOKKOS_INLINE_FUNCTION Complex damped_wave_number(double k, double loss) {
  // sqrt(1 + i loss) without cancellation for small losses.
  double const modulus = compat::math::sqrt(1 + loss * loss);
  double const real = compat::math::sqrt(0.5 * (modulus + 1));
  return Complex(k * real, k * 0.5 * loss / real);
}

/// Known angle: waves at that angle from the normal, first = p cos(angle), second = 0. Unknown angle, straight
/// boundary: p + (1 / 2p) d2/ds2, which is p cos(angle) up to the fourth power of the sine. Unknown angle, an arc of
/// radius r: the second condition of Bayliss, Gunzburger and Turkel (1982), d eta/dr = [(2 p^2 + 3 i p / r - 3 / (4
/// r^2)) eta + d2 eta/ds2] / (2 (1/r - i p)). It is exact for the two leading terms of every outgoing cylindrical wave.
KOKKOS_INLINE_FUNCTION Outflow outflow(BoundaryTerms const& boundary, Complex const& p) {
  if (boundary.cos_angle > 0) return {p * boundary.cos_angle, Complex(0, 0)};
  double const c = boundary.curvature;
  if (c == 0) return {p, 0.5 / p};
  // Divided by i, so that the terms belong to i (first eta + second eta_ss).
  Complex const i(0, 1);
  Complex const below = 2 * i * (c - i * p);
  return {(2.0 * p * p + 3.0 * i * p * c - 0.75 * c * c) / below, 1.0 / below};
}

}  // namespace karman::waves
