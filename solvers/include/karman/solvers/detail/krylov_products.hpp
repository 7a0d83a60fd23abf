// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inner products that Krylov methods take while a matrix is applied, or after it.
#pragma once

#include <karman/solvers/detail/row_pass.hpp>
#include <karman/solvers/detail/scalar_parts.hpp>
#include <karman/solvers/detail/vector_pass.hpp>

namespace karman::detail {

/// Products of pairs of vectors; a null pointer stands for the result of the matrix.
template <class Scalar, int count>
struct Pairs {
  Scalar const* left[count];
  Scalar const* right[count];
  bool conjugate;  ///< the left one of each
};

/// result = A x with products.
template <class Scalar, int count>
struct ProductsOfRows {
  static constexpr int results = count * parts<Scalar>;
  Pairs<Scalar, count> pairs;
  Scalar* result;
  KOKKOS_INLINE_FUNCTION Scalar value(int, Scalar const& product) const { return product; }
  KOKKOS_INLINE_FUNCTION void collect(int row, Scalar const& value, double* found) const {
    for (int n = 0; n < count; ++n) {
      Wide<Scalar> const u = widened<Scalar>(pairs.left[n] == nullptr ? value : pairs.left[n][row]);
      Wide<Scalar> const v = widened<Scalar>(pairs.right[n] == nullptr ? value : pairs.right[n][row]);
      add_number<Scalar>(found, n, (pairs.conjugate ? conjugated(u) : u) * v);
    }
  }
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const { result[row] = value; }
};

/// The same products alone.
template <class Scalar, int count>
struct ProductsOfVectors {
  using real = Scalar;
  static constexpr int inputs = 2 * count, outputs = 0, results = count * parts<Scalar>;
  Scalar const* in[inputs];  ///< left ones, right ones
  Scalar* out[1];
  bool conjugate;
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
  KOKKOS_INLINE_FUNCTION ProductsOfVectors prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[inputs], Scalar (&)[1], double,
                                         double (&found)[results]) const {
    for (int n = 0; n < count; ++n) {
      Wide<Scalar> const u = widened<Scalar>(a[n]);
      set_number<Scalar>(found, n, (conjugate ? conjugated(u) : u) * widened<Scalar>(a[count + n]));
    }
  }
};

/// |v|^2.
template <class Scalar>
struct SquaredNorm {
  using real = Scalar;
  static constexpr int inputs = 1, outputs = 0, results = 1;
  Scalar const* in[1];
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
  KOKKOS_INLINE_FUNCTION SquaredNorm prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[1], Scalar (&)[1], double, double (&found)[1]) const {
    found[0] = squared_magnitude(widened<Scalar>(a[0]));
  }
};

/// r = b - w and |r|^2.
template <class Scalar>
struct Residual {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 1;
  Scalar const* in[2];  ///< b, w
  Scalar* out[1];
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
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
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
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
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
  KOKKOS_INLINE_FUNCTION Added prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] + a[1];
  }
};

}  // namespace karman::detail
