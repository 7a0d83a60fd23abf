// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel over blocks of triangles, with the nodes of a block in team scratch.
#pragma once

#include "plan.hpp"
#include "triangles.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Raises a number, none negative, to at least `value`. The bits of such numbers ascend as they do, and whole numbers
/// have a native atomic operation.
KOKKOS_FORCEINLINE_FUNCTION void raise(double* number, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(number);
  Kokkos::atomic_fetch_max(bits, __builtin_bit_cast(unsigned long long, value));
}

/// Shape of the teams. On a host one thread computes a block, `lanes` triangles at a time.
struct EulerBlockShape {
  int threads, triangles, lanes;
};

template <ExecutionSpace Exec, class T>
constexpr EulerBlockShape euler_block_shape() {
  if (runs_on_host<Exec>) return {1, 1024, 64 / static_cast<int>(sizeof(T))};
  // Measured on an H200: smaller teams wait less for the colours of each other, blocks of few bytes may be larger.
  return {64, sizeof(T) < sizeof(double) ? 512 : 256, 1};
}

/// Tables of the blocks. Addresses, since Views would make the kernel larger than the arguments of a launch: it would
/// wait for the launch before it.
struct EulerBlockTables {
  double const* points;                   ///< x and y of each node of the mesh
  int const *node_begin, *nodes;          ///< nodes of each block
  int const* targets;                     ///< of each of them: -1, or its slot
  int const* triangle_begin;              ///< first triangle of each block
  std::uint16_t const* local_nodes;       ///< three per triangle: places among the nodes of the block
  std::uint16_t const* colors;            ///< of a device: colour of each triangle within its block
  int const *color_begin, *color_places;  ///< of a host: first place of each inner colour of a block

  template <class Exec>
  EulerBlockTables(double const* points_, EulerBlocks<Exec> const& blocks)
      : points(points_),
        node_begin(blocks.parts.nodes.offsets.data()),
        nodes(blocks.parts.nodes.entries.data()),
        targets(blocks.targets.data()),
        triangle_begin(blocks.parts.triangles.offsets.data()),
        local_nodes(blocks.parts.local_nodes.data()),
        colors(blocks.colors.data()),
        color_begin(blocks.parts.inner_colors.offsets.data()),
        color_places(blocks.parts.inner_colors.entries.data()) {}
};

/// One block per team. A node of this block alone, without a boundary, is stored at once. The sums of the others go to
/// their slots, for the kernel FinishRows.
template <class Exec, class T, bool with_stabilization, bool moving = false>
struct EulerBlockKernel {
  static constexpr EulerBlockShape shape = euler_block_shape<Exec, T>();
  /// Bounds the registers to 128 per thread.
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<128, 4>>;
  using Member = typename Policy::member_type;
  /// A float holds a coordinate in two parts: blocks may reach far beyond the edges of their smallest triangles.
  static constexpr bool split = sizeof(T) < sizeof(double);
  static constexpr int coordinates = split ? 4 : 2;
  static constexpr int motion = 9 + coordinates + (with_stabilization ? 4 : 0);  ///< first array of the velocity
  static constexpr int arrays = motion + (moving ? 2 : 0);                       ///< also u, 1 / rho, sums, projection

  EulerSource<T> from;
  EulerBlockTables tables;
  T* partial;
  std::int64_t slots;
  EulerTarget<T> to;
  double* rate;  ///< null: unwanted
  int stride;    ///< of the arrays in scratch
  int level;     ///< of the scratch

  /// Length of the arrays: whole cache lines, so that the vectors of a host are aligned.
  static int stride_of(int nodes) { return (nodes + 15) / 16 * 16; }
  static std::size_t scratch_bytes(int stride) { return std::size_t(arrays) * std::size_t(stride) * sizeof(T) + 64; }

  /// Arrays of the nodes of a block.
  struct Stage {
    T* base;
    int stride;
    KOKKOS_FORCEINLINE_FUNCTION T& u(int c, int l) const { return base[c * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& sum(int c, int l) const { return base[(4 + c) * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& volume(int l) const { return base[8 * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& x(int axis, int l) const { return base[(9 + axis) * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& low(int axis, int l) const { return base[(11 + axis) * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& projection(int c, int l) const { return base[(9 + coordinates + c) * stride + l]; }
    KOKKOS_FORCEINLINE_FUNCTION T& velocity(int axis, int l) const { return base[(motion + axis) * stride + l]; }
    /// Coordinate of one node relative to that of another.
    KOKKOS_FORCEINLINE_FUNCTION T edge(int axis, int from, int to) const {
      if constexpr (split) return (x(axis, to) - x(axis, from)) + (low(axis, to) - low(axis, from));
      else return x(axis, to) - x(axis, from);
    }
  };

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const block = team.league_rank();
    int const first = tables.node_begin[block], nodes = tables.node_begin[block + 1] - first;
    Stage const stage{static_cast<T*>(team.team_scratch(level).get_shmem_aligned(
                          std::size_t(arrays) * std::size_t(stride) * sizeof(T), 64)),
                      stride};
    load(team, stage, first, nodes);
    team.team_barrier();
    auto const numbers = from.numbers();
    double fastest = 0;
    if constexpr (runs_on_host<Exec>) {
      T largest[shape.lanes] = {};
      int const first_color = tables.color_begin[block], last_color = tables.color_begin[block + 1] - 1;
      for (int c = first_color; c < last_color; ++c) {
        int const color_end = tables.color_places[c + 1];
        for (int place = tables.color_places[c]; place < color_end; place += shape.lanes) {
          integrate_lanes(stage, numbers, place, color_end - place < shape.lanes ? color_end - place : shape.lanes,
                          largest);
        }
      }
      for (T const found : largest) fastest = double(found) > fastest ? double(found) : fastest;
    } else {
      int const begin = tables.triangle_begin[block], end = tables.triangle_begin[block + 1];
      for (int batch = begin; batch < end; batch += team.team_size()) {
        integrate_batch(team, stage, numbers, batch, end, fastest);
      }
    }
    team.team_barrier();
    store(team, stage, first, nodes);
    if (rate == nullptr) return;
    if constexpr (!runs_on_host<Exec>) team.team_reduce(Kokkos::Max<double>(fastest));
    if (team.team_rank() == 0) raise(rate, fastest);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Member const& team, Stage const& stage, int first, int nodes) const {
    for (int l = team.team_rank(); l < nodes; l += team.team_size()) {
      int const node = tables.nodes[first + l];
      // All reads before the first write, which might overlap them as far as a compiler can tell.
      double const x[2] = {tables.points[2 * std::size_t(node)], tables.points[2 * std::size_t(node) + 1]};
      T u[4], projection[4], velocity[2] = {0, 0};
      for (int c = 0; c < 4; ++c) {
        u[c] = from.u[c * from.nodes + node];
        projection[c] = with_stabilization ? from.projection[c * from.nodes + node] : T(0);
      }
      if constexpr (moving) {
        for (int axis = 0; axis < 2; ++axis) velocity[axis] = from.velocity[axis * from.nodes + node];
        for (int axis = 0; axis < 2; ++axis) stage.velocity(axis, l) = velocity[axis];
      }
      for (int axis = 0; axis < 2; ++axis) {
        stage.x(axis, l) = static_cast<T>(x[axis]);
        if constexpr (split)
          stage.low(axis, l) = static_cast<T>(x[axis] - static_cast<double>(static_cast<T>(x[axis])));
      }
      stage.volume(l) = 1 / u[0];
      for (int c = 0; c < 4; ++c) {
        stage.u(c, l) = u[c];
        stage.sum(c, l) = 0;
        if constexpr (with_stabilization) stage.projection(c, l) = projection[c];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION EulerTriangle<T> staged(Stage const& stage, int a, int b, int c) const {
    EulerTriangle<T> t;
    t.x1 = stage.edge(0, a, b);
    t.y1 = stage.edge(1, a, b);
    t.x2 = stage.edge(0, a, c);
    t.y2 = stage.edge(1, a, c);
    t.volume[0] = stage.volume(a);
    t.volume[1] = stage.volume(b);
    t.volume[2] = stage.volume(c);
    for (int v = 0; v < 4; ++v) {
      t.u[v][0] = stage.u(v, a);
      t.u[v][1] = stage.u(v, b);
      t.u[v][2] = stage.u(v, c);
      t.g[v][0] = with_stabilization ? stage.projection(v, a) : T(0);
      t.g[v][1] = with_stabilization ? stage.projection(v, b) : T(0);
      t.g[v][2] = with_stabilization ? stage.projection(v, c) : T(0);
    }
    if constexpr (moving) {
      for (int axis = 0; axis < 2; ++axis) {
        t.w[axis][0] = stage.velocity(axis, a);
        t.w[axis][1] = stage.velocity(axis, b);
        t.w[axis][2] = stage.velocity(axis, c);
      }
    }
    return t;
  }

  /// All threads integrate at once; then the colours add, one after the other, from registers.
  KOKKOS_FORCEINLINE_FUNCTION void integrate_batch(Member const& team, Stage const& stage,
                                                   EulerNumbers<T> const& numbers, int batch, int end,
                                                   double& fastest) const {
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
      T const found = valid_rate(
          euler_triangle<with_stabilization, moving>(numbers, staged(stage, node[0], node[1], node[2]), sum));
      fastest = double(found) > fastest ? double(found) : fastest;
    }
    for (int color = first_color; color <= last_color; ++color) {
      if (color == own) {
        for (int c = 0; c < 4; ++c) {
          for (int m = 0; m < 3; ++m) sum[c][m] += stage.sum(c, node[m]);
        }
        for (int c = 0; c < 4; ++c) {
          for (int m = 0; m < 3; ++m) stage.sum(c, node[m]) = sum[c][m];
        }
      }
      team.team_barrier();
    }
  }

  /// Triangles of one colour: their nodes differ, so that lanes may add at once.
  KOKKOS_FUNCTION void integrate_lanes(Stage const& stage, EulerNumbers<T> const& numbers, int place, int count,
                                       T (&largest)[shape.lanes]) const {
    alignas(64) T sums[12][shape.lanes];
    std::uint16_t const* const local = tables.local_nodes + 3 * std::size_t(place);
    KARMAN_SIMD
    for (int l = 0; l < count; ++l) {
      T sum[4][3];
      T const rate = valid_rate(euler_triangle<with_stabilization, moving>(
          numbers, staged(stage, local[3 * l], local[3 * l + 1], local[3 * l + 2]), sum));
      largest[l] = rate > largest[l] ? rate : largest[l];
      for (int c = 0; c < 4; ++c) {
        for (int m = 0; m < 3; ++m) sums[3 * c + m][l] = sum[c][m];
      }
    }
    for (int l = 0; l < count; ++l) {
      for (int m = 0; m < 3; ++m) {
        int const node = local[3 * l + m];
        for (int c = 0; c < 4; ++c) stage.sum(c, node) += sums[3 * c + m][l];
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& team, Stage const& stage, int first, int nodes) const {
    for (int l = team.team_rank(); l < nodes; l += team.team_size()) {
      T sum[4];
      for (int c = 0; c < 4; ++c) sum[c] = stage.sum(c, l);
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
