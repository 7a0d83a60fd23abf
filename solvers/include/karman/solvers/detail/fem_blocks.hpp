// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by blocks of triangles, accumulated in team scratch.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/detail/fem_stage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Team size, and default number of triangles of a block, for scalars of this many bytes. On a device each thread takes
/// four triangles: the threads integrate one batch after the other, and larger blocks share fewer rows. For complex
/// numbers half as many rows fit in scratch.
struct BlockShape {
  int threads, triangles;
};

template <ExecutionSpace Exec>
constexpr BlockShape block_shape(std::size_t value_bytes) {
  if (runs_on_host<Exec>) return {1, 1024};
  return {128, value_bytes > sizeof(double) ? 256 : 512};
}

/// One block per team. Scratch holds the whole rows of all its nodes. A node that no other block has is written from
/// there once. For the others the first colour writes and the next ones add.
template <class Exec, class Scalar, class Kernel>
struct BlockElements {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Kernel kernel;
  FemBlocks<Exec> blocks;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;
  int first_block;  ///< of this colour, among blocks.blocks.classes.entries
  int level;        ///< of the scratch

  /// Scratch of a block with this many nodes and entries.
  static std::size_t scratch_bytes(int nodes, int entries) {
    return Stage::bytes<FemPoint>(nodes) + Stage::bytes<Scalar>(entries) + Stage::bytes<Scalar>(nodes) +
           Stage::bytes<int>(nodes + 1) + Stage::bytes<int>(nodes);
  }

  /// State of a team.
  struct Staged {
    FemPoint* points;
    Scalar* entries;
    Scalar* vector;
    int* row_begin;  ///< row begin of each local node among `entries`, and the end of the last row
    int* targets;    ///< of each local node, see FemBlocks
  };

  /// Local numbers of a triangle's nodes, and the places of its nine entries in the stage.
  struct Places {
    int node[3], entry[9];
  };

  KOKKOS_FORCEINLINE_FUNCTION Places places_of(int place, Staged const& stage) const {
    Places places;
    for (int i = 0; i < 3; ++i) {
      places.node[i] = blocks.blocks.local_nodes(place, i);
      int const row = stage.row_begin[places.node[i]];
      for (int j = 0; j < 3; ++j) {
        places.entry[3 * i + j] = row + blocks.columns(9 * std::size_t(place) + 3 * i + j);
      }
    }
    return places;
  }

  KOKKOS_FORCEINLINE_FUNCTION void integrate(int place, Places const& places, Staged const& stage,
                                             ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b,
                                             int first_node) const {
    int const number = needs_number<Kernel> ? blocks.blocks.triangles.entries(place) : -1;
    int const* const nodes = blocks.blocks.nodes.entries.data() + first_node;
    karman::integrate<Scalar>(kernel, staged_triangle(number, places.node, nodes, stage.points), a, b);
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(Places const& places, Staged const& stage, ElementMatrix<Scalar, 3> const& a,
                                       ElementVector<Scalar, 3> const& b) const {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) stage.entries[places.entry[3 * i + j]] += a(i, j);
      if (vector != nullptr) stage.vector[places.node[i]] += b(i);
    }
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const& parts = blocks.blocks;
    int const block = parts.blocks.classes.entries(first_block + team.league_rank());
    int const first_node = parts.nodes.offsets(block), nodes = parts.nodes.offsets(block + 1) - first_node;
    int const entries = blocks.entries(block);

    auto const& scratch = team.team_scratch(level);
    Staged stage;
    stage.points = Stage::take<FemPoint>(scratch, nodes);
    stage.entries = Stage::take<Scalar>(scratch, entries);
    stage.vector = Stage::take<Scalar>(scratch, nodes);
    stage.row_begin = Stage::take<int>(scratch, nodes + 1);
    stage.targets = Stage::take<int>(scratch, nodes);

    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nodes), [&](int l) {
      stage.row_begin[l] = blocks.row_begin(first_node + l);
      stage.targets[l] = blocks.targets(first_node + l);
      stage.points[l] = points[parts.nodes.entries(first_node + l)];
      stage.vector[l] = Scalar(0);
      if (l == 0) stage.row_begin[nodes] = entries;
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, entries), [&](int n) { stage.entries[n] = Scalar(0); });
    team.team_barrier();

    int const begin = parts.triangles.offsets(block), end = parts.triangles.offsets(block + 1);
    if constexpr (runs_on_host<Exec>) {
      for (int place = begin; place < end; ++place) {
        ElementMatrix<Scalar, 3> a;
        ElementVector<Scalar, 3> b;
        Places const places = places_of(place, stage);
        integrate(place, places, stage, a, b, first_node);
        add(places, stage, a, b);
      }
    } else {
      // All threads integrate at once. Then the colours add, one after the other, from registers into scratch.
      int const first_color = parts.inner_colors.offsets(block), last_color = parts.inner_colors.offsets(block + 1) - 1;
      for (int batch = begin; batch < end; batch += team.team_size()) {
        int const place = batch + team.team_rank();
        int const last = batch + team.team_size() < end ? batch + team.team_size() : end;
        // The colours between these two are the same for the whole team.
        int first_here = last_color, end_here = first_color, own = -1;
        for (int c = first_color; c < last_color; ++c) {
          int const from = parts.inner_colors.entries(c), to = parts.inner_colors.entries(c + 1);
          if (to <= batch || from >= last) continue;
          if (c < first_here) first_here = c;
          end_here = c + 1;
          if (place >= from && place < to) own = c;
        }
        ElementMatrix<Scalar, 3> a;
        ElementVector<Scalar, 3> b;
        Places places = {};
        if (place < end) {
          places = places_of(place, stage);
          integrate(place, places, stage, a, b, first_node);
        }
        for (int c = first_here; c < end_here; ++c) {
          if (c == own) add(places, stage, a, b);
          team.team_barrier();
        }
      }
    }
    team.team_barrier();

    constexpr int writers = runs_on_host<Exec> ? 1 : row_writers;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, nodes * writers), [&](int n) {
      int const l = n / writers, lane = n % writers;
      int const target = stage.targets[l], first = target & ~FemBlocks<Exec>::touched;
      int const row = stage.row_begin[l], length = stage.row_begin[l + 1] - row;
      for (int k = lane; k < length; k += writers) {
        Scalar const value = stage.entries[row + k];
        values[first + k] = target < 0 ? values[first + k] + value : value;
      }
      if (lane == 0 && vector != nullptr) {
        int const i = parts.nodes.entries(first_node + l);
        vector[i] = target < 0 ? vector[i] + stage.vector[l] : stage.vector[l];
      }
    });
  }
};

}  // namespace karman::detail
