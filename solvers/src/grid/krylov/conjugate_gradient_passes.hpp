// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The vector passes of conjugate gradients, and the scalars between them, which stay in device memory.
#pragma once

#include "common/scalar_parts.hpp"
#include "common/team_results.hpp"
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>

namespace karman::detail {

/// Places of the scalars. <r, z> of this iteration and of the next one alternate.
struct CgScalar {
  enum : int { pq, largest, even_rz, odd_rz, qz, mean, first_pq, first_rz, flag, count };
  static int rz(int iteration) { return iteration % 2 == 0 ? even_rz : odd_rz; }
};

/// Values of `flag`.
enum class CgFlag : int { none = 0, operator_indefinite = 1, preconditioner_indefinite = 2, exhausted = 3 };

KOKKOS_INLINE_FUNCTION double quotient_or_zero(double a, double b) { return b == 0 ? 0.0 : a / b; }

/// Fraction of the first <r, z> below which it has vanished: that of a residual below the initial rounding of x.
/// Rounding also gives cells without a given value a residual along the constants, on which A is zero. Once nothing
/// else is left, <p, A p> and the step length are rounding alone.
template <class T>
inline constexpr double cg_vanishing_share =
    16 * double(std::numeric_limits<T>::epsilon()) * double(std::numeric_limits<T>::epsilon());

/// |r|, infinite for NaN.
template <class T>
KOKKOS_INLINE_FUNCTION double finite_magnitude(T r) {
  double const magnitude = compat::math::fabs(static_cast<double>(r));
  return magnitude <= Kokkos::reduction_identity<double>::min() ? magnitude : HUGE_VAL;
}

/// <r, r> and max |r|.
template <class T>
struct NormBody {
  using real = T;
  static constexpr int inputs = 1, outputs = 0, results = 2;
  T const* in[1];
  T* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int n) {
    return n == 0 ? TeamReduction::sum : TeamReduction::maximum;
  }
  KOKKOS_INLINE_FUNCTION NormBody prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[1], T (&)[1], double w, double (&found)[2]) const {
    found[0] = w * double(a[0]) * double(a[0]);
    found[1] = finite_magnitude(a[0]);
  }
};

/// p = z, the first direction.
template <class T>
struct CopyBody {
  using real = T;
  static constexpr int inputs = 1, outputs = 1, results = 0;
  T const* in[1];
  T* out[1];
  double* scalars;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION CopyBody prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const { scalars[CgScalar::flag] = static_cast<double>(CgFlag::none); }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[1], T (&b)[1], double, double (&)[1]) const { b[0] = a[0]; }
};

/// x += alpha p, r -= alpha q; <r, r> and max |r|. From the iteration at which <r, z> has vanished, alpha is zero.
template <class T>
struct StepBody {
  using real = T;
  static constexpr int inputs = 4, outputs = 2, results = 2;
  T const* in[4];  ///< x, p, r, q
  T* out[2];       ///< x, r
  double const* scalars;
  int rz;
  bool first;
  T alpha = 0;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int n) {
    return n == 0 ? TeamReduction::sum : TeamReduction::maximum;
  }
  KOKKOS_INLINE_FUNCTION StepBody prepared() const {
    StepBody ready = *this;
    bool const vanished = !first && has_vanished(scalars[rz], scalars[CgScalar::first_rz], cg_vanishing_share<T>);
    if (!vanished) ready.alpha = static_cast<T>(quotient_or_zero(scalars[rz], scalars[CgScalar::pq]));
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[4], T (&b)[2], double w, double (&found)[2]) const {
    b[0] = a[0] + alpha * a[1];
    b[1] = a[2] - alpha * a[3];
    found[0] = w * double(b[1]) * double(b[1]);
    found[1] = finite_magnitude(b[1]);
  }
};

/// <r, z>, and <q, z> for the flexible form.
template <class T, bool flexible>
struct ProductBody {
  using real = T;
  static constexpr int inputs = flexible ? 3 : 2, outputs = 0, results = flexible ? 2 : 1;
  T const* in[inputs];  ///< z, r, q
  T* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION ProductBody prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[inputs], T (&)[1], double w, double (&found)[results]) const {
    found[0] = w * double(a[0]) * double(a[1]);
    if constexpr (flexible) found[1] = w * double(a[0]) * double(a[2]);
  }
};

/// p = z + beta p, and a check of the signs.
template <class T>
struct DirectionBody {
  using real = T;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  T const* in[2];  ///< z, p
  T* out[1];       ///< p
  double* scalars;
  int rz, next_rz;
  bool flexible, first;
  T beta = 0;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION DirectionBody prepared() const {
    DirectionBody ready = *this;
    // True at the first product, which is being written now.
    double const first_product = scalars[first ? rz : CgScalar::first_rz];
    bool const vanished = has_vanished(scalars[rz], first_product, cg_vanishing_share<T>) ||
                          has_vanished(scalars[next_rz], first_product, cg_vanishing_share<T>);
    // <r_new - r, z> / <r, z> with r_new - r = -alpha q and alpha = <r, z> / <p, q>.
    double const value = vanished   ? 0.0
                         : flexible ? -quotient_or_zero(scalars[CgScalar::qz], scalars[CgScalar::pq])
                                    : quotient_or_zero(scalars[next_rz], scalars[rz]);
    ready.beta = static_cast<T>(value);
    return ready;
  }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[2], T (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] + beta * a[1];
  }
  /// Requires <p, A p> and <r, z> to keep the signs of the first iteration.
  KOKKOS_INLINE_FUNCTION void first_thread() const {
    double const pq = scalars[CgScalar::pq];
    double const product = scalars[rz];
    if (first) {
      scalars[CgScalar::first_pq] = pq;
      scalars[CgScalar::first_rz] = product;
    }
    bool const vanished = has_vanished(product, scalars[CgScalar::first_rz], cg_vanishing_share<T>);
    if (vanished && !first) {
      if (scalars[CgScalar::flag] == static_cast<double>(CgFlag::none)) {
        scalars[CgScalar::flag] = static_cast<double>(CgFlag::exhausted);
      }
      return;
    }
    if (vanished || (product > 0) != (scalars[CgScalar::first_rz] > 0)) {
      scalars[CgScalar::flag] = static_cast<double>(CgFlag::preconditioner_indefinite);
    }
    if (pq == 0 || (pq > 0) != (scalars[CgScalar::first_pq] > 0)) {
      scalars[CgScalar::flag] = static_cast<double>(CgFlag::operator_indefinite);
    }
  }
};

}  // namespace karman::detail
