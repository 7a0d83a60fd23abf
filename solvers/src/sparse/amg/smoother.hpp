// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels of a smoother: a polynomial in a matrix scaled by its l1 norms.
#pragma once

#include "common/scalar_parts.hpp"
#include "interpolation.hpp"
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// 1 / ((a_ii / |a_ii|) sum_j |a_ij|), the scaling. For a definite matrix the spectrum of the product lies in (0, 1]
/// by Gershgorin. A row without a usable diagonal is counted and gets 1; on coarse levels 0, which leaves it out. There
/// a diagonal entry of the size of its rounding error is not usable.
template <class Exec, class Scalar>
struct ScalingByNorms {
  CsrMatrix<Exec, Scalar> a;
  Kokkos::View<Scalar*, typename Exec::memory_space> scaling;  ///< in, on coarse levels: see CarryRounding
  bool coarse;
  int* replaced;

  KOKKOS_FUNCTION void operator()(int row) const {
    Wide<Scalar> pivot(0.0);
    double norm = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      Wide<Scalar> const value = widened<Scalar>(a.values(e));
      norm += compat::math::sqrt(squared_magnitude(value));
      if (a.graph.entries(e) == row) pivot = value;
    }
    double const size = compat::math::sqrt(squared_magnitude(pivot));
    Scalar const found = narrowed<Scalar>(divided(Wide<Scalar>(norm > 0 ? size / norm : 0.0), pivot));
    double const least = coarse ? CarryRounding<Exec, Scalar>::most * magnitude_of(scaling(row)) : 0;
    bool const usable = size > least && is_finite(widened<Scalar>(found)) && found != Scalar(0);
    if (!usable) Kokkos::atomic_fetch_add(replaced, 1);
    scaling(row) = usable ? found : Scalar(coarse ? 0 : 1);
  }
};

/// Counts the rows whose sum exceeds a fifth of their norm, |sum_j a_ij| > 1/5 sum_j |a_ij|: there the equation is not
/// that of its derivatives. Adds up the scaled sums of all rows, real and imaginary parts.
template <class Exec, class Scalar>
struct SumOfShifts {
  CsrMatrix<Exec, Scalar> a;

  KOKKOS_FUNCTION void operator()(int row, int& count, double& real, double& imaginary) const {
    Wide<Scalar> sum(0.0), pivot(0.0);
    double norm = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      Wide<Scalar> const value = widened<Scalar>(a.values(e));
      sum += value;
      norm += compat::math::sqrt(squared_magnitude(value));
      if (a.graph.entries(e) == row) pivot = value;
    }
    if (25 * squared_magnitude(sum) > norm * norm) ++count;
    double const size = compat::math::sqrt(squared_magnitude(pivot));
    if (size == 0) return;
    Wide<Scalar> const scaled = divided(Wide<Scalar>(size / norm), pivot) * sum;
    if constexpr (IsComplex<Scalar>::value) {
      real += scaled.real();
      imaginary += scaled.imag();
    } else {
      real += scaled;
    }
  }
};

/// A coefficient of a SmoothingStep for the numbers of a matrix.
template <class Scalar>
Scalar coefficient(Kokkos::complex<double> const& value) {
  if constexpr (IsComplex<Scalar>::value) return narrowed<Scalar>(value);
  else return static_cast<Scalar>(value.real());
}

/// The first step from x = 0: x = across L^-1 b.
template <class Scalar>
struct FirstStep {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  Scalar const* in[2];  ///< scaling, b
  Scalar* out[1];
  Scalar across;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION FirstStep prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&x)[1], double, double (&)[1]) const {
    x[0] = across * a[0] * a[1];
  }
};

/// The right-hand side of a coarser level, for a row pass over P^T with a residual, and the first step from x = 0.
template <class Scalar>
struct RestrictedStep {
  static constexpr int results = 0;
  Scalar const* scaling;
  Scalar across;
  Scalar *b, *next;  ///< next: x; null where none is needed
  KOKKOS_INLINE_FUNCTION Scalar value(int, Scalar const& product) const { return product; }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const {
    b[row] = value;
    if (next != nullptr) next[row] = across * scaling[row] * value;
  }
};

/// The correction x + P e and the first step from there, for a row pass over A P with e. The residual is that before
/// the correction less A P e. So the pass reads neither A nor x of other rows, but short vectors e: on triangles A P
/// has fewer entries than A.
template <class Exec, class Scalar>
struct CorrectedStep {
  static constexpr int results = 0;
  Scalar const *rest, *scaling, *x;  ///< rest: b - A x
  CsrMatrix<Exec, Scalar> p;
  Scalar const* e;
  Scalar across;
  Scalar* step;  ///< d; null where it is not needed
  Scalar* next;  ///< the new x; may be x
  KOKKOS_INLINE_FUNCTION Scalar value(int row, Scalar const& product) const {
    return across * scaling[row] * (rest[row] - product);
  }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const {
    Scalar correction(0);
    int const stop = p.graph.offsets(row + 1);
    for (int n = p.graph.offsets(row); n < stop; ++n) correction += p.values(n) * e[p.graph.entries(n)];
    if (step != nullptr) step[row] = value;
    next[row] = x[row] + correction + value;
  }
};

/// A later step, for a row pass over A with `x`.
template <class Scalar>
struct RowStep {
  static constexpr int results = 0;
  Scalar const *b, *scaling, *x;
  Scalar const* before;  ///< d; null for a first step
  Scalar along, across;
  Scalar* step;  ///< the new d; null for one that is not needed
  Scalar* next;  ///< the new x
  KOKKOS_INLINE_FUNCTION Scalar value(int row, Scalar const& product) const {
    Scalar const rest = across * scaling[row] * (b[row] - product);
    return before == nullptr ? rest : rest + along * before[row];
  }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const {
    if (step != nullptr) step[row] = value;
    next[row] = x[row] + value;
  }
};

}  // namespace karman::detail
