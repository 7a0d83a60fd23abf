// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Blocks of an Euler Jacobian: derivatives of fluxes and the matrices of their dissipation.
#pragma once

#include "boundary_flux.hpp"
#include "device_math.hpp"
#include <karman/solvers/euler/euler_jacobian_options.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Velocity and total enthalpy, the variables of a flux Jacobian; and the density, for means.
template <class T>
struct JacobianState {
  T rho, vx, vy, enthalpy;

  JacobianState() = default;
  KOKKOS_FORCEINLINE_FUNCTION JacobianState(T gamma, T const (&u)[4]) {
    T const inverse = 1 / u[0];
    rho = u[0];
    vx = u[1] * inverse;
    vy = u[2] * inverse;
    enthalpy = gamma * u[3] * inverse - T(0.5) * (gamma - 1) * (vx * vx + vy * vy);
  }

  /// Roe's mean state; its density is the geometric mean.
  KOKKOS_FORCEINLINE_FUNCTION static JacobianState mean(JacobianState const& a, JacobianState const& b) {
    T const ratio = root(quotient(b.rho, a.rho)), of_a = quotient(T(1), 1 + ratio), of_b = 1 - of_a;
    JacobianState m;
    m.rho = a.rho * ratio;
    m.vx = of_a * a.vx + of_b * b.vx;
    m.vy = of_a * a.vy + of_b * b.vy;
    m.enthalpy = of_a * a.enthalpy + of_b * b.enthalpy;
    return m;
  }
};

/// speed I + e x^T + f y^T. A flux Jacobian is such a matrix: with V = v . n,
///
///     A . n = V I + e q^T + f p^T,   e = (1, v, H),   f = (0, n, V),   q = (-V, n, 0),   p = dp/dU.
///
/// A function g of A . n, for a unit normal, has the same e and f:
///
///     g(V) I + e (s / c^2 p + t / c q)^T + f (t / c p + s q)^T,
///     s = (g(V + c) + g(V - c)) / 2 - g(V),   t = (g(V + c) - g(V - c)) / 2.
template <class T>
struct JacobianDyads {
  T speed, e[4], f[4], x[4], y[4];

  /// A . n, for a normal of any length.
  KOKKOS_FORCEINLINE_FUNCTION static JacobianDyads flux(T gamma, JacobianState<T> const& s, T nx, T ny) {
    return frame(gamma, s, nx, ny);
  }

  /// Dissipation for a normal of any length: by the waves, or by the fastest one alone. `fix`: share of its speed below
  /// which the entropy fix begins.
  template <bool by_waves>
  KOKKOS_FORCEINLINE_FUNCTION static JacobianDyads dissipation(T gamma, JacobianState<T> const& s, T nx, T ny, T fix) {
    T const square = nx * nx + ny * ny, over_length = square > 0 ? inverse_root(square) : T(0);
    T const length = square * over_length;
    JacobianDyads d = frame(gamma, s, nx * over_length, ny * over_length);
    T const c2 = (gamma - 1) * (s.enthalpy - T(0.5) * (s.vx * s.vx + s.vy * s.vy)), over_c = inverse_root(c2);
    T const c = c2 * over_c, through = d.speed, largest = karman::compat::math::fabs(through) + c;
    T middle = largest, by_p = 0, by_q = 0, crossed = 0;
    if constexpr (by_waves) {
      T const least = fix * largest, share = fix > 0 ? quotient(T(0.5), least) : T(0);
      middle = fixed(through, least, share);
      T const fast = fixed(through + c, least, share), slow = fixed(through - c, least, share);
      by_q = T(0.5) * (fast + slow) - middle;
      by_p = by_q * over_c * over_c;
      crossed = T(0.5) * (fast - slow) * over_c;
    }
    d.speed = length * middle;
    for (int k = 0; k < 4; ++k) {
      T const q = length * d.x[k], p = length * d.y[k];
      d.x[k] = by_p * p + crossed * q;
      d.y[k] = crossed * p + by_q * q;
    }
    return d;
  }

  /// Column c of the matrix.
  KOKKOS_FORCEINLINE_FUNCTION void column(int c, T (&result)[4]) const {
    for (int row = 0; row < 4; ++row) result[row] = e[row] * x[c] + f[row] * y[c];
    result[c] += speed;
  }

  /// result = matrix v.
  KOKKOS_FORCEINLINE_FUNCTION void times(T const (&v)[4], T (&result)[4]) const {
    T const by_x = x[0] * v[0] + x[1] * v[1] + x[2] * v[2] + x[3] * v[3];
    T const by_y = y[0] * v[0] + y[1] * v[1] + y[2] * v[2] + y[3] * v[3];
    for (int row = 0; row < 4; ++row) result[row] = speed * v[row] + e[row] * by_x + f[row] * by_y;
  }

  KOKKOS_FORCEINLINE_FUNCTION void copy_to(T (&block)[4][4]) const {
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) block[row][column] = e[row] * x[column] + f[row] * y[column];
      block[row][row] += speed;
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static JacobianDyads frame(T gamma, JacobianState<T> const& s, T nx, T ny) {
    T const less = gamma - 1, through = s.vx * nx + s.vy * ny;
    return {through,
            {1, s.vx, s.vy, s.enthalpy},
            {0, nx, ny, through},
            {-through, nx, ny, 0},
            {T(0.5) * less * (s.vx * s.vx + s.vy * s.vy), -less * s.vx, -less * s.vy, less}};
  }

  /// Absolute speed of a wave with Harten's entropy fix, (l^2 + d^2) / (2 d) where |l| is below d, without a branch.
  /// `share`: 1 / (2 d).
  KOKKOS_FORCEINLINE_FUNCTION static T fixed(T speed, T least, T share) {
    T const size = karman::compat::math::fabs(speed), below = least > size ? least - size : T(0);
    return size + below * below * share;
  }
};

/// block += d boundary_flux() / d u by central differences in double. The flux has no simple derivative.
template <class T>
KOKKOS_FUNCTION void add_flux_differences(double gamma, EulerSide<T> const& side, double const (&u)[4], double nx,
                                          double ny, T factor, T (&block)[4][4]) {
  namespace math = karman::compat::math;
  EulerSide<double> const wide{
      side.kind,
      {double(side.state[0]), double(side.state[1]), double(side.state[2]), double(side.state[3])},
      double(side.pressure),
      double(side.density),
      {double(side.direction[0]), double(side.direction[1])}};
  double const energy = u[3] > 0 ? u[3] : u[0], momentum = math::sqrt(u[0] * energy);
  // The cube root of the unit round-off: truncation and rounding then are of one size.
  constexpr double relative = 6e-6;
  double const step[4] = {relative * u[0], relative * momentum, relative * momentum, relative * energy};
  for (int column = 0; column < 4; ++column) {
    double plus[4], minus[4], above[4] = {u[0], u[1], u[2], u[3]}, below[4] = {u[0], u[1], u[2], u[3]};
    above[column] += step[column];
    below[column] -= step[column];
    boundary_flux(gamma, wide, above, nx, ny, plus);
    boundary_flux(gamma, wide, below, nx, ny, minus);
    double const over = 1 / (above[column] - below[column]);
    for (int row = 0; row < 4; ++row) block[row][column] += factor * static_cast<T>((plus[row] - minus[row]) * over);
  }
}

/// Of a wall. `ram`: see EulerSide.
template <class T>
KOKKOS_FUNCTION void add_wall_jacobian(T gamma, bool ram, T const (&u)[4], T nx, T ny, T factor, T (&block)[4][4]) {
  T const length = karman::compat::math::sqrt(nx * nx + ny * ny), unit[2] = {nx / length, ny / length};
  EulerNormalState<T> const s(gamma, u, unit[0], unit[1]);
  auto const flux = JacobianDyads<T>::flux(gamma, {gamma, u}, nx, ny);
  // Derivatives of the pressure, and of rho v |v|.
  T slope[4] = {flux.y[0], flux.y[1], flux.y[2], flux.y[3]};
  if (ram) {
    T const speed = karman::compat::math::fabs(s.through);
    slope[0] -= s.through * speed;
    for (int axis = 0; axis < 2; ++axis) slope[1 + axis] += 2 * speed * unit[axis];
    if (!(s.p + s.rho * s.through * speed > 0)) return;
  }
  for (int column = 0; column < 4; ++column) {
    block[1][column] += factor * nx * slope[column];
    block[2][column] += factor * ny * slope[column];
  }
}

/// block += factor d boundary_flux() / d u.
template <class T>
KOKKOS_FUNCTION void add_boundary_jacobian(T gamma, EulerSide<T> const& side, T const (&u)[4], T nx, T ny, T factor,
                                           T (&block)[4][4]) {
  switch (side.kind) {
    case EulerBoundaryKind::inflow: return;
    case EulerBoundaryKind::wall: return add_wall_jacobian(gamma, side.ram, u, nx, ny, factor, block);
    case EulerBoundaryKind::outflow: {
      T flux[4][4];
      JacobianDyads<T>::flux(gamma, {gamma, u}, nx, ny).copy_to(flux);
      for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) block[row][column] += factor * flux[row][column];
      }
      return;
    }
    default: {
      double const wide[4] = {double(u[0]), double(u[1]), double(u[2]), double(u[3])};
      add_flux_differences(double(gamma), side, wide, double(nx), double(ny), factor, block);
    }
  }
}

}  // namespace karman::detail
