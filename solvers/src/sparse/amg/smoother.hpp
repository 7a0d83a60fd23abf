// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Chebyshev's polynomial in a matrix scaled by its l1 norms.
#pragma once

#include "common/scalar_parts.hpp"
#include <karman/solvers/csr.hpp>

#include <Kokkos_Core.hpp>

#include <array>

namespace karman::detail {

/// 1 / ((a_ii / |a_ii|) sum_j |a_ij|), the scaling. For a definite matrix the spectrum of the product lies in (0, 1]
/// by Gershgorin. A row without a usable diagonal is counted and gets 1.
template <class Exec, class Scalar>
struct ScalingByNorms {
  CsrMatrix<Exec, Scalar> a;
  Kokkos::View<Scalar*, typename Exec::memory_space> scaling;
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
    bool const usable = size > 0 && is_finite(widened<Scalar>(found)) && found != Scalar(0);
    if (!usable) Kokkos::atomic_fetch_add(replaced, 1);
    scaling(row) = usable ? found : Scalar(1);
  }
};

/// Counts the rows whose sum exceeds a fifth of their norm, |sum_j a_ij| > 1/5 sum_j |a_ij|: there the equation is not
/// that of its derivatives.
template <class Exec, class Scalar>
struct CountShifted {
  CsrMatrix<Exec, Scalar> a;

  KOKKOS_FUNCTION void operator()(int row, int& count) const {
    Wide<Scalar> sum(0.0);
    double norm = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      Wide<Scalar> const value = widened<Scalar>(a.values(e));
      sum += value;
      norm += compat::math::sqrt(squared_magnitude(value));
    }
    if (25 * squared_magnitude(sum) > norm * norm) ++count;
  }
};

/// Most steps of a smoother.
inline constexpr int most_smoothing_steps = 8;

/// Step s of a smoother: d = along d + across L^-1 (b - A x), x += d.
struct SmoothingStep {
  double along, across;
};

/// Coefficients for the spectrum [1 / range, 1] (Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., SIAM
/// 2003, algorithm 12.1). One step: damped Jacobi with 4/3 of the norm, the usual 2/3 of the diagonal where the norm is
/// twice that.
inline std::array<SmoothingStep, most_smoothing_steps> smoothing_steps(int steps, double range) {
  std::array<SmoothingStep, most_smoothing_steps> result{};
  if (steps == 1) {
    result[0] = {0, 4.0 / 3};
    return result;
  }
  double const low = 1 / range, centre = (1 + low) / 2, half = (1 - low) / 2, sigma = centre / half;
  double rho = 1 / sigma;
  result[0] = {0, 1 / centre};
  for (std::size_t s = 1; s < static_cast<std::size_t>(steps); ++s) {
    double const next = 1 / (2 * sigma - rho);
    result[s] = {next * rho, 2 * next / half};
    rho = next;
  }
  return result;
}

/// The first step from x = 0: x = across L^-1 b.
template <class Scalar>
struct FirstStep {
  using real = Scalar;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  Scalar const* in[2];  ///< scaling, b
  Scalar* out[1];
  RealPart<Scalar> across;
  KOKKOS_INLINE_FUNCTION static constexpr Joined kind(int) { return Joined::sum; }
  KOKKOS_INLINE_FUNCTION FirstStep prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(Scalar const (&a)[2], Scalar (&x)[1], double, double (&)[1]) const {
    x[0] = across * a[0] * a[1];
  }
};

/// A later step, for a row pass over A with `x`.
template <class Scalar>
struct RowStep {
  static constexpr int results = 0;
  Scalar const *b, *scaling, *x;
  Scalar const* before;  ///< d; not read where `along` is 0
  RealPart<Scalar> along, across;
  Scalar* step;  ///< the new d; null for one that is not needed
  Scalar* next;  ///< the new x
  KOKKOS_INLINE_FUNCTION Scalar value(int row, Scalar const& product) const {
    Scalar const rest = across * scaling[row] * (b[row] - product);
    return along == 0 ? rest : rest + along * before[row];
  }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const {
    if (step != nullptr) step[row] = value;
    next[row] = x[row] + value;
  }
};

}  // namespace karman::detail
