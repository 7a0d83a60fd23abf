// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of a shifted preconditioner besides its sweeps.
#pragma once

#include "common/team_results.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// s = a + shift b.
template <class Scalar>
struct ShiftedValues {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  Scalar const* in[2];  ///< a, b
  Scalar* out[1];
  Scalar shift;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION ShiftedValues prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&s)[1], double, double (&)[1]) const {
    s[0] = a[0] + shift * a[1];
  }
};

/// rest = r - S z.
template <class Scalar>
struct RowResidual {
  static constexpr int results = 0;
  Scalar const* residual;
  Scalar* rest;
  KOKKOS_INLINE_FUNCTION Scalar value(int row, Scalar const& product) const { return residual[row] - product; }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const { rest[row] = value; }
};

}  // namespace karman::detail
