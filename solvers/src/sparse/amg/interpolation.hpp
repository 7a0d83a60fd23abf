// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interpolation from aggregates: profile, values, transposed.
#pragma once

#include "mesh/sort_row.hpp"
#include "row_teams.hpp"
#include "sparse/preconditioners/row_coloring.hpp"
#include "strength.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace karman::detail {

/// Spacing of the numbers at 1. A constant: nvcc lets kernels call no function of the standard library.
template <class Scalar>
inline constexpr double spacing_at_one = std::numeric_limits<RealPart<Scalar>>::epsilon();

/// |a| in double, without a square root where a is real.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION double magnitude_of(Scalar const& a) {
  if constexpr (IsComplex<Scalar>::value) return compat::math::sqrt(squared_magnitude(widened<Scalar>(a)));
  else return compat::math::fabs(double(a));
}

/// Number of strong connections of a row.
template <class Exec>
KOKKOS_INLINE_FUNCTION int connections(Graph<Exec> const& graph, ConstEntryMarks<Exec> const& strong, int row) {
  int count = 0;
  for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) count += strong(e);
  return count;
}

/// Row of the interpolation: the aggregates of a row and its strong neighbours, ascending. For make_rows.
template <class Exec>
struct InterpolationRow {
  Graph<Exec> graph;
  ConstEntryMarks<Exec> strong;
  Numbers<Exec> aggregate;
  int most_connections;  ///< 0: each row from its own aggregate

  /// Shortest distinct list that holds the aggregate of each neighbour: found by selection, since rows are short.
  KOKKOS_FUNCTION int operator()(int row, int* out) const {
    int const own = aggregate(row);
    if (own < 0) return 0;
    if (connections<Exec>(graph, strong, row) > most_connections) {
      if (out != nullptr) out[0] = own;
      return 1;
    }
    int count = 0, last = -1;
    for (int next = following(row, own, last); next >= 0; next = following(row, own, last)) {
      if (out != nullptr) out[count] = next;
      ++count;
      last = next;
    }
    return count;
  }

 private:
  /// The least aggregate above `last` in that row, -1 if there is none.
  KOKKOS_FUNCTION int following(int row, int own, int last) const {
    int least = own > last ? own : -1;
    for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) {
      if (!strong(e)) continue;
      int const other = aggregate(graph.entries(e));
      if (other > last && (least < 0 || other < least)) least = other;
    }
    return least;
  }
};

/// Values of the interpolation, see AmgPreconditioner. Also the rounding error of each interpolated row, see
/// CarryRounding.
template <class Exec, class Scalar>
struct InterpolationValues {
  CsrMatrix<Exec, Scalar> a;
  ConstEntryMarks<Exec> strong;
  Numbers<Exec> aggregate;
  CsrMatrix<Exec, Scalar> p;
  int most_connections;  ///< as in InterpolationRow
  bool carries;          ///< `rounding` holds the errors from finer levels
  Vector<Exec, Scalar> rounding;

  KOKKOS_FUNCTION void operator()(int row) const {
    int const begin = p.graph.offsets(row), count = p.graph.offsets(row + 1) - begin;
    if (count == 0) return;
    Scalar* const values = p.values.data() + begin;
    int const* const columns = p.graph.entries.data() + begin;
    for (int c = 0; c < count; ++c) values[c] = Scalar(0);
    int const own = lower_place(columns, count, aggregate(row));
    Wide<Scalar> pivot(0.0);
    double norm = 0, weak = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      Wide<Scalar> const value = widened<Scalar>(a.values(e));
      double const magnitude = magnitude_of(a.values(e));
      if (strong(e)) {
        norm += magnitude;
      } else {
        pivot += value;
        weak += magnitude;
      }
    }
    double const carried = carries ? magnitude_of(rounding(row)) : 0;
    double const own_rounding = spacing_at_one<Scalar> * (norm + weak);
    rounding(row) = narrowed<Scalar>(Wide<Scalar>(own_rounding > carried ? own_rounding : carried));
    double const size = compat::math::sqrt(squared_magnitude(pivot));
    // Of a pivot that is zero or not a number there is no direction.
    bool const smoothed = connections<Exec>(a.graph, strong, row) <= most_connections;
    bool const usable = smoothed && size > 0 && is_finite(norm + size);
    if (usable) {
      Wide<Scalar> const factor = divided(Wide<Scalar>(4.0 / 3 * size / (norm + size)), pivot);
      for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
        if (!strong(e)) continue;
        int const place = lower_place(columns, count, aggregate(a.graph.entries(e)));
        values[place] -= narrowed<Scalar>(factor * widened<Scalar>(a.values(e)));
      }
      values[own] += narrowed<Scalar>(Wide<Scalar>(1.0) - factor * pivot);
    } else {
      values[own] = Scalar(1);
    }
  }
};

/// Estimated rounding error of a diagonal entry of R A P: sqrt(sum_i |p_i|^2 e_i^2) over the rows i of its aggregate.
/// e_i is eps times the norm of row i, or its error from finer levels, whichever is larger. The rows of a singular part
/// add up to zero: only such errors are left of the last diagonal entry of that part. Errors of different rows add up
/// at random.
template <class Exec, class Scalar>
struct CarryRounding {
  CsrMatrix<Exec, Scalar> r;
  Vector<Exec, Scalar> fine, coarse;

  /// Diagonal entries of at most so many estimated errors count as zero. A sum of some terms, each the product of three
  /// rounded factors, has about that many roundings.
  static constexpr double most = 16;

  KOKKOS_FUNCTION void operator()(int row) const {
    double largest = 0, sum = 0;
    for (int e = r.graph.offsets(row); e < r.graph.offsets(row + 1); ++e) {
      double const term = error(e);
      if (term > largest) largest = term;
    }
    // Relative to the largest, so that no square leaves the range of double.
    for (int e = r.graph.offsets(row); e < r.graph.offsets(row + 1); ++e) {
      double const share = largest > 0 ? error(e) / largest : 0;
      sum += share * share;
    }
    coarse(row) = narrowed<Scalar>(Wide<Scalar>(largest * compat::math::sqrt(sum)));
  }

 private:
  KOKKOS_INLINE_FUNCTION double error(int e) const {
    return magnitude_of(r.values(e)) * magnitude_of(fine(r.graph.entries(e)));
  }
};

/// Values of the transposed interpolation.
template <class Exec, class Scalar>
struct TransposedValues {
  CsrMatrix<Exec, Scalar> p, r;

  KOKKOS_FUNCTION void operator()(int row) const {
    for (int e = r.graph.offsets(row); e < r.graph.offsets(row + 1); ++e) take(row, e);
  }
  /// On a device.
  KOKKOS_FUNCTION void operator()(typename RowTeams<Exec>::Member const& member) const {
    int const row = RowTeams<Exec>::row(member);
    if (row >= r.rows()) return;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, r.graph.offsets(row), r.graph.offsets(row + 1)),
                         [&](int e) { take(row, e); });
  }

 private:
  KOKKOS_INLINE_FUNCTION void take(int row, int e) const {
    r.values(e) = p.values(find_entry<Exec>(p.graph, r.graph.entries(e), row));
  }
};

/// Asynchronous.
template <class Exec, class Scalar>
void transpose_values(Exec const& space, CsrMatrix<Exec, Scalar> const& p, CsrMatrix<Exec, Scalar> const& r) {
  TransposedValues<Exec, Scalar> const kernel{p, r};
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for("karman::amg::restriction", Kokkos::RangePolicy<Exec>(space, 0, r.rows()), kernel);
  } else {
    auto const entries = static_cast<std::int64_t>(r.values.extent(0));
    Kokkos::parallel_for("karman::amg::restriction", RowTeams<Exec>::policy(space, r.rows(), entries), kernel);
  }
}

}  // namespace karman::detail
