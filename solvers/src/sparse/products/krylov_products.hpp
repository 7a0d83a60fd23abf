// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inner products that Krylov methods compute while a matrix is applied, or after it.
#pragma once

#include "common/scalar_parts.hpp"
#include "common/vector_pass.hpp"
#include "row_pass.hpp"

#include <cmath>

namespace karman::detail {

/// Product of a sparse matrix with z, and a method's sums over all rows besides result = A z. A Sums has
///   static constexpr int inputs, count;
///   Scalar const* in[inputs];                     vectors whose numbers it reads in each row
///   void operator()(a, product, terms) const;     one row: its numbers, that of the result, the terms of the sums
template <class Scalar, class Sums>
struct ProductWithSums {
  static constexpr int results = Sums::count * parts<Scalar>;
  Sums sums;
  Scalar* result;
  KOKKOS_INLINE_FUNCTION Scalar value(int, Scalar const& product) const { return product; }
  KOKKOS_INLINE_FUNCTION void collect(int row, Scalar const& value, double* found) const {
    Scalar a[Sums::inputs];
    Wide<Scalar> terms[Sums::count];
    for (int s = 0; s < Sums::inputs; ++s) a[s] = sums.in[s][row];
    sums(a, value, terms);
    for (int n = 0; n < Sums::count; ++n) add_number<Scalar>(found, n, terms[n]);
  }
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const { result[row] = value; }
};

/// The same sums for a product that is already computed.
template <class Scalar, class Sums>
struct SumsAlone {
  using real = Scalar;
  static constexpr int inputs = Sums::inputs + 1, outputs = 0, results = Sums::count * parts<Scalar>;
  Scalar const* in[inputs];  ///< inputs of the sums, the product
  Scalar* out[1];
  Sums sums;
  SumsAlone(Sums const& sums_, Scalar const* product) : in{}, out{nullptr}, sums(sums_) {
    for (int s = 0; s < Sums::inputs; ++s) in[s] = sums.in[s];
    in[Sums::inputs] = product;
  }
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION SumsAlone prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&)[1], double,
                                         double (&found)[results]) const {
    Scalar own[Sums::inputs];
    Wide<Scalar> terms[Sums::count];
    for (int s = 0; s < Sums::inputs; ++s) own[s] = a[s];
    sums(own, a[Sums::inputs], terms);
    for (int n = 0; n < Sums::count; ++n) set_number<Scalar>(found, n, terms[n]);
  }
};

/// |factor v|^2.
template <class Scalar>
struct SquaredNorm {
  using real = Scalar;
  static constexpr int inputs = 1, outputs = 0, results = 1;
  Scalar const* in[1];
  Scalar* out[1];
  double factor = 1;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION SquaredNorm prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[1], Scalar (&)[1], double, double (&found)[1]) const {
    found[0] = squared_magnitude(widened<Scalar>(a[0]) * factor);
  }
};

/// The largest number of v, infinite for NaN.
template <class Scalar>
struct LargestNumber {
  using real = Scalar;
  static constexpr int inputs = 1, outputs = 0, results = 1;
  Scalar const* in[1];
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::maximum; }
  KOKKOS_INLINE_FUNCTION LargestNumber prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[1], Scalar (&)[1], double, double (&found)[1]) const {
    double const size = size_of_number(widened<Scalar>(a[0]));
    found[0] = size <= HUGE_VAL ? size : HUGE_VAL;
  }
};

/// v *= factor.
template <class Scalar>
struct ScaledInPlace {
  using real = Scalar;
  static constexpr int inputs = 1, outputs = 1, results = 0;
  Scalar const* in[1];
  Scalar* out[1];
  RealPart<Scalar> factor;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION ScaledInPlace prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[1], Scalar (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] * factor;
  }
};

/// r = b - w and |r|^2.
template <class Scalar>
struct Residual {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 1;
  Scalar const* in[2];  ///< b, w
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION Residual prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&b)[1], double, double (&found)[1]) const {
    b[0] = a[0] - a[1];
    found[0] = squared_magnitude(widened<Scalar>(b[0]));
  }
};

/// z = d r, d the inverse of a diagonal.
template <class Scalar>
struct Scaled {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  Scalar const* in[2];  ///< d, r
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION Scaled prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] * a[1];
  }
};

/// x += z.
template <class Scalar>
struct Added {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  Scalar const* in[2];  ///< x, z
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION Added prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] + a[1];
  }
};

}  // namespace karman::detail
