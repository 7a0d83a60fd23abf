// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Linear terms of the vorticity equation for one mode.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/solvers/vorticity_options.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// x^n for n >= 0.
KOKKOS_FORCEINLINE_FUNCTION double power(double x, int n) {
  double result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

/// d omega/dt = -(real + i imaginary) omega.
struct ModeRate {
  double real, imaginary;
};

/// The rate of a mode with k . k = square.
KOKKOS_FORCEINLINE_FUNCTION ModeRate mode_rate(VorticityTerms const& terms, double kx, double square) {
  double rate = terms.viscosity * power(square, terms.viscosity_order) + terms.friction;
  if (terms.hypoviscosity > 0) rate += terms.hypoviscosity / power(square, terms.hypoviscosity_order);
  return {rate, -terms.beta * kx / square};
}

/// exp(-rate time), in the type of the fields.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> decay(ModeRate const& rate, double time) {
  namespace math = compat::math;
  double const size = math::exp(-rate.real * time), angle = -rate.imaginary * time;
  if (angle == 0) return {static_cast<T>(size), T(0)};
  return {static_cast<T>(size * math::cos(angle)), static_cast<T>(size * math::sin(angle))};
}

}  // namespace karman::detail
