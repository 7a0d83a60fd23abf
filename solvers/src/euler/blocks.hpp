// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel over blocks of triangles, with the nodes of a block in team scratch.
#pragma once

#include "common/raise.hpp"
#include "common/unroll.hpp"
#include "device_blocks.hpp"
#include "device_math.hpp"
#include "host_blocks.hpp"
#include "plan.hpp"
#include "triangles.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Shape of the teams. On a host one thread computes a block, see EulerLanes.
struct EulerBlockShape {
  int threads, triangles;
};

template <ExecutionSpace Exec, class T>
constexpr EulerBlockShape euler_block_shape() {
  if (runs_on_host<Exec>) return {1, 1024};
  // Measured on an H200: small teams wait less for the colours of each other, and batches should be full. In float
  // more threads share a block, since their registers admit twice as many of them.
  return sizeof(T) < sizeof(double) ? EulerBlockShape{128, 512} : EulerBlockShape{64, 256};
}

/// Tables of the blocks. Addresses, since Views would make the kernel larger than the arguments of a launch: it would
/// wait for the launch before it.
template <class T>
struct EulerBlockTables {
  double const* points;                   ///< of a host: x and y of each node of the mesh
  EulerEdgePiece<T> const* edges;         ///< of a device
  std::int64_t places;                    ///< triangles of all blocks
  int const *node_begin, *nodes;          ///< nodes of each block
  int const* targets;                     ///< of each of them, see EulerBlocks
  int const* triangle_begin;              ///< first triangle of each block
  EulerBlockTriangle const* triangles;    ///< of a device
  std::uint16_t const* local_nodes;       ///< of a host: three per triangle, places among the nodes of the block
  int const *color_begin, *color_places;  ///< of a host: first place of each inner colour of a block

  template <class Exec>
  explicit EulerBlockTables(EulerPlan<Exec, T> const& plan) : EulerBlockTables(plan, plan.blocks) {}

 private:
  template <class Exec>
  EulerBlockTables(EulerPlan<Exec, T> const& plan, EulerBlocks<Exec> const& blocks)
      : points(plan.motion.points.data()),
        edges(plan.edges.data()),
        places(static_cast<std::int64_t>(blocks.parts.triangles.entries.extent(0))),
        node_begin(blocks.parts.nodes.offsets.data()),
        nodes(blocks.parts.nodes.entries.data()),
        targets(blocks.targets.data()),
        triangle_begin(blocks.parts.triangles.offsets.data()),
        triangles(blocks.triangles.data()),
        local_nodes(blocks.parts.local_nodes.data()),
        color_begin(blocks.parts.inner_colors.offsets.data()),
        color_places(blocks.parts.inner_colors.entries.data()) {}
};

/// One block per team. A node of this block alone, without a boundary, is stored at once. The sums of the others go to
/// their slots, for the kernel FinishRows.
template <class Exec, class T, bool with_stabilization, bool moving = false>
struct EulerBlockKernel {
  static constexpr EulerBlockShape shape = euler_block_shape<Exec, T>();
  /// Registers of a thread of a device: 128, in float 64. Four teams must fit on a multiprocessor, with the largest
  /// scratch.
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024 / sizeof(T), 4>>;
  using Member = typename Policy::member_type;
  using Lanes = EulerLanes<T, with_stabilization, moving>;
  using Stage = std::conditional_t<runs_on_host<Exec>, typename Lanes::Records,
                                   EulerDeviceScratch<T, with_stabilization, moving, shape.threads>>;

  EulerSource<T> from;
  EulerBlockTables<T> tables;
  T* partial;
  std::int64_t slots;
  EulerTarget<T> to;
  double* rate;  ///< null: unwanted
  int stride;    ///< of the arrays in scratch
  int level;     ///< of the scratch

  /// Length of the arrays: whole cache lines, so that the vectors of a host are aligned.
  static int stride_of(int nodes) { return (nodes + 15) / 16 * 16; }
  static std::size_t scratch_bytes(int stride) { return Stage::bytes(stride) + 64; }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const block = team.league_rank();
    int const first = tables.node_begin[block], nodes = tables.node_begin[block + 1] - first;
    T* base = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(Stage::bytes(stride), 64));
    T fastest = 0;
    if constexpr (runs_on_host<Exec>) {
      Stage const stage{base, stride};
      load(stage, first, nodes);
      integrate(stage, block, fastest);
      store(team, stage, first, nodes);
    } else {
      Stage const stage{in_fast_scratch(base), stride};
      int const begin = tables.triangle_begin[block], end = tables.triangle_begin[block + 1];
      fetch_triangle(team, stage, begin, end);
      fetch_nodes(team, stage, first, nodes);
      team.team_barrier();
      auto const numbers = from.numbers();
      for (int batch = begin; batch < end; batch += team.team_size()) {
        integrate_batch(team, stage, numbers, batch, end, fastest);
      }
      store(team, stage, first, nodes);
    }
    if (rate == nullptr) return;
    double largest = fastest;
    if constexpr (!runs_on_host<Exec>) team.team_reduce(Kokkos::Max<double>(largest));
    if (team.team_rank() == 0) raise(rate, largest);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Stage const& stage, int first, int nodes) const {
    for (int l = 0; l < nodes; ++l) {
      int const node = tables.nodes[first + l];
      // All reads before the first write, which a compiler must assume to overlap them.
      double const x[2] = {tables.points[2 * std::size_t(node)], tables.points[2 * std::size_t(node) + 1]};
      T u[4], projection[4], velocity[2] = {0, 0};
      for (int c = 0; c < 4; ++c) {
        u[c] = from.u[c * from.nodes + node];
        projection[c] = with_stabilization ? from.projection[c * from.nodes + node] : T(0);
      }
      if constexpr (moving) {
        for (int axis = 0; axis < 2; ++axis) velocity[axis] = from.velocity[axis * from.nodes + node];
      }
      stage.keep(l, x, u, projection, velocity);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void integrate(Stage const& stage, int block, T& fastest) const {
    auto const numbers = from.numbers();
    Lanes lanes;
    for (T& rate_of_lane : lanes.largest) rate_of_lane = 0;
    int const first_color = tables.color_begin[block], last_color = tables.color_begin[block + 1] - 1;
    for (int c = first_color; c < last_color; ++c) {
      int const color_end = tables.color_places[c + 1];
      for (int place = tables.color_places[c]; place < color_end; place += Lanes::most) {
        lanes.add(stage, numbers, tables.local_nodes + 3 * std::size_t(place),
                  color_end - place < Lanes::most ? color_end - place : Lanes::most);
      }
    }
    for (T const found : lanes.largest) fastest = found > fastest ? found : fastest;
  }

  /// Begins to copy the triangle of this thread in a batch; beyond the last one its turns alone.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_triangle(Member const& team, Stage const& stage, int batch, int end) const {
    int const place = batch + team.team_rank();
    stage.fetch_triangle(tables.triangles + (place < end ? place : end - 1), team.team_rank());
    if (place < end) stage.fetch_edges(tables.edges + place, tables.places, team.team_rank());
  }

  /// Copies all nodes. A thread reads the numbers of several ones first: that is the only wait before the one for all
  /// copies.
  KOKKOS_FORCEINLINE_FUNCTION void fetch_nodes(Member const& team, Stage const& stage, int first, int nodes) const {
    constexpr int several = 3;
    int const rank = team.team_rank(), size = team.team_size();
    for (int begin = rank; begin < nodes; begin += several * size) {
      int node[several];
      KARMAN_UNROLL
      for (int n = 0; n < several; ++n)
        node[n] = begin + n * size < nodes ? tables.nodes[first + begin + n * size] : -1;
      KARMAN_UNROLL
      for (int n = 0; n < several; ++n) {
        if (node[n] >= 0) stage.fetch_node(from, to.inverse_mass, tables.targets + first, node[n], begin + n * size);
      }
    }
    await_copies();
    for (int l = rank; l < nodes; l += size) stage.complete_node(l);
  }

  /// The triangle of a thread, with these nodes of its block.
  KOKKOS_FORCEINLINE_FUNCTION EulerTriangle<T> staged(Stage const& stage, int thread, int const (&node)[3]) const {
    EulerTriangle<T> t;
    stage.read_edges(thread, t);
    for (int m = 0; m < 3; ++m) {
      t.volume[m] = stage.volume(node[m]);
      T four[4], two[2];
      stage.read(0, node[m], four);
      for (int c = 0; c < 4; ++c) t.u[c][m] = four[c];
      if constexpr (with_stabilization) {
        stage.read(Stage::place_of_projection, node[m], four);
        for (int c = 0; c < 4; ++c) t.g[c] = m == 0 ? four[c] : t.g[c] + four[c];
      }
      if constexpr (moving) {
        stage.read(Stage::place_of_velocity, node[m], two);
        for (int axis = 0; axis < 2; ++axis) t.w[axis][m] = two[axis];
      }
    }
    return t;
  }

  /// All threads integrate at once; then the colours add in turn, from registers. Meanwhile the triangles of the next
  /// batch come from memory.
  KOKKOS_FORCEINLINE_FUNCTION void integrate_batch(Member const& team, Stage const& stage,
                                                   EulerNumbers<T> const& numbers, int batch, int end,
                                                   T& fastest) const {
    int const rank = team.team_rank();
    await_copies();
    EulerBlockTriangle const triangle = stage.triangle(rank);
    int const node[3] = {triangle.node[0], triangle.node[1], triangle.node[2]};
    bool const any = batch + rank < end;
    T sum[4][3];
    if (any) {
      T const found = valid_rate(euler_triangle<with_stabilization, moving>(numbers, staged(stage, rank, node), sum));
      fastest = found > fastest ? found : fastest;
    }
    int const next = batch + team.team_size();
    if (next < end) fetch_triangle(team, stage, next, end);
    for (int turn = 0; turn <= triangle.turns; ++turn) {
      if (any && turn == triangle.turn) {
        T sums[3][4];
        for (int m = 0; m < 3; ++m) stage.read(Stage::place_of_sums, node[m], sums[m]);
        for (int m = 0; m < 3; ++m) {
          for (int c = 0; c < 4; ++c) sums[m][c] += sum[c][m];
          stage.write(Stage::place_of_sums, node[m], sums[m]);
        }
      }
      team.team_barrier();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& team, Stage const& stage, int first, int nodes) const {
    for (int l = team.team_rank(); l < nodes; l += team.team_size()) {
      T sum[4], inverse_mass = 0;
      int target;
      if constexpr (runs_on_host<Exec>) {
        target = tables.targets[first + l];
        for (int c = 0; c < 4; ++c) sum[c] = stage.sum(c, l);
        if (target < 0) inverse_mass = to.inverse_mass[~target];
      } else {
        target = stage.target(l);
        stage.read(Stage::place_of_sums, l, sum);
        inverse_mass = stage.inverse_mass(l);
      }
      if (target < 0) {
        to.template store<moving>(~target, inverse_mass, sum);
      } else {
        for (int c = 0; c < 4; ++c) partial[c * slots + target] = sum[c];
      }
    }
  }
};

}  // namespace karman::detail
