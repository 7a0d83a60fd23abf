// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Integrals of the Euler equations over one linear triangle. Scalar code without branches, so that a host can compute
/// one triangle per vector lane.
#pragma once

#include "device_math.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Numbers that the integrals of all triangles share.
template <class T>
struct EulerNumbers {
  T gamma;
  T shock;        ///< factor of the shock-capturing viscosity
  T double_rate;  ///< 2 / (time step); 0 without a limit by the time step
};

/// Corners of a triangle relative to its first one, and the nodal values; component first.
template <class T>
struct EulerTriangle {
  T x1, y1, x2, y2;
  T u[4][3];    ///< density, momentum in x and y, total energy, per volume
  T volume[3];  ///< 1 / density
  T g[4];       ///< sum of the projected residual over the corners; read where the scheme is stabilised
  T w[2][3];    ///< velocity of the nodes; read where they move
};

/// Flux through a side with this normal, times its length.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void euler_flux(T gamma, T const (&u)[4], T nx, T ny, T (&flux)[4]) {
  T const vx = u[1] / u[0], vy = u[2] / u[0];
  T const p = (gamma - 1) * (u[3] - T(0.5) * (u[1] * vx + u[2] * vy));
  T const through = vx * nx + vy * ny;
  flux[0] = u[0] * through;
  flux[1] = u[1] * through + p * nx;
  flux[2] = u[2] * through + p * ny;
  flux[3] = (u[3] + p) * through;
}

/// Flux through a side that moves with the normal velocity `side`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void moving_flux(T gamma, T const (&u)[4], T nx, T ny, T side, T (&flux)[4]) {
  euler_flux(gamma, u, nx, ny, flux);
  for (int c = 0; c < 4; ++c) flux[c] -= side * u[c];
}

/// Gradients of the shape functions of the corners 1 and 2 times twice the area; that of corner 0 is minus their sum.
template <class T>
struct EulerShape {
  T bx1, by1, bx2, by2;
  T over_twice;   ///< 1 / twice the area
  T over_height;  ///< 1 / least height
};

/// Scales of the stabilisation.
template <class T>
struct EulerStabilization {
  T tau;    ///< of the SUPG term, a time
  T slope;  ///< |grad rho|
  T h;      ///< length of the triangle along grad rho; 0 where the density is constant
};

/// `rx`, `ry`: velocity relative to the triangle.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION EulerStabilization<T> euler_stabilization(T double_rate, EulerShape<T> const& s, T rho,
                                                                      T sound, T rx, T ry, T rho_x, T rho_y) {
  namespace math = karman::compat::math;
  // Sums over the shape functions of |v . grad N| and |grad rho . grad N|.
  T const v1 = (rx * s.bx1 + ry * s.by1) * s.over_twice, v2 = (rx * s.bx2 + ry * s.by2) * s.over_twice, v0 = -v1 - v2;
  T const q1 = (rho_x * s.bx1 + rho_y * s.by1) * s.over_twice, q2 = (rho_x * s.bx2 + rho_y * s.by2) * s.over_twice,
          q0 = -q1 - q2;
  T const flow = math::fabs(v0) + math::fabs(v1) + math::fabs(v2);
  T const slopes = math::fabs(q0) + math::fabs(q1) + math::fabs(q2);
  T const g2 = rho_x * rho_x + rho_y * rho_y;
  T const g = root(g2);
  // 1 / h = slopes / (2 g) along the gradient of the density; none where the density is constant. One division for
  // both. Without a time step `across` tends to its upper bound where the density hardly varies: the direction of a
  // gradient that is round-off changes with every step, and Newton's method would stall.
  T const faint = double_rate > 0 ? T(0) : T(1e-4) * rho * s.over_height;
  T const over_climb = quotient_or_zero(T(1), slopes * (g + faint));
  T const across = (slopes + 2 * s.over_height * faint) * (slopes * over_climb);
  T const h = 2 * g * ((g + faint) * over_climb);
  T const rate1 = flow + sound * across;
  // Without a time step: at least a tenth of the rate of sound over the least height. Slow gas of constant density
  // has no other scale, and tau would amplify its residual without bound. The least height also limits the steps:
  // with another one they would be too long for tau in long triangles.
  T const least = double_rate > 0 ? T(0) : T(0.1) * sound * s.over_height, least2 = least * least;
  T const found2 = rate1 * rate1;
  T const tau = inverse_root((found2 > least2 ? found2 : least2) + double_rate * double_rate + T(1e-30));
  return {tau, g, h};
}

/// sum[c][m] += the integral of test function m of equation c, with the sign of du/dt. Returns the rate that limits an
/// explicit step: 1 / (time in which the fastest wave crosses the lowest height), and that of the viscosity; -1 where
/// density or pressure are not positive.
///
/// Galerkin part: fluxes that are linear in the triangle, so that fluxes of neighbours cancel exactly and equal states
/// give exactly zero. `with_stabilization` adds the SUPG term with the projection, and the shock-capturing viscosity.
/// `moving`: the fluxes F(U) - w U through sides that move with the nodes. Rates and Jacobians belong to the gas
/// relative to the triangle. The sums then are d(M U)/dt.
template <bool with_stabilization, bool moving = false, class T>
KOKKOS_FORCEINLINE_FUNCTION T euler_triangle(EulerNumbers<T> const& numbers, EulerTriangle<T> const& t,
                                             T (&sum)[4][3]) {
  namespace math = karman::compat::math;
  T const gamma = numbers.gamma, less = gamma - 1;
  T const twice = t.x1 * t.y2 - t.x2 * t.y1;  // twice the area

  // The divergence of the fluxes times twice the area.
  T fx[4][3], fy[4][3], pressure[3];
  for (int m = 0; m < 3; ++m) {
    T const vx = t.u[1][m] * t.volume[m], vy = t.u[2][m] * t.volume[m];
    T const p = less * (t.u[3][m] - T(0.5) * (t.u[1][m] * vx + t.u[2][m] * vy));
    pressure[m] = p;
    fx[0][m] = t.u[1][m];
    fx[1][m] = t.u[1][m] * vx + p;
    fx[2][m] = t.u[2][m] * vx;
    fx[3][m] = (t.u[3][m] + p) * vx;
    fy[0][m] = t.u[2][m];
    fy[1][m] = t.u[1][m] * vy;
    fy[2][m] = t.u[2][m] * vy + p;
    fy[3][m] = (t.u[3][m] + p) * vy;
    if constexpr (moving) {
      // F - w U, of the velocity relative to the node except for the work of the pressure.
      T const rx = vx - t.w[0][m], ry = vy - t.w[1][m];
      for (int c = 0; c < 4; ++c) {
        fx[c][m] = t.u[c][m] * rx;
        fy[c][m] = t.u[c][m] * ry;
      }
      fx[1][m] += p;
      fy[2][m] += p;
      fx[3][m] += p * vx;
      fy[3][m] += p * vy;
    }
  }
  T divergence[4];
  for (int c = 0; c < 4; ++c) {
    divergence[c] = t.y2 * (fx[c][1] - fx[c][0]) - t.y1 * (fx[c][2] - fx[c][0]) - t.x2 * (fy[c][1] - fy[c][0]) +
                    t.x1 * (fy[c][2] - fy[c][0]);
    T const share = divergence[c] * T(-1.0 / 6);
    for (int m = 0; m < 3; ++m) sum[c][m] = share;
  }

  // Mean state.
  T constexpr third = T(1.0 / 3);
  T const rho = third * (t.u[0][0] + t.u[0][1] + t.u[0][2]);
  // One division for both.
  T const both = quotient(T(1), rho * twice);
  T const inverse = both * twice, over_twice = both * rho;
  T const vx = third * (t.u[1][0] + t.u[1][1] + t.u[1][2]) * inverse;
  T const vy = third * (t.u[2][0] + t.u[2][1] + t.u[2][2]) * inverse;
  T const energy = third * (t.u[3][0] + t.u[3][1] + t.u[3][2]) * inverse;
  T const square = vx * vx + vy * vy;
  T const thermal = less * (energy - T(0.5) * square);  // p / rho
  T const c2 = gamma * thermal;
  T const sound = root(c2 > 0 ? c2 : T(0));
  // The velocity relative to the triangle.
  T own_x = 0, own_y = 0;
  if constexpr (moving) {
    own_x = third * (t.w[0][0] + t.w[0][1] + t.w[0][2]);
    own_y = third * (t.w[1][0] + t.w[1][1] + t.w[1][2]);
  }
  T const rx = moving ? vx - own_x : vx, ry = moving ? vy - own_y : vy;
  T const speed = root(moving ? rx * rx + ry * ry : square) + sound;

  T const ex = t.x2 - t.x1, ey = t.y2 - t.y1;
  T const l0 = ex * ex + ey * ey, l1 = t.x1 * t.x1 + t.y1 * t.y1, l2 = t.x2 * t.x2 + t.y2 * t.y2;
  T const l01 = l0 > l1 ? l0 : l1;
  T const longest = root(l01 > l2 ? l01 : l2);
  T const over_height = longest * over_twice;
  T rate = speed * over_height;

  if constexpr (with_stabilization) {
    // Gradients of the shape functions times twice the area; that of corner 0 is minus their sum.
    T const bx1 = t.y2, by1 = -t.x2, bx2 = -t.y1, by2 = t.x1;
    T ux[4], uy[4];
    for (int c = 0; c < 4; ++c) {
      T const d1 = t.u[c][1] - t.u[c][0], d2 = t.u[c][2] - t.u[c][0];
      ux[c] = (bx1 * d1 + bx2 * d2) * over_twice;
      uy[c] = (by1 * d1 + by2 * d2) * over_twice;
    }
    auto const [tau, g, h] =
        euler_stabilization(numbers.double_rate, EulerShape<T>{bx1, by1, bx2, by2, over_twice, over_height}, rho, sound,
                            rx, ry, ux[0], uy[0]);
    T const jump = g * h * inverse;
    // The same along grad p, for the waves across it. The jump over the mean is at most 3 where pressures are positive.
    T const dp1 = pressure[1] - pressure[0], dp2 = pressure[2] - pressure[0];
    T const px = (bx1 * dp1 + bx2 * dp2) * over_twice, py = (by1 * dp1 + by2 * dp2) * over_twice;
    T const r1 = (px * bx1 + py * by1) * over_twice, r2 = (px * bx2 + py * by2) * over_twice, r0 = -r1 - r2;
    T const falls = math::fabs(r0) + math::fabs(r1) + math::fabs(r2);
    T const p2 = px * px + py * py, mean = math::fabs(third * (pressure[0] + pressure[1] + pressure[2]));
    T const twice_over = quotient_or_zero(T(2), falls * mean);
    T const width = mean * twice_over;  // h / |grad p|
    T const found = p2 * twice_over;
    T const step = found < 3 ? found : T(3);
    T const across_p = width * (sound * root(p2) + math::fabs(rx * px + ry * py)) * T(0.5) * step * step;
    T const across_rho = sound * h * (jump + jump * jump);
    T const viscosity = numbers.shock * T(0.25) * (across_p > across_rho ? across_p : across_rho);
    rate += 4 * viscosity * over_height * over_height;

    // D = residual - projection; then the Jacobians times D.
    T d[4];
    for (int c = 0; c < 4; ++c) d[c] = divergence[c] * over_twice + third * t.g[c];
    if constexpr (moving) {
      // div F - w . grad U = div(F - w U) + U div w
      T const spread = third * over_twice *
                       (t.y2 * (t.w[0][1] - t.w[0][0]) - t.y1 * (t.w[0][2] - t.w[0][0]) -
                        t.x2 * (t.w[1][1] - t.w[1][0]) + t.x1 * (t.w[1][2] - t.w[1][0]));
      for (int c = 0; c < 4; ++c) d[c] += spread * (t.u[c][0] + t.u[c][1] + t.u[c][2]);
    }
    T const enthalpy = energy + thermal;
    T const dp = less * (T(0.5) * square * d[0] - vx * d[1] - vy * d[2] + d[3]);
    T const wx = d[1] - vx * d[0], wy = d[2] - vy * d[0], wh = d[3] - enthalpy * d[0] + dp;
    T ax[4] = {d[1], vx * d[1] + vx * wx + dp, vy * d[1] + vx * wy, enthalpy * d[1] + vx * wh};
    T ay[4] = {d[2], vx * d[2] + vy * wx, vy * d[2] + vy * wy + dp, enthalpy * d[2] + vy * wh};
    if constexpr (moving) {
      // A - w: along the relative velocity, and by the change of the velocity.
      T const own[4] = {1, vx, vy, enthalpy};
      for (int c = 0; c < 4; ++c) {
        ax[c] = rx * d[c] + own[c] * wx;
        ay[c] = ry * d[c] + own[c] * wy;
      }
      ax[1] += dp;
      ay[2] += dp;
      ax[3] += vx * dp;
      ay[3] += vy * dp;
    }
    for (int c = 0; c < 4; ++c) {
      T const sx = T(0.5) * (tau * ax[c] + viscosity * ux[c]), sy = T(0.5) * (tau * ay[c] + viscosity * uy[c]);
      T const s1 = bx1 * sx + by1 * sy, s2 = bx2 * sx + by2 * sy;
      sum[c][1] -= s1;
      sum[c][2] -= s2;
      sum[c][0] += s1 + s2;
    }
  }
  return rho > 0 && thermal > 0 ? rate : T(-1);
}

}  // namespace karman::detail
