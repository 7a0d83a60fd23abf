// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Stages of the methods of a VorticitySolver, for one mode: from the transform of (u + i v)^2 to the next vorticity
/// and the u + i v of it.
#pragma once

#include "linear_terms.hpp"
#include "modes.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numbers>

namespace karman::detail {

/// Input of all stages.
template <class T>
struct StageInput {
  T scale;                            ///< of the transform: 1 / (number of points)
  VorticityTerms terms;               ///< linear terms
  Kokkos::complex<T> const* forcing;  ///< half plane; null: none
  double const* dt;                   ///< in device memory

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> explicit_terms(Mode const& mode, WholePlane<T> const& plane) const {
    auto term = plane.nonlinear_term(mode, scale);
    if (forcing != nullptr) term += forcing[mode.half_place];
    return term;
  }
};

/// h <- N + keep h, then the step of W: with the integrating factor W <- e (W + add dt h), h <- e h, e the decay over
/// the part of dt to the next stage; by Crank-Nicolson W <- ((1 - m) W + add dt h) / (1 + m), m half of that rate.
template <class T, bool implicit>
struct LowStorageMode {
  StageInput<T> input;
  Kokkos::complex<T>*w, *h;  ///< half planes
  SpectralGrid grid;
  double keep, add;
  double part;       ///< of dt, to the next stage
  bool first, last;  ///< stages

  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    using Complex = Kokkos::complex<T>;
    double const dt = *input.dt;
    std::int64_t const n = mode.half_place;
    Complex change = input.explicit_terms(mode, plane);
    if (!first) change += static_cast<T>(keep) * h[n];
    ModeRate const rate = mode_rate(input.terms, mode.kx, mode.square);
    Complex next = w[n];
    if constexpr (implicit) {
      double const re = rate.real * part * dt / 2, im = rate.imaginary * part * dt / 2;
      Complex const before(static_cast<T>(1 - re), static_cast<T>(-im));
      double const size = (1 + re) * (1 + re) + im * im;
      Complex const over_after(static_cast<T>((1 + re) / size), static_cast<T>(-im / size));
      next = (before * next + static_cast<T>(add * dt) * change) * over_after;
    } else {
      Complex const e = decay<T>(rate, part * dt);
      next = e * (next + static_cast<T>(add * dt) * change);
      change = e * change;
    }
    if (!last) h[n] = change;
    else if (grid.fades) next = static_cast<T>(grid.fading(mode.j, mode.i)) * next;
    store_half(w, mode, next);
    plane.set_velocity(mode, next);
  }
};

/// Coefficients of etdrk4, half planes.
template <class T>
struct EtdCoefficients {
  Kokkos::complex<T>*q, *f1, *f2, *f3;
};

/// Means over a circle of radius 1 around z = -rate dt, where the formulas lose no digits.
template <class T>
struct FillEtdCoefficients {
  SpectralGrid grid;
  VorticityTerms terms;
  EtdCoefficients<T> to;
  double const *dt, *dt_of_coefficients;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    using Complex = Kokkos::complex<double>;
    namespace math = compat::math;
    double const step = *dt;
    int const line = static_cast<int>(n / grid.line_length()), at = static_cast<int>(n % grid.line_length());
    int const j = grid.row(line, at), i = grid.column(line, at);
    if (step == *dt_of_coefficients || step == 0 || !grid.keeps(j, i)) return;
    double const kx = grid.kx(i), ky = grid.ky(j);
    ModeRate const rate = mode_rate(terms, kx, kx * kx + ky * ky);
    constexpr int points = 32;
    Complex q(0, 0), f1(0, 0), f2(0, 0), f3(0, 0);
    for (int m = 0; m < points; ++m) {
      double const angle = std::numbers::pi * (2 * m + 1) / points;
      Complex const z(-rate.real * step + math::cos(angle), -rate.imaginary * step + math::sin(angle));
      Complex const e = exponential(z), root = exponential(Complex(z.real() / 2, z.imag() / 2));
      Complex const square = z * z, cube = square * z;
      q += (root - 1.0) / z;
      f1 += (-4.0 - z + e * (4.0 - 3.0 * z + square)) / cube;
      f2 += (2.0 + z + e * (-2.0 + z)) / cube;
      f3 += (-4.0 - 3.0 * z - square + e * (4.0 - z)) / cube;
    }
    double const mean = step / points;
    store(to.q, n, q, mean);
    store(to.f1, n, f1, mean);
    store(to.f2, n, f2, mean);
    store(to.f3, n, f3, mean);
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<double> exponential(Kokkos::complex<double> const& z) {
    namespace math = compat::math;
    double const size = math::exp(z.real());
    return {size * math::cos(z.imag()), size * math::sin(z.imag())};
  }
  static KOKKOS_FORCEINLINE_FUNCTION void store(Kokkos::complex<T>* to, std::int64_t n,
                                                Kokkos::complex<double> const& value, double factor) {
    to[n] = Kokkos::complex<T>(static_cast<T>(factor * value.real()), static_cast<T>(factor * value.imag()));
  }
};

/// Notes the dt of the coefficients, after the pass that fills them.
struct KeepEtdStep {
  double const* dt;
  double* dt_of_coefficients;
  KOKKOS_FUNCTION void operator()(int) const {
    if (*dt > 0) *dt_of_coefficients = *dt;
  }
};

/// Kassam and Trefethen (2005): a = sqrt(e) W + q N(W), b = sqrt(e) W + q N(a), c = sqrt(e) a + q (2 N(b) - N(W)),
/// W <- e W + f1 N(W) + 2 f2 (N(a) + N(b)) + f3 N(c), e the decay over dt.
template <class T>
struct EtdMode {
  StageInput<T> input;
  Kokkos::complex<T>*w, *first, *a, *sum;  ///< half planes: N(W), a, N(a) + N(b)
  EtdCoefficients<T> coefficients;
  SpectralGrid grid;
  int stage;

  KOKKOS_FUNCTION void operator()(Mode const& mode, WholePlane<T> const& plane) const {
    using Complex = Kokkos::complex<T>;
    double const dt = *input.dt;
    std::int64_t const n = mode.half_place;
    Complex next = w[n];
    if (dt > 0) {
      Complex const term = input.explicit_terms(mode, plane);
      ModeRate const rate = mode_rate(input.terms, mode.kx, mode.square);
      Complex const root = decay<T>(rate, dt / 2);
      switch (stage) {
        case 0:
          first[n] = term;
          a[n] = next = root * next + coefficients.q[n] * term;
          break;
        case 1:
          sum[n] = term;
          next = root * next + coefficients.q[n] * term;
          break;
        case 2:
          sum[n] += term;
          next = root * a[n] + coefficients.q[n] * (T(2) * term - first[n]);
          break;
        default:
          next = decay<T>(rate, dt) * next + coefficients.f1[n] * first[n] + T(2) * coefficients.f2[n] * sum[n] +
                 coefficients.f3[n] * term;
          if (grid.fades) next = static_cast<T>(grid.fading(mode.j, mode.i)) * next;
          store_half(w, mode, next);
      }
    }
    plane.set_velocity(mode, next);
  }
};

}  // namespace karman::detail
