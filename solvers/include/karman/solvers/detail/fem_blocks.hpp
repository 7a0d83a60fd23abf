// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by blocks of triangles, put together in team scratch.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Threads of a team, and triangles of a block unless the caller says otherwise.
struct BlockShape {
  int threads, triangles;
};

template <ExecutionSpace Exec>
constexpr BlockShape block_shape() {
  if (runs_on_host<Exec>) return {1, 1024};
  return {256, 256};
}

/// Threads that write a row together; about the length of a row.
inline constexpr int block_row_writers = 8;

/// One block a team. The rows of all its nodes stand in scratch, whole; a node that no other block has is written from
/// there once, of the others the first colour writes and the next ones add.
template <class Exec, class Scalar, class Kernel>
struct BlockElements {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Kernel kernel;
  FemBlocks<Exec> blocks;
  typename Graph<Exec>::Numbers row_offsets;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;
  int first_block;  ///< of this colour, among blocks.blocks.classes.entries
  int level;        ///< of the scratch

  /// Scratch of a block with this many nodes and entries.
  KOKKOS_FUNCTION static std::size_t scratch_bytes(int nodes, int entries) {
    return std::size_t(nodes) * (sizeof(FemPoint) + sizeof(Scalar) + sizeof(int)) +
           std::size_t(entries) * sizeof(Scalar) + 64;
  }

  /// What a team keeps while it works.
  struct Stage {
    FemPoint* points;
    Scalar* entries;
    Scalar* vector;
    int* row_begin;
  };

  KOKKOS_FORCEINLINE_FUNCTION void integrate(int place, Stage const& stage, ElementMatrix<Scalar, 3>& a,
                                             ElementVector<Scalar, 3>& b, int first_node) const {
    auto const& nodes = blocks.blocks.nodes.entries;
    auto const& local = blocks.blocks.local_nodes;
    Triangle triangle;
    triangle.number = needs_number<Kernel> ? blocks.blocks.triangles.entries(place) : -1;
    for (int m = 0; m < 3; ++m) {
      int const l = local(place, m);
      triangle.node[m] = nodes(first_node + l);
      triangle.x[m] = stage.points[l].x;
      triangle.y[m] = stage.points[l].y;
    }
    kernel(triangle, a, b);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(int place, Stage const& stage, ElementMatrix<Scalar, 3> const& a,
                                       ElementVector<Scalar, 3> const& b) const {
    for (int i = 0; i < 3; ++i) {
      int const l = blocks.blocks.local_nodes(place, i);
      Scalar* const row = stage.entries + stage.row_begin[l];
      for (int j = 0; j < 3; ++j) row[blocks.columns(9 * std::size_t(place) + 3 * i + j)] += a(i, j);
      if (vector != nullptr) stage.vector[l] += b(i);
    }
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const& parts = blocks.blocks;
    int const block = parts.blocks.classes.entries(first_block + team.league_rank());
    int const first_node = parts.nodes.offsets(block), nodes = parts.nodes.offsets(block + 1) - first_node;
    int const last = first_node + nodes - 1, last_node = parts.nodes.entries(last);
    int const entries = blocks.row_begin(last) + row_offsets(last_node + 1) - row_offsets(last_node);

    auto const& scratch = team.team_scratch(level);
    Stage stage;
    stage.points = static_cast<FemPoint*>(scratch.get_shmem_aligned(nodes * sizeof(FemPoint), 16));
    stage.entries = static_cast<Scalar*>(scratch.get_shmem_aligned(entries * sizeof(Scalar), 16));
    stage.vector = static_cast<Scalar*>(scratch.get_shmem_aligned(nodes * sizeof(Scalar), 16));
    stage.row_begin = static_cast<int*>(scratch.get_shmem_aligned(nodes * sizeof(int), 16));

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nodes), [&](int l) {
      stage.points[l] = points[parts.nodes.entries(first_node + l)];
      stage.vector[l] = Scalar(0);
      stage.row_begin[l] = blocks.row_begin(first_node + l);
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, entries), [&](int n) { stage.entries[n] = Scalar(0); });
    team.team_barrier();

    int const begin = parts.triangles.offsets(block), end = parts.triangles.offsets(block + 1);
    if constexpr (runs_on_host<Exec>) {
      for (int place = begin; place < end; ++place) {
        ElementMatrix<Scalar, 3> a;
        ElementVector<Scalar, 3> b;
        integrate(place, stage, a, b, first_node);
        add(place, stage, a, b);
      }
    } else {
      // Everybody integrates at once; then the colours add, one after the other.
      int const first_color = parts.inner_colors.offsets(block), last_color = parts.inner_colors.offsets(block + 1) - 1;
      for (int batch = begin; batch < end; batch += team.team_size()) {
        int const place = batch + team.team_rank();
        ElementMatrix<Scalar, 3> a;
        ElementVector<Scalar, 3> b;
        if (place < end) integrate(place, stage, a, b, first_node);
        for (int c = first_color; c < last_color; ++c) {
          int const from = parts.inner_colors.entries(c), to = parts.inner_colors.entries(c + 1);
          if (to <= batch || from >= batch + team.team_size()) continue;  // the same for the whole team
          if (place >= from && place < to) add(place, stage, a, b);
          team.team_barrier();
        }
      }
    }
    team.team_barrier();

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nodes * block_row_writers), [&](int n) {
      int const l = n / block_row_writers, lane = n % block_row_writers;
      int const i = parts.nodes.entries(first_node + l);
      bool const add_to = blocks.touched(first_node + l) != 0;
      int const first = row_offsets(i), length = row_offsets(i + 1) - first;
      Scalar const* const from = stage.entries + stage.row_begin[l];
      for (int k = lane; k < length; k += block_row_writers) {
        values[first + k] = add_to ? values[first + k] + from[k] : from[k];
      }
      if (lane == 0 && vector != nullptr) vector[i] = add_to ? vector[i] + stage.vector[l] : stage.vector[l];
    });
  }
};

}  // namespace karman::detail
