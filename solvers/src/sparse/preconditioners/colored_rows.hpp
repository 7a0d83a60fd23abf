// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A sparse matrix with its rows by colour, each split into entries of lower and of higher colours.
#pragma once

#include "common/scalar_parts.hpp"
#include "jacobi_kernels.hpp"
#include "mesh/graph_build.hpp"
#include "row_coloring.hpp"
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Place p holds row row(p). Its entries offsets(p) ... middles(p) - 1 are in rows of lower colours, ascending in
/// colour. Entries from there to offsets(p + 1) - 1 are in rows of higher ones. Columns are numbered as in the matrix.
template <class Exec>
struct ColoredRows {
  using Numbers = typename Graph<Exec>::Numbers;
  // "= Numbers()": see Graph.
  Numbers row = Numbers(), offsets = Numbers(), middles = Numbers(), columns = Numbers();
  Numbers source = Numbers();    ///< entry number in the matrix
  Numbers diagonal = Numbers();  ///< of each row, its entry number, or -1
  Numbers place = Numbers();     ///< of each row
};

/// Off-diagonal entries of a place.
template <class Exec>
struct CountOffDiagonal {
  Graph<Exec> graph;
  typename Graph<Exec>::Numbers row;
  detail::Numbers<Exec> counts, diagonal, place;

  KOKKOS_FUNCTION void operator()(int p) const {
    int const r = row(p);
    int count = 0, found = -1;
    for (int e = graph.offsets(r); e < graph.offsets(r + 1); ++e) {
      if (graph.entries(e) == r) {
        found = e;
      } else {
        ++count;
      }
    }
    counts(p) = count;
    diagonal(r) = found;
    place(r) = p;
  }
};

/// Fills a place, sorted by colour and then by column.
template <class Exec>
struct SplitRow {
  Graph<Exec> graph;
  typename Graph<Exec>::Numbers row, offsets, color;
  detail::Numbers<Exec> middles, columns, source;

  KOKKOS_FUNCTION void operator()(int p) const {
    int const r = row(p), begin = offsets(p);
    int end = begin, middle = begin;
    for (int e = graph.offsets(r); e < graph.offsets(r + 1); ++e) {
      int const column = graph.entries(e);
      if (column == r) continue;
      // Insertion sort; entries of one colour keep the order of their columns.
      int at = end++;
      for (; at > begin && color(columns(at - 1)) > color(column); --at) {
        columns(at) = columns(at - 1);
        source(at) = source(at - 1);
      }
      columns(at) = column;
      source(at) = e;
      if (color(column) < color(r)) ++middle;
    }
    middles(p) = middle;
  }
};

/// Splits a profile. Waits for `space`.
template <class Exec>
ColoredRows<Exec> split_rows(Exec const& space, Graph<Exec> const& graph, RowColoring<Exec> const& coloring,
                             char const* who) {
  auto const rows = static_cast<std::size_t>(graph.rows());
  auto const all = Kokkos::RangePolicy<Exec>(space, 0, graph.rows());
  ColoredRows<Exec> result;
  result.row = coloring.classes.entries;
  auto const offsets = zeros(space, rows + 1, "karman::colored_rows::offsets");
  auto const diagonal = numbers(space, rows, "karman::colored_rows::diagonal");
  auto const place = numbers(space, rows, "karman::colored_rows::place");
  Kokkos::parallel_for("karman::colored_rows::count", all,
                       CountOffDiagonal<Exec>{graph, result.row, offsets, diagonal, place});
  auto const entries = static_cast<std::size_t>(make_offsets(space, offsets, who));
  auto const middles = numbers(space, rows, "karman::colored_rows::middles");
  auto const columns = numbers(space, entries, "karman::colored_rows::columns");
  auto const source = numbers(space, entries, "karman::colored_rows::source");
  Kokkos::parallel_for("karman::colored_rows::split", all,
                       SplitRow<Exec>{graph, result.row, offsets, coloring.color, middles, columns, source});
  compat::fence(space, "karman::colored_rows::made");
  result.offsets = offsets;
  result.middles = middles;
  result.columns = columns;
  result.source = source;
  result.diagonal = diagonal;
  result.place = place;
  return result;
}

/// Values of a matrix for its coloured rows, and 1 / pivot of each row. Counts pivots that cannot be inverted.
template <class Exec, class Scalar>
struct TakeValues {
  ColoredRows<Exec> rows;
  Kokkos::View<Scalar const*, typename Exec::memory_space> values;
  Kokkos::View<Scalar*, typename Exec::memory_space> taken, inverse;
  Kokkos::View<int, typename Exec::memory_space> replaced;
  bool factors;  ///< keeps the diagonal itself, from which the factorisation makes pivots

  KOKKOS_FUNCTION void operator()(int p) const {
    for (int e = rows.offsets(p); e < rows.offsets(p + 1); ++e) taken(e) = values(rows.source(e));
    int const r = rows.row(p), d = rows.diagonal(r);
    Scalar const own = d < 0 ? Scalar(0) : values(d);
    inverse(r) = factors ? own : inverse_pivot<Scalar>(widened<Scalar>(own), replaced.data());
  }
};

/// Incomplete factors without fill of the rows of one colour, after rows of lower colours. A lower entry w and the
/// pivot d of its column represent w / d: M = (D + W) D^-1 (D + U).
template <class Exec, class Scalar>
struct FactorRows {
  ColoredRows<Exec> rows;
  Kokkos::View<Scalar*, typename Exec::memory_space> values, inverse;
  Kokkos::View<int, typename Exec::memory_space> replaced;

  KOKKOS_FUNCTION void operator()(int p) const {
    using Number = Wide<Scalar>;
    int const r = rows.row(p), begin = rows.offsets(p), middle = rows.middles(p), end = rows.offsets(p + 1);
    Number pivot = widened<Scalar>(inverse(r));
    for (int e = begin; e < middle; ++e) {
      int const column = rows.columns(e), q = rows.place(column);
      Number const factor = widened<Scalar>(values(e)) * widened<Scalar>(inverse(column));
      for (int f = rows.middles(q); f < rows.offsets(q + 1); ++f) {
        int const target = rows.columns(f);
        Number const change = factor * widened<Scalar>(values(f));
        if (target == r) {
          pivot -= change;
          continue;
        }
        for (int g = e + 1; g < end; ++g) {
          if (rows.columns(g) == target) values(g) = narrowed<Scalar>(widened<Scalar>(values(g)) - change);
        }
      }
    }
    inverse(r) = inverse_pivot<Scalar>(pivot, replaced.data());
  }
};

/// Forward sweep over the rows of one colour: z = (D / omega + W)^-1 r.
template <class Exec, class Scalar>
struct SweepUp {
  ColoredRows<Exec> rows;
  Kokkos::View<Scalar const*, typename Exec::memory_space> values, inverse;
  Scalar const* residual;
  Scalar* z;
  Scalar omega, end_scale;  ///< end_scale: 2 - omega in the last colour, which has no entries for the backward sweep;
                            /// else 1

  KOKKOS_FUNCTION void operator()(int p) const {
    int const r = rows.row(p);
    Scalar sum = residual[r];
    for (int e = rows.offsets(p); e < rows.middles(p); ++e) sum -= values(e) * z[rows.columns(e)];
    z[r] = end_scale * (omega * inverse(r) * sum);
  }
};

/// Backward sweep: z = (2 - omega) z - omega D^-1 U z.
template <class Exec, class Scalar>
struct SweepDown {
  ColoredRows<Exec> rows;
  Kokkos::View<Scalar const*, typename Exec::memory_space> values, inverse;
  Scalar* z;
  Scalar omega, scale;

  KOKKOS_FUNCTION void operator()(int p) const {
    int const r = rows.row(p);
    Scalar sum(0);
    for (int e = rows.middles(p); e < rows.offsets(p + 1); ++e) sum += values(e) * z[rows.columns(e)];
    z[r] = scale * z[r] - omega * inverse(r) * sum;
  }
};

}  // namespace karman::detail
