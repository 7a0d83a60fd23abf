// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Common operations of real and complex numbers, for kernels that take both.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/solvers/detail/real_part.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman::detail {

template <class Scalar>
struct IsComplex : std::false_type {};
template <class Real>
struct IsComplex<Kokkos::complex<Real>> : std::true_type {};

/// Type of sums and coefficients: double, or complex<double>.
template <class Scalar>
using Wide = std::conditional_t<IsComplex<Scalar>::value, Kokkos::complex<double>, double>;

/// Number of doubles in a scalar.
template <class Scalar>
inline constexpr int parts = IsComplex<Scalar>::value ? 2 : 1;

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Wide<Scalar> widened(Scalar const& a) {
  if constexpr (IsComplex<Scalar>::value) {
    return Kokkos::complex<double>(double(a.real()), double(a.imag()));
  } else {
    return double(a);
  }
}

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar narrowed(Wide<Scalar> const& a) {
  if constexpr (IsComplex<Scalar>::value) {
    using Real = typename Scalar::value_type;
    return Scalar(static_cast<Real>(a.real()), static_cast<Real>(a.imag()));
  } else {
    return static_cast<Scalar>(a);
  }
}

KOKKOS_FORCEINLINE_FUNCTION double conjugated(double a) { return a; }
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<double> conjugated(Kokkos::complex<double> const& a) {
  return Kokkos::complex<double>(a.real(), -a.imag());
}

/// |a|^2 in double.
KOKKOS_FORCEINLINE_FUNCTION double squared_magnitude(double a) { return a * a; }
KOKKOS_FORCEINLINE_FUNCTION double squared_magnitude(Kokkos::complex<double> const& a) {
  return a.real() * a.real() + a.imag() * a.imag();
}

/// False for a value that is infinite or not a number.
KOKKOS_FORCEINLINE_FUNCTION bool is_finite(double a) { return a - a == 0; }
KOKKOS_FORCEINLINE_FUNCTION bool is_finite(Kokkos::complex<double> const& a) {
  return is_finite(a.real()) && is_finite(a.imag());
}

/// a / b, or 0 where b is 0. Scaled, so that |b|^2 may exceed the range of double.
KOKKOS_INLINE_FUNCTION double divided(double a, double b) { return b == 0 ? 0.0 : a / b; }
KOKKOS_INLINE_FUNCTION Kokkos::complex<double> divided(Kokkos::complex<double> const& a,
                                                       Kokkos::complex<double> const& b) {
  double const size = compat::math::fabs(b.real()) + compat::math::fabs(b.imag());
  if (size == 0) return Kokkos::complex<double>(0, 0);
  double const re = b.real() / size, im = b.imag() / size;
  double const square = re * re + im * im;
  double const ar = a.real() / size, ai = a.imag() / size;
  return Kokkos::complex<double>((ar * re + ai * im) / square, (ai * re - ar * im) / square);
}

/// Fraction of the first product of residuals below which later ones are rounded zeros. It is that of a residual of
/// 1e-30, far below the rounding of double.
inline constexpr double vanishing_share = 6e-61;

/// True if a product of residuals is so far below the first one that the solution is reached to rounding. Quotients of
/// later products would be quotients of rounded zeros.
KOKKOS_FORCEINLINE_FUNCTION bool has_vanished(double product, double first, double share = vanishing_share) {
  return compat::math::fabs(product) <= share * compat::math::fabs(first);
}

/// |a|, or |re| + |im|.
KOKKOS_FORCEINLINE_FUNCTION double size_of_number(double a) { return compat::math::fabs(a); }
KOKKOS_FORCEINLINE_FUNCTION double size_of_number(Kokkos::complex<double> const& a) {
  return compat::math::fabs(a.real()) + compat::math::fabs(a.imag());
}

/// Products of two Scalar vectors below this limit may be products of numbers that were rounded to zero.
template <class Scalar>
inline constexpr double least_product = std::is_same_v<RealPart<Scalar>, float> ? 1e-70 : 1e-280;

/// divided(a, b), or 0 where |b| is below that limit.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Wide<Scalar> divided_products(Wide<Scalar> const& a, Wide<Scalar> const& b) {
  return size_of_number(b) <= least_product<Scalar> ? Wide<Scalar>(0.0) : divided(a, b);
}

/// Scalars of a kernel in an array of doubles: number `place` takes `parts` of them.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Wide<Scalar> number_at(double const* numbers, int place) {
  if constexpr (IsComplex<Scalar>::value) {
    return Kokkos::complex<double>(numbers[2 * place], numbers[2 * place + 1]);
  } else {
    return numbers[place];
  }
}

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void set_number(double* numbers, int place, Wide<Scalar> const& value) {
  if constexpr (IsComplex<Scalar>::value) {
    numbers[2 * place] = value.real();
    numbers[2 * place + 1] = value.imag();
  } else {
    numbers[place] = value;
  }
}

/// Adds a number to a thread's partial sums.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void add_number(double* found, int place, Wide<Scalar> const& value) {
  if constexpr (IsComplex<Scalar>::value) {
    found[2 * place] += value.real();
    found[2 * place + 1] += value.imag();
  } else {
    found[place] += value;
  }
}

}  // namespace karman::detail
