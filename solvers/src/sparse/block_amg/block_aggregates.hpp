// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Aggregates of the rows of a profile, the profile of the coarse matrix, and maps between two levels of blocks.
#pragma once

#include "mesh/sort_row.hpp"
#include "mesh/stable_group.hpp"
#include "sparse/amg/aggregation.hpp"
#include "sparse/amg/interpolation.hpp"
#include "sparse/amg/matrix_product.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/detail/pack.hpp>
#include <karman/solvers/sparse/block_csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace karman::detail {

/// Every neighbour is a strong connection.
template <class Exec>
struct MarkNeighbors {
  Graph<Exec> graph;
  EntryMarks<Exec> strong;

  KOKKOS_FUNCTION void operator()(int row) const {
    for (int e = graph.offsets(row); e < graph.offsets(row + 1); ++e) strong(e) = graph.entries(e) != row;
  }
};

/// Coarse entry to which an entry of the finer matrix belongs; `none` where its row or column has no aggregate.
template <class Exec>
struct CoarseEntries {
  Graph<Exec> fine, coarse;
  Numbers<Exec> aggregate, target;
  int none;

  KOKKOS_FUNCTION void operator()(int row) const {
    int const own = aggregate(row), begin = own < 0 ? 0 : coarse.offsets(own);
    int const count = own < 0 ? 0 : coarse.offsets(own + 1) - begin;
    for (int e = fine.offsets(row); e < fine.offsets(row + 1); ++e) {
      int const other = aggregate(fine.entries(e));
      target(e) = own < 0 || other < 0 ? none : begin + lower_place(coarse.entries.data() + begin, count, other);
    }
  }
};

/// Maps between a level and the next coarser one.
template <class Exec>
struct BlockAggregates {
  int count = 0;                           ///< of aggregates
  Numbers<Exec> of_row = Numbers<Exec>();  ///< -1 for rows without neighbours; "= Numbers()": see Graph
  Graph<Exec> rows, coarse, blocks;        ///< of each aggregate; profile; fine entries of each coarse one
};

/// Waits for `space`.
template <class Exec>
BlockAggregates<Exec> aggregate_blocks(Exec const& space, Graph<Exec> const& graph, char const* who) {
  int const n = graph.rows(), entries = static_cast<int>(graph.entries.extent(0));
  Kokkos::RangePolicy<Exec> const all(space, 0, n);
  EntryMarks<Exec> const strong(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::block_amg::strong")),
      graph.entries.extent(0));
  Kokkos::parallel_for("karman::block_amg::mark_neighbors", all, MarkNeighbors<Exec>{graph, strong});
  // Equal strengths: the profile decides.
  CsrMatrix<Exec, float> ones{graph, Vector<Exec, float>(), n};
  ones.values = Vector<Exec, float>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::block_amg::ones")),
      graph.entries.extent(0));
  Kokkos::deep_copy(space, ones.values, 1.0F);
  auto const found = aggregate<Exec, float>(space, ones, strong, false);
  BlockAggregates<Exec> result;
  result.count = found.count;
  result.of_row = found.of_row;
  if (found.count == 0) return result;
  auto const own = make_rows(space, n, InterpolationRow<Exec>{graph, strong, found.of_row, 0}, who);
  result.rows = elements_around(space, GraphIncidence<Exec>{own}, found.count, who);
  auto const half = product_profile(space, ProductProfiles<Exec>{graph, own}, found.count);
  result.coarse = product_profile(space, ProductProfiles<Exec>{result.rows, half.graph}, found.count).graph;
  int const coarse_entries = static_cast<int>(result.coarse.entries.extent(0));
  auto const target = numbers(space, graph.entries.extent(0), "karman::block_amg::target");
  Kokkos::parallel_for("karman::block_amg::coarse_entries", all,
                       CoarseEntries<Exec>{graph, result.coarse, found.of_row, target, coarse_entries});
  result.blocks = stable_group(space, entries, coarse_entries + 1, OwnNumber<Exec>{target});
  return result;
}

/// Number n of the coarse blocks: the sum over blocks of the finer matrix.
template <class Exec, class T, int N>
struct SumBlocks {
  Graph<Exec> blocks;
  T const* fine;
  T* coarse;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    int const entry = static_cast<int>(n / (N * N)), place = static_cast<int>(n % (N * N));
    double sum = 0;
    for (int m = blocks.offsets(entry); m < blocks.offsets(entry + 1); ++m)
      sum += double(fine[std::int64_t(N) * N * blocks.entries(m) + place]);
    coarse[n] = static_cast<T>(sum);
  }
};

/// Number n of P^T r.
template <class Exec, class T, int N>
struct RestrictBlocks {
  Graph<Exec> rows;
  T const* r;
  T* result;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const aggregate = n / N;
    double sum = 0;
    for (int m = rows.offsets(aggregate); m < rows.offsets(aggregate + 1); ++m)
      sum += double(r[N * rows.entries(m) + n % N]);
    result[n] = static_cast<T>(sum);
  }
};

/// Block row `row` of x = kept x + P e, where kept is 0 or 1.
template <class Exec, class T, int N>
struct ProlongBlocks {
  Numbers<Exec> aggregate;
  T const* e;
  T* x;
  bool kept, aligned;

  KOKKOS_FUNCTION void operator()(int row) const {
    int const own = aggregate(row);
    T change[N] = {}, before[N] = {};
    if (own >= 0) load_values(e + N * own, aligned, change);
    if (kept) load_values(x + N * row, aligned, before);
    for (int i = 0; i < N; ++i) change[i] += before[i];
    store_values(x + N * row, aligned, change);
  }
};

/// Block row `row` of x += e.
template <class T, int N>
struct AddStep {
  T const* e;
  T* x;
  bool aligned;
  KOKKOS_FUNCTION void operator()(int row) const {
    T step[N], sum[N];
    load_values(e + N * row, aligned, step);
    load_values(x + N * row, aligned, sum);
    for (int i = 0; i < N; ++i) sum[i] += step[i];
    store_values(x + N * row, aligned, sum);
  }
};

}  // namespace karman::detail
