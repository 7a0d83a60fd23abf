// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Terms of a sloping bed in the mild-slope equation.
#pragma once

#include "common/fields/host_device.hpp"

#include <cmath>

namespace karman::waves {

/// Integrals over the depth of the vertical function w = cosh k(z + h) / cosh kh, and of w_h = dw/dh. The derivative is
/// taken at a fixed frequency, where k changes with h.
///
/// The modified mild-slope equation (Chamberlain and Porter 1995) is
///   div(u0 grad eta) + (k^2 u0 + u1 lap h + u2 |grad h|^2) eta = 0,
///   u0 = int w^2 dz = C C_g / g,  u1 = int w w_h dz,  u2 = int w w_hh dz + w w_h at the bed.
/// d/dh of u1 gives u2 = u1' - int w_h^2 dz, so that its weak form needs first derivatives of the depth only:
///   int u0 grad psi . grad eta - k^2 u0 psi eta + u1 grad h . grad(psi eta) + slope |grad h|^2 psi eta
///     = boundary of psi (u0 d eta/dn + u1 dh/dn eta),  slope = int w_h^2 dz.
/// The bracket on the right is the flux through a vertical section. It is zero at a wall, also over a sloping bed
/// (Porter and Staziker 1995). Bends of the bed need no term of their own.
struct SlopeTerms {
  double flux = 0;   ///< u1, 1
  double slope = 0;  ///< int w_h^2 dz, 1/m
};

/// Of the wave number k (1/m) over the depth h (m). Relative accuracy 1e-8 or better.
KARMAN_HOST_DEVICE inline SlopeTerms slope_terms(double k, double h) {
  using std::cosh;
  using std::sinh;
  using std::tanh;
  double const q = k * h;
  if (q > 30) return {};  // both decrease as q e^{-2q}
  double const two_q = 2 * q;
  double const sh = sinh(two_q), ch = cosh(two_q);
  double const s = two_q + sh;
  double const sech2 = 1 / (cosh(q) * cosh(q));
  double const b = tanh(q) * sh / s;
  SlopeTerms terms;
  if (q > 0.5) {
    double const i0 = (sh - two_q) / 4;
    double const i1 = (2 * two_q * sh - 2 * (ch - 1) - two_q * two_q) / 16;
    double const i2 = two_q * two_q * sh / 16 - two_q * ch / 8 + sh / 8 - two_q * two_q * two_q / 48;
    double const j0 = (ch - 1) / 4, j1 = (two_q * ch - sh) / 8;
    terms.flux = sech2 * (sh - two_q * ch) / (4 * s);
    terms.slope = k * sech2 * (i0 - 4 * i1 / s + 4 * i2 / (s * s) - 2 * b * (j0 - 2 * j1 / s) + b * b * s / 4);
    return terms;
  }
  // The closed forms lose their digits in shallow water, where five Gauss points are accurate.
  double const point[3] = {0, 0.53846931010568309, 0.90617984593866399};
  double const weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  double flux = 0, slope = 0;
  for (int n = 0; n < 5; ++n) {
    int const m = (n + 1) / 2;
    double const t = 0.5 * q * (1 + (n % 2 == 0 ? point[m] : -point[m]));
    double const change = (1 - 2 * t / s) * sinh(t) - b * cosh(t);
    flux += weight[m] * cosh(t) * change;
    slope += weight[m] * change * change;
  }
  terms.flux = 0.5 * q * sech2 * flux;
  terms.slope = 0.5 * q * k * sech2 * slope;
  return terms;
}

}  // namespace karman::waves
