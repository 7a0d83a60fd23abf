// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by blocks of rows. A team owns some rows, accumulates them in scratch from every triangle that touches one,
/// and writes them.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_elements.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/detail/fem_stage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Team size, and default number of rows of a block. With more rows fewer triangles are integrated by several blocks: 9
/// in 100 with blocks of 512 rows. On a device the scratch must leave memory for other teams.
struct RowBlockShape {
  int threads, rows;
};

template <ExecutionSpace Exec>
constexpr RowBlockShape row_block_shape(std::size_t value_bytes) {
  if (runs_on_host<Exec>) return {1, 512};
  return {128, value_bytes > sizeof(double) ? 128 : 256};
}

/// One block per team. Each block integrates all triangles that touch it, also those at its rim; no other block writes
/// its rows.
template <class Exec, class Scalar, class Kernel, bool with_vector>
struct RowBlockElements {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int spare = FemRowBlocks<Exec>::spare;

  Kernel kernel;
  FemRowBlocks<Exec> blocks;
  typename Graph<Exec>::Numbers row_offsets;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;  ///< with_vector
  int rows;
  int level;  ///< of the scratch

  /// Scratch of a block with this many nodes and entries.
  static std::size_t scratch_bytes(int nodes, int entries) {
    return Stage::bytes<FemPoint>(nodes) + Stage::bytes<Scalar>(entries + spare) + Stage::bytes<Scalar>(nodes);
  }

  /// State of a team.
  struct Block {
    int own;          ///< rows
    int const* node;  ///< the nodes of the rows first
    FemPoint* points;
    Scalar* entries;
    Scalar* vector;
  };

  KOKKOS_FORCEINLINE_FUNCTION void add_triangle(int place, Block const& block) const {
    int const local[3] = {blocks.local_nodes(place, 0), blocks.local_nodes(place, 1), blocks.local_nodes(place, 2)};
    int const number = needs_number<Kernel> ? blocks.triangles.entries(place) : -1;
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    integrate<Scalar>(kernel, staged_triangle(number, local, block.node, block.points), a, b);
    for (int i = 0; i < 3; ++i) {
      // A core adds rows of other blocks to the spare entries. On a device that would serialise the threads.
      if (!runs_on_host<Exec> && local[i] >= block.own) continue;
      for (int j = 0; j < 3; ++j) add(block.entries + blocks.entries(place, 3 * i + j), a(i, j));
      if constexpr (with_vector) add(block.vector + local[i], b(i));
    }
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const number = team.league_rank(), first_row = number * blocks.rows_each;
    int const first_node = blocks.nodes.offsets(number), nodes = blocks.nodes.offsets(number + 1) - first_node;
    int const first_entry = blocks.row_begin(first_row);
    auto const& scratch = team.team_scratch(level);
    Block block;
    block.own = rows - first_row < blocks.rows_each ? rows - first_row : blocks.rows_each;
    block.node = blocks.nodes.entries.data() + first_node;
    int const entries = blocks.row_begin(first_row + block.own) - first_entry;
    block.points = Stage::take<FemPoint>(scratch, nodes);
    block.entries = Stage::take<Scalar>(scratch, entries + spare);
    block.vector = with_vector ? Stage::take<Scalar>(scratch, nodes) : nullptr;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nodes), [&](int l) {
      block.points[l] = points[block.node[l]];
      if constexpr (with_vector) block.vector[l] = Scalar(0);
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, entries + spare), [&](int n) { block.entries[n] = Scalar(0); });
    team.team_barrier();

    int const begin = blocks.triangles.offsets(number), end = blocks.triangles.offsets(number + 1);
    if constexpr (runs_on_host<Exec>) {
      // A loop, since compilers leave a lambda of this size as a call with its captures in memory.
      for (int place = begin; place < end; ++place) add_triangle(place, block);
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](int place) { add_triangle(place, block); });
    }
    team.team_barrier();

    if constexpr (runs_on_host<Exec>) {
      write_runs(block, first_row, first_entry);
    } else {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block.own * row_writers), [&](int n) {
        int const l = n / row_writers;
        int const row = blocks.row_begin(first_row + l) - first_entry;
        int const length = blocks.row_begin(first_row + l + 1) - first_entry - row;
        Scalar* const to = values + row_offsets(block.node[l]);
        for (int k = n % row_writers; k < length; k += row_writers) to[k] = block.entries[row + k];
      });
    }
    if constexpr (with_vector) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block.own),
                           [&](int l) { vector[block.node[l]] = block.vector[l]; });
    }
  }

  /// Writes rows that are adjacent in the matrix in one piece, because a core is faster with one long loop.
  KOKKOS_FORCEINLINE_FUNCTION void write_runs(Block const& block, int first_row, int first_entry) const {
    for (int l = 0; l < block.own;) {
      int const first = l++;
      while (l < block.own && block.node[l] == block.node[l - 1] + 1) ++l;
      Scalar const* const from = block.entries + (blocks.row_begin(first_row + first) - first_entry);
      int const count = blocks.row_begin(first_row + l) - blocks.row_begin(first_row + first);
      Scalar* const to = values + row_offsets(block.node[first]);
      for (int k = 0; k < count; ++k) to[k] = from[k];
    }
  }

  /// A team of a host is one thread.
  KOKKOS_FORCEINLINE_FUNCTION static void add(Scalar* to, Scalar const& value) {
    if constexpr (runs_on_host<Exec>) *to += value;
    else add_atomically(to, value);
  }
};

}  // namespace karman::detail
