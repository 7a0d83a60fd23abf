// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fluxes between two nodes of the finite-volume scheme: limited states at the middle of an edge, and their upwind
/// flux.
#pragma once

#include "device_math.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Density, velocity in x and y, pressure of a conservative state.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void primitive(T gamma, T const (&u)[4], T (&w)[4]) {
  T const over_rho = 1 / u[0];
  w[0] = u[0];
  w[1] = u[1] * over_rho;
  w[2] = u[2] * over_rho;
  w[3] = (gamma - 1) * (u[3] - T(0.5) * (u[1] * w[1] + u[2] * w[2]));
}

/// Half the change along an edge, of the jump along it and of the jump behind the node. Equal jumps give half of
/// both, jumps of opposite signs nothing, unless their squares are below `least`. In between the harmonic mean of Van
/// Leer, with the weights 1/3 and 2/3, of third order on lines of equal steps. A smaller jump behind is the front of a
/// wave. There the share s of the mean is raised towards s + s^2 (1 - s), which has the same slope at s = 0 and none
/// at s = 1. A larger jump behind is not raised: pressures overshot by another half at shocks.
/// Source: B. van Leer, J. Comput. Phys. 14 (1974); W. K. Anderson, J. L. Thomas, B. van Leer, AIAA J. 24 (1986);
/// V. Venkatakrishnan, J. Comput. Phys. 118 (1995), for the threshold.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T limited_half(T behind, T along, T least) {
  T const product = 4 * behind * along + least, sum = behind + along;
  T const lead = along * along - behind * behind;
  // From 0 at equal sizes on: the mean is continuous, also below the threshold.
  auto const [share, front] = quotients(product, sum * sum + least, lead, along * along + behind * behind + least);
  T s = product > 0 ? share : T(0);
  if (lead > 0) s += front * (2 - front) * s * s * (1 - s);
  T const bias = s * T(1.0 / 3);
  return T(0.25) * s * ((1 - bias) * behind + (1 + bias) * along);
}

/// State at the middle of an edge as seen from one of its nodes, whose state is `w`. `behind`: jump towards the node in
/// the triangle behind it; `other`: state of the other node; `threshold`: square of the relative jump that counts as
/// smooth. Where density or pressure are not positive: the state of the node itself.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void edge_state(T gamma, T const (&w)[4], T const (&behind)[4], T const (&other)[4],
                                            T threshold, T (&state)[4]) {
  T const c2 = quotient(gamma * w[3], w[0]);
  T const size[4] = {w[0] * w[0], c2, c2, w[3] * w[3]};
  for (int c = 0; c < 4; ++c) state[c] = w[c] + limited_half(behind[c], other[c] - w[c], threshold * size[c]);
  if (!(state[0] > 0 && state[3] > 0)) {
    for (int c = 0; c < 4; ++c) state[c] = w[c];
  }
}

/// Flux of a state through a side with a unit normal that moves with the normal velocity `side`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void primitive_flux(T gamma, T const (&w)[4], T nx, T ny, T side, T (&flux)[4]) {
  T const through = w[1] * nx + w[2] * ny;
  T const mass = w[0] * (through - side);
  flux[0] = mass;
  flux[1] = mass * w[1] + w[3] * nx;
  flux[2] = mass * w[2] + w[3] * ny;
  flux[3] = mass * T(0.5) * (w[1] * w[1] + w[2] * w[2]) + w[3] * ((through - side) / (gamma - 1) + through);
}

/// Upwind flux between two states, for a unit normal from `l` to `r`, through a side that moves with the normal
/// velocity `side`: that of the HLLC solver less `smear` times its difference to that of the HLL solver, which damps
/// shear and contacts. Equal states give exactly the flux of primitive_flux(). Returns the speed of the fastest wave
/// relative to the side.
/// Source: A. Harten, P. D. Lax, B. van Leer, SIAM Rev. 25 (1983); E. F. Toro, M. Spruce, W. Speares, Shock Waves 4
/// (1994); B. Einfeldt, SIAM J. Numer. Anal. 25 (1988), wave speeds, here of the mean state.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T upwind_flux(T gamma, T const (&l)[4], T const (&r)[4], T nx, T ny, T side, T smear,
                                          T (&flux)[4]) {
  T const ul = l[1] * nx + l[2] * ny, ur = r[1] * nx + r[2] * ny;
  T const cl2 = quotient(gamma * l[3], l[0]), cr2 = quotient(gamma * r[3], r[0]);
  T const cl = root(cl2), cr = root(cr2), jump = ur - ul;
  T const mean = T(0.5) * (ul + ur), fan = root(T(0.5) * (cl2 + cr2) + T(0.125) * jump * jump);
  T const own_slow = ul - cl, own_fast = ur + cr;
  T const slow = own_slow < mean - fan ? own_slow : mean - fan, fast = own_fast > mean + fan ? own_fast : mean + fan;
  T const ml = l[0] * (slow - ul), mr = r[0] * (fast - ur);
  // As a change of the left velocity: exactly none between equal states.
  T const middle = ul + quotient(r[3] - l[3] - mr * jump, ml - mr);
  bool const from_left = middle >= side;
  T const a = slow - side < 0 ? slow - side : T(0), b = fast - side > 0 ? fast - side : T(0);
  T w[4];
  for (int c = 0; c < 4; ++c) w[c] = from_left ? l[c] : r[c];
  primitive_flux(gamma, w, nx, ny, side, flux);
  // The change across the outer wave of that side, if it runs against the flow through the side.
  T const wave = from_left ? slow : fast, clipped = from_left ? a : b, own = from_left ? ul : ur;
  T const mass = from_left ? ml : mr, change = middle - own;
  T const over = quotient(clipped, wave - middle);
  T const drho = w[0] * change * over, push = mass * change * over;
  T const square = T(0.5) * (w[1] * w[1] + w[2] * w[2]);
  T const energy = quotient(w[3], w[0] * (gamma - 1)) + square;
  flux[0] += drho;
  flux[1] += drho * w[1] + push * nx;
  flux[2] += drho * w[2] + push * ny;
  flux[3] += drho * energy + push * middle + w[3] * change * over;
  if (smear > 0) {
    T fl[4], fr[4];
    primitive_flux(gamma, l, nx, ny, side, fl);
    primitive_flux(gamma, r, nx, ny, side, fr);
    T const el = l[3] / (gamma - 1) + T(0.5) * l[0] * (l[1] * l[1] + l[2] * l[2]);
    T const er = r[3] / (gamma - 1) + T(0.5) * r[0] * (r[1] * r[1] + r[2] * r[2]);
    T const du[4] = {r[0] - l[0], r[0] * r[1] - l[0] * l[1], r[0] * r[2] - l[0] * l[2], er - el};
    T const width = 1 / (b - a);
    for (int c = 0; c < 4; ++c) {
      // As a change of the left flux.
      T const hll = fl[c] + a * width * (fl[c] - fr[c] + b * du[c]);
      flux[c] += smear * (hll - flux[c]);
    }
  }
  T const speed_l = side - slow, speed_r = fast - side;
  return speed_l > speed_r ? speed_l : speed_r;
}

/// Share of the HLL flux between two nodes. `jump_i`, `jump_j`: largest difference of the pressure to a neighbour, over
/// the lower pressure. 0 up to a half, 1 from 1 on: at strong shocks, where undamped shear waves grow to carbuncles.
/// Source: J. J. Quirk, Int. J. Numer. Methods Fluids 18 (1994).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T smeared_share(T jump_i, T jump_j) {
  constexpr T from = T(0.5), to = T(1);
  T const jump = jump_i > jump_j ? jump_i : jump_j;
  T const share = (jump - from) / (to - from);
  return share < 0 ? T(0) : share < 1 ? share : T(1);
}

}  // namespace karman::detail
