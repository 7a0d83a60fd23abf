// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fluxes through the boundary of the domain.
#pragma once

#include "element.hpp"
#include <karman/solvers/euler/euler_boundary.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// A condition as kernels read it.
template <class T>
struct EulerSide {
  EulerBoundaryKind kind;
  T state[4];                 ///< conservative state: far_field, inflow
  T pressure;                 ///< outlet: static pressure; inlet: total pressure
  T density;                  ///< inlet: total density
  T direction[2];             ///< inlet: unit vector
  T const* states = nullptr;  ///< density, velocity, pressure at each end of an edge, component by component; or null
  std::int64_t ends = 0;      ///< number of ends
  /// Wall: gas that runs into it raises the pressure by rho v^2, gas that leaves it lowers it. Of second order in the
  /// distance of the nodes where the flow follows a smooth wall.
  bool ram = false;
};

/// The condition at one end of an edge.
template <class T>
KOKKOS_FUNCTION EulerSide<T> side_at(T gamma, EulerSide<T> const& side, int end) {
  if (side.states == nullptr) return side;
  namespace math = karman::compat::math;
  EulerSide<T> own = side;
  T const rho = side.states[end], vx = side.states[side.ends + end], vy = side.states[2 * side.ends + end];
  T const p = side.states[3 * side.ends + end];
  own.state[0] = rho;
  own.state[1] = rho * vx;
  own.state[2] = rho * vy;
  own.state[3] = p / (gamma - 1) + T(0.5) * rho * (vx * vx + vy * vy);
  own.pressure = p;
  own.density = rho;
  T const speed = math::sqrt(vx * vx + vy * vy);
  own.direction[0] = speed > 0 ? vx / speed : T(1);
  own.direction[1] = speed > 0 ? vy / speed : T(0);
  return own;
}

/// Pressure and normal velocity of a state.
template <class T>
struct EulerNormalState {
  T rho, vx, vy, p, through, sound;

  KOKKOS_FORCEINLINE_FUNCTION EulerNormalState(T gamma, T const (&u)[4], T nx, T ny) {
    namespace math = karman::compat::math;
    rho = u[0];
    vx = u[1] / rho;
    vy = u[2] / rho;
    p = (gamma - 1) * (u[3] - T(0.5) * (u[1] * vx + u[2] * vy));
    through = vx * nx + vy * ny;
    T const c2 = gamma * p / rho;
    sound = math::sqrt(c2 > 0 ? c2 : T(0));
  }
};

/// Flux between two states by the HLLC solver, for a unit normal from `left` to `right`; through a side that moves with
/// the speed `side` along it, F* - side U*.
/// Source: E. F. Toro, M. Spruce, W. Speares, Shock Waves 4 (1994), with the wave speeds of Davis (1988).
template <class T>
KOKKOS_FUNCTION void hllc_flux(T gamma, T const (&left)[4], T const (&right)[4], T nx, T ny, T (&flux)[4], T side = 0) {
  EulerNormalState<T> const l(gamma, left, nx, ny), r(gamma, right, nx, ny);
  T const slow_l = l.through - l.sound, slow_r = r.through - r.sound;
  T const fast_l = l.through + l.sound, fast_r = r.through + r.sound;
  T const slow = slow_l < slow_r ? slow_l : slow_r, fast = fast_l > fast_r ? fast_l : fast_r;
  if (slow >= side) return moving_flux(gamma, left, nx, ny, side, flux);
  if (fast <= side) return moving_flux(gamma, right, nx, ny, side, flux);
  T const ml = l.rho * (slow - l.through), mr = r.rho * (fast - r.through);
  T const middle = (r.p - l.p + ml * l.through - mr * r.through) / (ml - mr);
  bool const from_left = middle >= side;
  EulerNormalState<T> const& s = from_left ? l : r;
  T const wave = from_left ? slow : fast, mass = from_left ? ml : mr;
  T const rho = mass / (wave - middle);
  T const energy = (from_left ? left[3] : right[3]) / s.rho;
  T const star[4] = {rho, rho * (s.vx + (middle - s.through) * nx), rho * (s.vy + (middle - s.through) * ny),
                     rho * (energy + (middle - s.through) * (middle + s.p / mass))};
  if (from_left) {
    euler_flux(gamma, left, nx, ny, flux);
    for (int c = 0; c < 4; ++c) flux[c] += wave * (star[c] - left[c]) - side * star[c];
  } else {
    euler_flux(gamma, right, nx, ny, flux);
    for (int c = 0; c < 4; ++c) flux[c] += wave * (star[c] - right[c]) - side * star[c];
  }
}

/// Conservative state of a density, velocity and pressure.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void conservative(T gamma, T rho, T vx, T vy, T p, T (&u)[4]) {
  u[0] = rho;
  u[1] = rho * vx;
  u[2] = rho * vy;
  u[3] = p / (gamma - 1) + T(0.5) * rho * (vx * vx + vy * vy);
}

/// The state outside of a subsonic outlet: entropy, tangential velocity and outgoing wave of the flow, given pressure.
template <class T>
KOKKOS_FUNCTION void outlet_state(T gamma, EulerNormalState<T> const& s, T pressure, T nx, T ny, T (&u)[4]) {
  namespace math = karman::compat::math;
  T const rho = s.rho * math::pow(pressure / s.p, 1 / gamma);
  T const sound = math::sqrt(gamma * pressure / rho);
  T const change = 2 / (gamma - 1) * (s.sound - sound);
  conservative(gamma, rho, s.vx + change * nx, s.vy + change * ny, pressure, u);
}

/// The state outside of a subsonic inlet: given total conditions and direction, outgoing wave of the flow.
template <class T>
KOKKOS_FUNCTION void inlet_state(T gamma, EulerNormalState<T> const& s, EulerSide<T> const& side, T nx, T ny,
                                 T (&u)[4]) {
  namespace math = karman::compat::math;
  T const less = gamma - 1;
  T const cosine = side.direction[0] * nx + side.direction[1] * ny;  // negative: into the domain
  T const wave = s.through + 2 / less * s.sound;
  T const enthalpy = gamma / less * side.pressure / side.density;
  // speed = (wave - 2 c / less) / cosine and c^2 = less (enthalpy - speed^2 / 2): the larger root c.
  T const a = 1 + 2 / (less * cosine * cosine), b = -2 * wave / (cosine * cosine);
  T const d = less * (T(0.5) * wave * wave / (cosine * cosine) - enthalpy);
  T const root = b * b - 4 * a * d;
  T const sound = (-b + math::sqrt(root > 0 ? root : T(0))) / (2 * a);
  T const found = (wave - 2 / less * sound) / cosine;
  T const speed = found > 0 ? found : T(0);
  // Isentropic from the total conditions.
  T const c2 = less * (enthalpy - T(0.5) * speed * speed), total_c2 = less * enthalpy;
  T const ratio = math::pow(c2 / total_c2, 1 / less);
  conservative(gamma, side.density * ratio, speed * side.direction[0], speed * side.direction[1],
               side.pressure * ratio * c2 / total_c2, u);
}

/// flux = flux of the condition through a side with this outward normal, times its length. `sweep`: area that a moving
/// side sweeps in a unit of time, positive outward.
template <class T>
KOKKOS_FUNCTION void boundary_flux(T gamma, EulerSide<T> const& side, T const (&u)[4], T length_x, T length_y,
                                   T (&flux)[4], T sweep = 0) {
  namespace math = karman::compat::math;
  T const length = math::sqrt(length_x * length_x + length_y * length_y);
  T const nx = length_x / length, ny = length_y / length;
  T const speed = sweep / length;
  EulerNormalState<T> const inside(gamma, u, nx, ny);
  T outside[4] = {u[0], u[1], u[2], u[3]};
  switch (side.kind) {
    case EulerBoundaryKind::wall:
      flux[0] = 0;
      flux[3] = inside.p * sweep;
      flux[1] = inside.p * length_x;
      flux[2] = inside.p * length_y;
      if (side.ram) {
        T const met = inside.p + inside.rho * inside.through * math::fabs(inside.through), least = met > 0 ? met : T(0);
        flux[1] = least * length_x;
        flux[2] = least * length_y;
      }
      return;
    case EulerBoundaryKind::far_field: hllc_flux(gamma, u, side.state, nx, ny, flux, speed); break;
    case EulerBoundaryKind::inflow: moving_flux(gamma, side.state, nx, ny, speed, flux); break;
    case EulerBoundaryKind::outflow: moving_flux(gamma, u, nx, ny, speed, flux); break;
    case EulerBoundaryKind::outlet:
      if (inside.through - speed < inside.sound) outlet_state(gamma, inside, side.pressure, nx, ny, outside);
      moving_flux(gamma, outside, nx, ny, speed, flux);
      break;
    case EulerBoundaryKind::inlet:
      inlet_state(gamma, inside, side, nx, ny, outside);
      moving_flux(gamma, outside, nx, ny, speed, flux);
      break;
  }
  for (int c = 0; c < 4; ++c) flux[c] *= length;
}

}  // namespace karman::detail
