// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Row sources: access of the tridiagonal kernels to the rows of their systems.
///
/// Every kernel is a template over a row source: an object that a kernel may copy and call as
///   TridiagonalRow<T> rows(std::int64_t system0, std::int64_t system1, std::int64_t k)
/// for row k of the system (system0, system1) of a batch of two axes. StridedRows reads arrays. Other solvers pass
/// functors that compute their coefficients and read nothing.
#pragma once

#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace karman::detail {

/// lower x(k-1) + diagonal x(k) + upper x(k+1) = right-hand side.
template <class T>
struct TridiagonalRow {
  T lower, diagonal, upper;
};

/// Row k of every system of a batch, as pointers and strides in values; kernels are independent of layouts. T may be
/// const.
template <class T>
struct StridedSystems {
  T* data;
  std::int64_t row_stride;
  std::int64_t stride[2];

  KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t system0, std::int64_t system1, std::int64_t k) const {
    return data[system0 * stride[0] + system1 * stride[1] + k * row_stride];
  }
};

template <class T>
StridedSystems<T const> read_only(StridedSystems<T> const& s) {
  return {s.data, s.row_stride, {s.stride[0], s.stride[1]}};
}

/// One of the three coefficients: an array or a constant. An array shares values between systems or rows by a stride of
/// 0.
template <class T>
struct CoefficientArray {
  StridedSystems<T const> array;
  T constant;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(std::int64_t system0, std::int64_t system1, std::int64_t k) const {
    return array.data != nullptr ? array(system0, system1, k) : constant;
  }
};

/// The row source of arrays and constants.
template <class T>
struct StridedRows {
  CoefficientArray<T> lower, diagonal, upper;

  KOKKOS_FORCEINLINE_FUNCTION TridiagonalRow<T> operator()(std::int64_t system0, std::int64_t system1,
                                                           std::int64_t k) const {
    return {lower(system0, system1, k), diagonal(system0, system1, k), upper(system0, system1, k)};
  }
};

/// Rows per system, systems along the two axes of the batch, and coupling of the first and the last row. System number
/// s is (s / batch[1], s % batch[1]).
struct SystemShape {
  std::int64_t rows;
  std::int64_t batch[2];
  bool periodic;

  KOKKOS_INLINE_FUNCTION std::int64_t systems() const { return batch[0] * batch[1]; }
};

/// Row k in the form for kernels: entries outside the system become zero. Periodic systems of one and two rows, in
/// which several couplings meet in one place, are folded into plain ones.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION TridiagonalRow<T> bounded_row(TridiagonalRow<T> row, SystemShape const& shape,
                                                          std::int64_t k) {
  bool const first = k == 0;
  bool const last = k == shape.rows - 1;
  if (first || last) {
    if (!shape.periodic) {
      if (first) row.lower = T(0);
      if (last) row.upper = T(0);
    } else if (shape.rows == 1) {
      row = {T(0), row.lower + row.diagonal + row.upper, T(0)};
    } else if (shape.rows == 2) {
      row = first ? TridiagonalRow<T>{T(0), row.diagonal, row.lower + row.upper}
                  : TridiagonalRow<T>{row.lower + row.upper, row.diagonal, T(0)};
    }
  }
  return row;
}

/// Row k of a system in the form for kernels.
template <class T, class Rows>
KOKKOS_FORCEINLINE_FUNCTION TridiagonalRow<T> fetch_row(Rows const& rows, SystemShape const& shape,
                                                        std::int64_t system0, std::int64_t system1, std::int64_t k) {
  return bounded_row<T>(rows(system0, system1, k), shape, k);
}

/// True if a kernel has to treat the system as cyclic after fetch_row.
KOKKOS_INLINE_FUNCTION bool cyclic(SystemShape const& shape) { return shape.periodic && shape.rows > 2; }

/// 1 / z. The quotient of a complex number is scaled by its larger part: no square overflows or vanishes. The
/// reciprocal of zero is not finite, so that a zero pivot shows in the solution.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T reciprocal(T z) {
  return T(1) / z;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> reciprocal(Kokkos::complex<T> z) {
  T const re = z.real();
  T const im = z.imag();
  T const abs_re = re < 0 ? -re : re;
  T const abs_im = im < 0 ? -im : im;
  T const scale = T(1) / (abs_re > abs_im ? abs_re : abs_im);
  T const a = re * scale;
  T const b = im * scale;
  T const factor = scale / (a * a + b * b);
  return {a * factor, -b * factor};
}

/// |z| up to a factor of at most sqrt(2): |re| + |im|. By fabs(), which a device has as a part of its operations.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T size_of(T z) {
  return compat::math::fabs(z);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T size_of(Kokkos::complex<T> z) {
  return compat::math::fabs(z.real()) + compat::math::fabs(z.imag());
}

}  // namespace karman::detail
