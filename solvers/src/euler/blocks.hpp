// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel over blocks of triangles, with the nodes of a block in team scratch.
#pragma once

#include "common/raise.hpp"
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
  // Measured on an H200: small teams wait less for the colours of each other. In float more threads share a block,
  // since their registers admit twice as many of them.
  return sizeof(T) < sizeof(double) ? EulerBlockShape{128, 640} : EulerBlockShape{64, 320};
}

/// Values of a node that lie together in the scratch of a device.
template <class T>
constexpr int euler_values_together() {
  return sizeof(T) < sizeof(double) ? 4 : 1;
}

/// Registers of a thread: 65,536 / (128 * this).
template <ExecutionSpace Exec, class T>
constexpr unsigned euler_teams_of_128() {
  return sizeof(T) < sizeof(double) ? 8 : 4;
}

/// Tables of the blocks. Addresses, since Views would make the kernel larger than the arguments of a launch: it would
/// wait for the launch before it.
template <class T>
struct EulerBlockTables {
  double const* points;                   ///< x and y of each node of the mesh
  EulerEdges<T> const* edges;             ///< of each triangle, in place of the points; null where a kernel has none
  int const *node_begin, *nodes;          ///< nodes of each block
  int const* targets;                     ///< of each of them: -1, or its slot
  int const* triangle_begin;              ///< first triangle of each block
  std::uint16_t const* local_nodes;       ///< three per triangle: places among the nodes of the block
  std::uint16_t const* colors;            ///< of a device: colour of each triangle within its block
  int const *color_begin, *color_places;  ///< of a host: first place of each inner colour of a block

  template <class Exec>
  explicit EulerBlockTables(EulerPlan<Exec, T> const& plan) : EulerBlockTables(plan, plan.blocks) {}

 private:
  template <class Exec>
  EulerBlockTables(EulerPlan<Exec, T> const& plan, EulerBlocks<Exec> const& blocks)
      : points(plan.motion.points.data()),
        edges(plan.edges.data()),
        node_begin(blocks.parts.nodes.offsets.data()),
        nodes(blocks.parts.nodes.entries.data()),
        targets(blocks.targets.data()),
        triangle_begin(blocks.parts.triangles.offsets.data()),
        local_nodes(blocks.parts.local_nodes.data()),
        colors(blocks.colors.data()),
        color_begin(blocks.parts.inner_colors.offsets.data()),
        color_places(blocks.parts.inner_colors.entries.data()) {}
};

/// Values of a node that a thread of a device loads at once.
template <class T, int count>
struct alignas(count * sizeof(T)) EulerTuple {
  T v[count];
};

/// One block per team. A node of this block alone, without a boundary, is stored at once. The sums of the others go to
/// their slots, for the kernel FinishRows.
template <class Exec, class T, bool with_stabilization, bool moving = false>
struct EulerBlockKernel {
  static constexpr EulerBlockShape shape = euler_block_shape<Exec, T>();
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<128, euler_teams_of_128<Exec, T>()>>;
  using Member = typename Policy::member_type;
  using Lanes = EulerLanes<T, with_stabilization, moving>;
  /// Triangles bring their edges from memory: a float would hold a coordinate in two parts, and reading both for each
  /// corner takes longer than the triangle.
  static constexpr bool edges_given = euler_edges_stored<Exec>();

  /// Nodes of a block on a device: the first tuple of all nodes, then the second, and so on.
  struct Nodes {
    static constexpr int together = euler_values_together<T>();
    static constexpr int place_of_sums = 4;
    static constexpr int place_of_projection = 8;
    static constexpr int place_of_points = with_stabilization ? 12 : 8;
    static constexpr int place_of_velocity = place_of_points + (edges_given ? 0 : 2);
    static constexpr int place_of_volume = place_of_velocity + (moving ? 2 : 0);
    static constexpr int arrays = place_of_volume + 1;

    T* base;
    int stride;

    /// Reads `count` values, the first of them at a place.
    template <int count>
    KOKKOS_FORCEINLINE_FUNCTION void read(int place, int l, T (&values)[count]) const {
      constexpr int width = together < count ? together : count;
      for (int part = 0; part < count; part += width) {
        auto const tuple = reinterpret_cast<EulerTuple<T, width> const*>(base + (place + part) * stride)[l];
        for (int n = 0; n < width; ++n) values[part + n] = tuple.v[n];
      }
    }
    template <int count>
    KOKKOS_FORCEINLINE_FUNCTION void write(int place, int l, T const (&values)[count]) const {
      constexpr int width = together < count ? together : count;
      for (int part = 0; part < count; part += width) {
        EulerTuple<T, width> tuple;
        for (int n = 0; n < width; ++n) tuple.v[n] = values[part + n];
        reinterpret_cast<EulerTuple<T, width>*>(base + (place + part) * stride)[l] = tuple;
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION T& volume(int l) const { return base[place_of_volume * stride + l]; }
  };
  using Stage = std::conditional_t<runs_on_host<Exec>, typename Lanes::Records, Nodes>;

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
  static std::size_t scratch_bytes(int stride) { return stage_bytes(stride) + 64; }
  static KOKKOS_INLINE_FUNCTION std::size_t stage_bytes(int stride) {
    return std::size_t(Stage::arrays) * std::size_t(stride) * sizeof(T);
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const block = team.league_rank();
    int const first = tables.node_begin[block], nodes = tables.node_begin[block + 1] - first;
    T* base = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(stage_bytes(stride), 64));
    if constexpr (!runs_on_host<Exec>) base = in_fast_scratch(base);
    Stage const stage{base, stride};
    load(team, stage, first, nodes);
    team.team_barrier();
    auto const numbers = from.numbers();
    T fastest = 0;
    if constexpr (runs_on_host<Exec>) {
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
    } else {
      int const begin = tables.triangle_begin[block], end = tables.triangle_begin[block + 1];
      for (int batch = begin; batch < end; batch += team.team_size()) {
        integrate_batch(team, stage, numbers, batch, end, fastest);
      }
    }
    team.team_barrier();
    store(team, stage, first, nodes);
    if (rate == nullptr) return;
    double largest = fastest;
    if constexpr (!runs_on_host<Exec>) team.team_reduce(Kokkos::Max<double>(largest));
    if (team.team_rank() == 0) raise(rate, largest);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Member const& team, Stage const& stage, int first, int nodes) const {
    for (int l = team.team_rank(); l < nodes; l += team.team_size()) {
      int const node = tables.nodes[first + l];
      // All reads before the first write, which a compiler must assume to overlap them.
      double x[2] = {0, 0};
      if constexpr (!edges_given) {
        for (int axis = 0; axis < 2; ++axis) x[axis] = tables.points[2 * std::size_t(node) + std::size_t(axis)];
      }
      T u[4], projection[4], velocity[2] = {0, 0};
      for (int c = 0; c < 4; ++c) {
        u[c] = from.u[c * from.nodes + node];
        projection[c] = with_stabilization ? from.projection[c * from.nodes + node] : T(0);
      }
      if constexpr (moving) {
        for (int axis = 0; axis < 2; ++axis) velocity[axis] = from.velocity[axis * from.nodes + node];
      }
      keep(stage, l, x, u, projection, velocity);
    }
  }

  /// Keeps the values of a node, and zeros for its sums.
  KOKKOS_FORCEINLINE_FUNCTION static void keep(Stage const& stage, int l, double const (&x)[2], T const (&u)[4],
                                               T const (&projection)[4], T const (&velocity)[2]) {
    stage.volume(l) = 1 / u[0];
    if constexpr (runs_on_host<Exec>) {
      stage.keep(l, x, u, projection, velocity);
    } else {
      T const zeros[4] = {0, 0, 0, 0}, point[2] = {static_cast<T>(x[0]), static_cast<T>(x[1])};
      stage.write(0, l, u);
      stage.write(Stage::place_of_sums, l, zeros);
      if constexpr (with_stabilization) stage.write(Stage::place_of_projection, l, projection);
      if constexpr (!edges_given) stage.write(Stage::place_of_points, l, point);
      if constexpr (moving) stage.write(Stage::place_of_velocity, l, velocity);
    }
  }

  /// The triangle at a place of the blocks, with these nodes of its block.
  KOKKOS_FORCEINLINE_FUNCTION EulerTriangle<T> staged(Stage const& stage, int place, int const (&node)[3]) const {
    EulerTriangle<T> t;
    if constexpr (edges_given) {
      EulerEdges<T> const edges = tables.edges[place];
      t.x1 = edges.x1;
      t.y1 = edges.y1;
      t.x2 = edges.x2;
      t.y2 = edges.y2;
    } else {
      T x[3][2];
      for (int m = 0; m < 3; ++m) stage.read(Stage::place_of_points, node[m], x[m]);
      t.x1 = x[1][0] - x[0][0];
      t.y1 = x[1][1] - x[0][1];
      t.x2 = x[2][0] - x[0][0];
      t.y2 = x[2][1] - x[0][1];
    }
    for (int m = 0; m < 3; ++m) {
      t.volume[m] = stage.volume(node[m]);
      T four[4], two[2];
      stage.read(0, node[m], four);
      for (int c = 0; c < 4; ++c) t.u[c][m] = four[c];
      if constexpr (with_stabilization) {
        stage.read(Stage::place_of_projection, node[m], four);
        for (int c = 0; c < 4; ++c) t.g[c][m] = four[c];
      }
      if constexpr (moving) {
        stage.read(Stage::place_of_velocity, node[m], two);
        for (int axis = 0; axis < 2; ++axis) t.w[axis][m] = two[axis];
      }
    }
    return t;
  }

  /// All threads integrate at once; then the colours add, one after the other, from registers.
  KOKKOS_FORCEINLINE_FUNCTION void integrate_batch(Member const& team, Stage const& stage,
                                                   EulerNumbers<T> const& numbers, int batch, int end,
                                                   T& fastest) const {
    int const place = batch + team.team_rank();
    int const last = (batch + team.team_size() < end ? batch + team.team_size() : end) - 1;
    // The triangles of a block ascend by colour.
    int const first_color = tables.colors[batch], last_color = tables.colors[last];
    T sum[4][3];
    int node[3] = {0, 0, 0};
    int own = -1;
    if (place <= last) {
      own = tables.colors[place];
      for (int m = 0; m < 3; ++m) node[m] = tables.local_nodes[3 * std::size_t(place) + m];
      T const found = valid_rate(euler_triangle<with_stabilization, moving>(numbers, staged(stage, place, node), sum));
      fastest = found > fastest ? found : fastest;
    }
    for (int color = first_color; color <= last_color; ++color) {
      if (color == own) {
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
      T sum[4];
      if constexpr (runs_on_host<Exec>) {
        for (int c = 0; c < 4; ++c) sum[c] = stage.sum(c, l);
      } else {
        stage.read(Stage::place_of_sums, l, sum);
      }
      int const slot = tables.targets[first + l];
      if (slot < 0) {
        to.template store<moving>(tables.nodes[first + l], sum);
      } else {
        for (int c = 0; c < 4; ++c) partial[c * slots + slot] = sum[c];
      }
    }
  }
};

}  // namespace karman::detail
