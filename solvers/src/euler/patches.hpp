// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel of a whole stage of a march with local steps: residual, boundary and smoothing, over overlapping patches.
#pragma once

#include "device_math.hpp"
#include "local_rates.hpp"
#include "plan.hpp"
#include "rows.hpp"
#include "triangles.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Sweeps of the smoothing that a patch has rings for.
constexpr int most_patch_sweeps = 2;

/// A patch has nodes of its own, ring 0, and the rings of nodes around them. A place of a node is called slot; a
/// periodic group has one slot. Slots ascend by ring. Triangles and boundary nodes ascend by the lowest ring that needs
/// them. The counts belong to the rings 0 ... r.
struct EulerPatch {
  int first_slot, first_triangle, first_boundary, first_output;
  int first_corner;  ///< among the beginnings of the corners of slots
  int slots[most_patch_sweeps + 2] = {};
  int triangles[most_patch_sweeps + 1] = {};   ///< at these slots
  int boundaries[most_patch_sweeps + 1] = {};  ///< slots with half edges
  int outputs = 0;                             ///< nodes of the slots of ring 0
};

/// In a list of places: none.
constexpr std::uint16_t no_place = 0xffff;

/// Lengths of the arrays of a patch: the most of all patches.
struct EulerPatchSizes {
  int slots = 0, corners = 0, boundaries = 0;
  int own_corners = 0;  ///< at the slots of ring 0
};

/// Lists of all patches. Addresses, for a small kernel.
template <class T>
struct EulerPatchTables {
  EulerPatch const* patches;
  int const *nodes, *places;         ///< of each slot: number of the caller, and of the plan
  EulerEdges<T> const* edges;        ///< of each triangle
  std::uint16_t const* local_nodes;  ///< slots of its three corners
  int const* corner_begin;           ///< of each slot: places among the corners of the patch
  std::uint16_t const* corners;      ///< of each corner of the triangles: its place in the patch, or none
  int const* neighbor_begin;         ///< of each slot
  std::uint16_t const* neighbors;    ///< slots
  std::uint16_t const *boundary_of, *boundary_slots;  ///< boundary of each slot, or none; and the reverse
  int const *boundary_begin, *boundary_end;           ///< half edges of a boundary slot
  std::uint16_t const* output_slots;                  ///< of each output
  int const *output_nodes, *output_places;            ///< its number of the caller, and of the plan
  EulerHalfEdge<T> const* half_edges;
};

/// Fields that a stage reads and writes.
template <class T>
struct EulerPatchStage {
  EulerSource<T> from;        ///< u in the numbering of the caller, projection in that of the plan
  EulerSide<T> const* sides;  ///< conditions of the boundary
  T const* inverse_mass;      ///< in the numbering of the plan
  T const* dt = nullptr;      ///< step of each node; null: the residual itself, in the numbering of the plan
  T const* base = nullptr;    ///< null: zeros
  T* result = nullptr;        ///< base + factor (smoothed) dt du/dt
  T* rates = nullptr;         ///< of all four variables of each node; null: unwanted
  T factor = 1, eps = 0;
  int sweeps = 0;
};

/// One patch per team. The sums around a node have a fixed order: same bits from run to run.
template <class Exec, class T, bool with_stabilization>
struct EulerPatchKernel {
  static constexpr int threads = runs_on_host<Exec> ? 1 : 256;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<256, 2>>;
  using Member = typename Policy::member_type;

  EulerPatchTables<T> tables;
  EulerPatchStage<T> stage;
  EulerPatchSizes sizes;
  int level;  ///< of the scratch

  /// Arrays in scratch, component by component. The changes take the place of the states, and of the shares after the
  /// first sweep.
  struct Work {
    T *changes, *volume, *scale, *projection, *shares, *rates, *exchanged, *wave;
    static constexpr int per_slot = with_stabilization ? 10 : 6, per_corner = 4, per_boundary = 5;

    KOKKOS_FORCEINLINE_FUNCTION Work(T* base, EulerPatchSizes const& sizes)
        : changes(base),
          volume(changes + 4 * sizes.slots),
          scale(volume + sizes.slots),
          projection(scale + sizes.slots),
          shares(projection + (with_stabilization ? 4 * sizes.slots : 0)),
          rates(shares + 4 * sizes.corners),
          exchanged(rates + sizes.own_corners),
          wave(exchanged + 4 * sizes.boundaries) {}
  };

  static KOKKOS_INLINE_FUNCTION std::size_t work_bytes(EulerPatchSizes const& sizes) {
    return std::size_t(Work::per_slot * sizes.slots + Work::per_corner * sizes.corners + sizes.own_corners +
                       Work::per_boundary * sizes.boundaries) *
           sizeof(T);
  }
  static std::size_t scratch_bytes(EulerPatchSizes const& sizes) { return work_bytes(sizes) + 64; }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    EulerPatch const patch = tables.patches[team.league_rank()];
    T* base = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(work_bytes(sizes), 64));
    if constexpr (!runs_on_host<Exec>) base = in_fast_scratch(base);
    Work const work(base, sizes);
    load(team, patch, work);
    team.team_barrier();
    integrate(team, patch, work);
    team.team_barrier();
    collect(team, patch, work);
    team.team_barrier();
    static_assert(most_patch_sweeps == 2, "each sweep but the last one needs an array of its own");
    if (stage.sweeps == 2) {
      smooth(team, patch, work);
      team.team_barrier();
    }
    store(team, patch, work);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Member const& team, EulerPatch const& patch, Work const& work) const {
    int const count = patch.slots[stage.sweeps + 1], collected = patch.slots[stage.sweeps];
    std::int64_t const nodes = stage.from.nodes;
    for (int l = team.team_rank(); l < count; l += team.team_size()) {
      int const node = tables.nodes[patch.first_slot + l], place = tables.places[patch.first_slot + l];
      T u[4], projection[4], scale = 0;
      for (int c = 0; c < 4; ++c) {
        u[c] = stage.from.u[c * nodes + node];
        projection[c] = with_stabilization ? stage.from.projection[c * nodes + place] : T(0);
      }
      if (l < collected) scale = stage.inverse_mass[place] * (stage.dt != nullptr ? stage.dt[node] : T(1));
      for (int c = 0; c < 4; ++c) {
        work.changes[c * sizes.slots + l] = u[c];
        if constexpr (with_stabilization) work.projection[c * sizes.slots + l] = projection[c];
      }
      work.volume[l] = 1 / u[0];
      work.scale[l] = scale;
    }
  }

  /// Shares of the triangles, and of the boundary beside them.
  KOKKOS_FORCEINLINE_FUNCTION void integrate(Member const& team, EulerPatch const& patch, Work const& work) const {
    // Boundary nodes take warps of their own: both then run at once.
    constexpr int warp = runs_on_host<Exec> ? 1 : 32;
    int const triangles = patch.triangles[stage.sweeps], padded = (triangles + warp - 1) / warp * warp;
    int const count = padded + patch.boundaries[stage.sweeps];
    auto const numbers = stage.from.numbers();
    for (int n = team.team_rank(); n < count; n += team.team_size()) {
      if (n < triangles) add_triangle(patch, work, numbers, n);
      else if (n >= padded) add_boundary(patch, work, n - padded);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_triangle(EulerPatch const& patch, Work const& work,
                                                EulerNumbers<T> const& numbers, int n) const {
    std::size_t const place = std::size_t(patch.first_triangle + n);
    EulerEdges<T> const edges = tables.edges[place];
    EulerTriangle<T> t;
    t.x1 = edges.x1;
    t.y1 = edges.y1;
    t.x2 = edges.x2;
    t.y2 = edges.y2;
    std::uint16_t corners[3];
    for (int m = 0; m < 3; ++m) {
      corners[m] = tables.corners[3 * place + std::size_t(m)];
      int const l = tables.local_nodes[3 * place + std::size_t(m)];
      t.volume[m] = work.volume[l];
      for (int c = 0; c < 4; ++c) {
        t.u[c][m] = work.changes[c * sizes.slots + l];
        if constexpr (with_stabilization) {
          T const projected = work.projection[c * sizes.slots + l];
          t.g[c] = m == 0 ? projected : t.g[c] + projected;
        }
      }
    }
    T sum[4][3];
    T const rate = valid_rate(euler_triangle<with_stabilization>(numbers, t, sum));
    for (int m = 0; m < 3; ++m) {
      int const corner = corners[m];
      if (corner == no_place) continue;
      for (int c = 0; c < 4; ++c) work.shares[c * sizes.corners + corner] = sum[c][m];
      if (corner < sizes.own_corners) work.rates[corner] = rate;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_boundary(EulerPatch const& patch, Work const& work, int n) const {
    int const b = patch.first_boundary + n, l = tables.boundary_slots[b];
    int const begin = tables.boundary_begin[b], end = tables.boundary_end[b];
    T state[4], sum[4] = {};
    for (int c = 0; c < 4; ++c) state[c] = work.changes[c * sizes.slots + l];
    exchange_boundary<false>(tables.half_edges, stage.sides, stage.from.gamma, state, T(0), T(0), begin, end, sum);
    for (int c = 0; c < 4; ++c) work.exchanged[c * sizes.boundaries + n] = sum[c];
    if (stage.rates != nullptr && l < patch.slots[0]) {
      work.wave[n] = boundary_wave(tables.half_edges, stage.sides, stage.from.gamma, state, begin, end);
    }
  }

  /// Calls body(c, l) for the four components of `count` slots.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void for_components(Member const& team, int count, Body const& body) {
    for (int n = team.team_rank(); n < 4 * count; n += team.team_size()) body(n & 3, n >> 2);
  }

  /// changes = dt du/dt; the volumes of ring 0 become its rates.
  KOKKOS_FORCEINLINE_FUNCTION void collect(Member const& team, EulerPatch const& patch, Work const& work) const {
    for_components(team, patch.slots[stage.sweeps], [&](int c, int l) {
      int const begin = tables.corner_begin[patch.first_corner + l],
                end = tables.corner_begin[patch.first_corner + l + 1];
      int const boundary = tables.boundary_of[patch.first_slot + l];
      T sum = boundary < no_place ? work.exchanged[c * sizes.boundaries + boundary] : T(0);
      for (int n = begin; n < end; ++n) sum += work.shares[c * sizes.corners + n];
      work.changes[c * sizes.slots + l] = work.scale[l] * sum;
    });
    if (stage.rates == nullptr) return;
    // By the last threads, which have less to do.
    for (int l = team.team_size() - 1 - team.team_rank(); l < patch.slots[0]; l += team.team_size()) {
      int const begin = tables.corner_begin[patch.first_corner + l],
                end = tables.corner_begin[patch.first_corner + l + 1];
      int const boundary = tables.boundary_of[patch.first_slot + l];
      T largest = 0;
      for (int n = begin; n < end; ++n) largest = work.rates[n] > largest ? work.rates[n] : largest;
      if (boundary < no_place) {
        largest += valid_rate(work.wave[boundary] * stage.inverse_mass[tables.places[patch.first_slot + l]]);
      }
      work.volume[l] = largest;
    }
  }

  /// One sweep at a slot: s = (w + eps sum of `from` at the neighbours) / (1 + eps n).
  KOKKOS_FORCEINLINE_FUNCTION T smoothed(EulerPatch const& patch, Work const& work, T const* from, int c, int l) const {
    int const begin = tables.neighbor_begin[patch.first_slot + l],
              end = tables.neighbor_begin[patch.first_slot + l + 1];
    T sum = 0;
    for (int n = begin; n < end; ++n) sum += from[c * sizes.slots + tables.neighbors[n]];
    return (work.changes[c * sizes.slots + l] + stage.eps * sum) / (1 + stage.eps * static_cast<T>(end - begin));
  }

  KOKKOS_FORCEINLINE_FUNCTION void smooth(Member const& team, EulerPatch const& patch, Work const& work) const {
    for_components(team, patch.slots[1],
                   [&](int c, int l) { work.shares[c * sizes.slots + l] = smoothed(patch, work, work.changes, c, l); });
  }

  /// The last sweep, and the new values of the nodes.
  KOKKOS_FORCEINLINE_FUNCTION void store(Member const& team, EulerPatch const& patch, Work const& work) const {
    std::int64_t const nodes = stage.from.nodes;
    for_components(team, patch.outputs, [&](int c, int n) {
      int const output = patch.first_output + n, l = tables.output_slots[output];
      std::int64_t const node = stage.dt != nullptr ? tables.output_nodes[output] : tables.output_places[output];
      T const old = stage.base != nullptr ? stage.base[c * nodes + node] : T(0);
      T const change = stage.sweeps == 0 ? work.changes[c * sizes.slots + l]
                                         : smoothed(patch, work, stage.sweeps == 2 ? work.shares : work.changes, c, l);
      stage.result[c * nodes + node] = old + stage.factor * change;
      if (stage.rates != nullptr) stage.rates[c * nodes + node] = work.volume[l];
    });
  }
};

}  // namespace karman::detail
