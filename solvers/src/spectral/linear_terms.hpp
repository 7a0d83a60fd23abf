// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Linear terms of the vorticity equation for one mode.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/solvers/spectral/vorticity_options.hpp>

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
  // Without beta no division: in single precision those in double would cost as much as the pass over the modes.
  return {rate, terms.beta != 0 ? -terms.beta * kx / square : 0.0};
}

/// exp(-rate time), in the type of the fields. The exponent is rounded to that type first: a relative change of the
/// rates by its precision.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> decay(ModeRate const& rate, double time) {
  namespace math = compat::math;
  T const size = math::exp(static_cast<T>(-rate.real * time)), angle = static_cast<T>(-rate.imaginary * time);
  if (angle == 0) return {size, T(0)};
  return {size * math::cos(angle), size * math::sin(angle)};
}

}  // namespace karman::detail
