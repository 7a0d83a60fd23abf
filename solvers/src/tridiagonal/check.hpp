// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Quality of a solution of tridiagonal systems: residual, pivot growth, breakdown.
#pragma once

#include "common/raise.hpp"
#include "rows.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace karman::detail {

/// to = from for every row of every system.
template <class T>
struct CopySystems {
  StridedSystems<T const> from;
  StridedSystems<T> to;
  SystemShape shape;
  bool row_fastest;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const systems = shape.systems();
    std::int64_t const s = row_fastest ? i / shape.rows : i % systems;
    std::int64_t const k = row_fastest ? i % shape.rows : i / systems;
    to(s / shape.batch[1], s % shape.batch[1], k) = from(s / shape.batch[1], s % shape.batch[1], k);
  }
};

template <class Exec, class T>
void copy_systems(Exec const& space, StridedSystems<T const> const& from, StridedSystems<T> const& to,
                  SystemShape const& shape) {
  Kokkos::parallel_for(
      "karman::tridiagonal::copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, shape.rows * shape.systems()),
      CopySystems<T>{from, to, shape, from.row_stride == 1});
}

/// Role of the pivots of elimination in order for the chosen algorithm.
enum class Pivots {
  unknown,   ///< none: rows were exchanged
  measured,  ///< their growth is a property of the matrix
  used       ///< the algorithm divides by them
};

/// Maximum that keeps NaN, as infinity.
KOKKOS_INLINE_FUNCTION void raise_to(double& so_far, double value) {
  if (!(value <= so_far)) so_far = value < HUGE_VAL ? value : HUGE_VAL;
}

/// Largest sizes in a system, or in a piece of it.
struct SystemSizes {
  double residual = 0;     ///< of a row
  double scale = 0;        ///< sum of the terms of a row
  double pivot = 0;        ///< of elimination in order
  double coefficient = 0;  ///< of any of the three
  static constexpr int count = 4;

  KOKKOS_INLINE_FUNCTION double error() const {
    double result = 0;
    raise_to(result, residual > 0 ? residual / scale : 0.0);
    return result;
  }
  KOKKOS_INLINE_FUNCTION double growth(Pivots pivots) const {
    double result = 0;
    raise_to(result, pivots != Pivots::unknown && pivot > 0 ? pivot / coefficient : 0.0);
    return result;
  }
};

/// Pieces of at most growth_rows rows in a system.
inline std::int64_t check_pieces(std::int64_t rows) {
  return (rows + TridiagonalReport::growth_rows - 1) / TridiagonalReport::growth_rows;
}

/// Doubles of workspace of a check: SystemSizes of each system of several pieces.
inline std::int64_t check_values(SystemShape const& shape) {
  return check_pieces(shape.rows) > 1 ? SystemSizes::count * shape.systems() : 0;
}

/// One piece of at most growth_rows rows of one system: elimination from its first row, and the residual of its rows.
/// A system of one piece has its quotients at once. Pieces of a longer one join their sizes in `sizes`.
template <class T, class Rows>
struct CheckPiece {
  Rows rows;
  StridedSystems<T const> rhs, x;
  SystemShape shape;
  std::int64_t pieces;
  Pivots pivots;
  double* sizes;  ///< SystemSizes by system; not read with one piece

  KOKKOS_FUNCTION void operator()(std::int64_t i, double& residual, double& growth, std::int64_t& broken) const {
    std::int64_t const s = i / pieces;
    std::int64_t const s0 = s / shape.batch[1];
    std::int64_t const s1 = s % shape.batch[1];
    std::int64_t const n = shape.rows;
    std::int64_t const begin = i % pieces * TridiagonalReport::growth_rows;
    std::int64_t const end = begin + TridiagonalReport::growth_rows < n ? begin + TridiagonalReport::growth_rows : n;
    SystemSizes found;
    std::int64_t first_broken = -1;
    T u = T(0);
    for (std::int64_t k = begin; k < end; ++k) {
      TridiagonalRow<T> const row = fetch_row<T>(rows, shape, s0, s1, k);
      T const here = x(s0, s1, k);
      T const lower = row.lower * x(s0, s1, k > 0 ? k - 1 : n - 1);
      T const diagonal = row.diagonal * here;
      T const upper = row.upper * x(s0, s1, k < n - 1 ? k + 1 : 0);
      T const given = rhs(s0, s1, k);
      largest(found.residual, size_of(T(given - diagonal - lower - upper)));
      largest(found.scale, size_of(lower) + size_of(diagonal) + size_of(upper) + size_of(given));
      largest(found.coefficient, size_of(row.lower));
      largest(found.coefficient, size_of(row.diagonal));
      largest(found.coefficient, size_of(row.upper));
      T const pivot = row.diagonal - row.lower * u;
      double const pivot_size = static_cast<double>(size_of(pivot));
      largest(found.pivot, pivot_size);
      bool const sound = static_cast<double>(size_of(here)) < HUGE_VAL &&
                         (pivots != Pivots::used || (pivot_size > 0 && pivot_size < HUGE_VAL));
      if (!sound && first_broken < 0) first_broken = k;
      u = row.upper * reciprocal(pivot);
    }
    if (pieces == 1) {
      raise_to(residual, found.error());
      raise_to(growth, found.growth(pivots));
    } else {
      double const own[SystemSizes::count] = {found.residual, found.scale, found.pivot, found.coefficient};
      for (int v = 0; v < SystemSizes::count; ++v) raise(sizes + s * SystemSizes::count + v, own[v]);
    }
    std::int64_t const number = first_broken < 0 ? none() : s * n + first_broken;
    if (number < broken) broken = number;
  }

  KOKKOS_INLINE_FUNCTION static constexpr std::int64_t none() { return std::int64_t(1) << 62; }

 private:
  template <class V>
  KOKKOS_INLINE_FUNCTION static void largest(double& so_far, V value) {
    raise_to(so_far, static_cast<double>(value));
  }
};

/// Sets the joined sizes to zero.
struct ClearSizes {
  double* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { sizes[i] = 0; }
};

/// Quotients of a system of several pieces.
struct JoinedSizes {
  double const* sizes;
  Pivots pivots;
  KOKKOS_FUNCTION void operator()(std::int64_t s, double& residual, double& growth) const {
    double const* const own = sizes + s * SystemSizes::count;
    SystemSizes const found{own[0], own[1], own[2], own[3]};
    raise_to(residual, found.error());
    raise_to(growth, found.growth(pivots));
  }
};

/// `sizes`: check_values() doubles in the memory of `Exec`. Waits for `space`.
template <class Exec, class T, class Rows>
TridiagonalReport check_systems(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
                                StridedSystems<T const> const& x, SystemShape const& shape, Pivots pivots,
                                double* sizes) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  std::int64_t const pieces = check_pieces(shape.rows);
  using Kernel = CheckPiece<T, Rows>;
  TridiagonalReport report;
  std::int64_t broken = Kernel::none();
  if (pieces > 1) {
    Kokkos::parallel_for("karman::tridiagonal::clear_sizes", Range(space, 0, check_values(shape)), ClearSizes{sizes});
  }
  Kokkos::parallel_reduce("karman::tridiagonal::check", Range(space, 0, pieces * shape.systems()),
                          Kernel{rows, rhs, x, shape, pieces, pivots, sizes}, Kokkos::Max<double>(report.residual),
                          Kokkos::Max<double>(report.growth_in_order), Kokkos::Min<std::int64_t>(broken));
  compat::fence(space, "karman::tridiagonal::check");
  if (pieces > 1) {
    Kokkos::parallel_reduce("karman::tridiagonal::join_sizes", Range(space, 0, shape.systems()),
                            JoinedSizes{sizes, pivots}, Kokkos::Max<double>(report.residual),
                            Kokkos::Max<double>(report.growth_in_order));
    compat::fence(space, "karman::tridiagonal::join_sizes");
  }
  report.breakdown = broken < Kernel::none();
  if (report.breakdown) {
    report.system = broken / shape.rows;
    report.row = broken % shape.rows;
  }
  return report;
}

}  // namespace karman::detail
