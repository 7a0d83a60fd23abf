// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interleaved Thomas on the host: neighbouring lanes of the vector registers take neighbouring runs of rows. Runs are
/// whole systems or the chunks of a partition.
#pragma once

#include "lanes.hpp"
#include "thomas.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Data of a chunk between the two passes of a partition: its last row, the elimination of those before it, and its
/// first unknown.
template <class T>
struct ChunkEnds {
  TridiagonalRow<T> last;
  T rhs;
  Eliminated<T> above;
  FirstUnknown<T> first;
};

/// Division of the runs of a batch. A tile has as many runs as there are lanes. A slot is a task with its own workspace
/// and takes every slots-th tile. The slot of a tile changes no result.
struct LaneCut {
  SystemShape shape;
  std::int64_t chunks;  ///< runs per system
  bool systems_fastest, axis0_fastest;
  std::int64_t tiles;
  int slots;
};

/// Tag: whole systems.
struct WholeSystems {};
/// Tag: from chunks to their ends.
struct ChunksToEnds {};
/// Tag: the unknowns of chunks, from the last ones of all chunks.
struct EndsToChunks {};

template <class T, class Rows, int lanes>
struct InterleavedKernel {
  static constexpr int block = host_block<T>;

  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  LaneCut cut;
  T* workspace;
  std::int64_t slot_values;
  ChunkEnds<T>* ends;  ///< of every chunk, (system, chunk)
  T const* solved;     ///< the last unknowns of all chunks, (system, chunk)

  template <class Tag>
  void operator()(Tag const& tag, int slot) const {
    for (std::int64_t tile = slot; tile < cut.tiles; tile += cut.slots) {
      LaneRuns<lanes> runs;
      runs.take(cut.shape, cut.chunks, cut.systems_fastest, cut.axis0_fastest, tile * lanes);
      work(tag, runs, workspace + slot * slot_values);
    }
  }

 private:
  using Lanes = T[lanes];
  struct Blocks {
    LaneRows<T, lanes> rows;
    LaneBlock<T, lanes> rhs;
  };

  /// Elimination in all lanes: Eliminated and, with `ends`, FirstUnknown.
  struct State {
    Lanes u, r, f, s, p, q;
    State() {
      for (int l = 0; l < lanes; ++l) {
        u[l] = r[l] = T(0);
        f[l] = T(-1);
        restart(l);
      }
    }
    void restart(int l) {
      s[l] = T(-1);
      p[l] = q[l] = T(0);
    }

    void add(Lanes const& lower, Lanes const& diagonal, Lanes const& upper, Lanes const& right) {
      KARMAN_SIMD
      for (int l = 0; l < lanes; ++l) {
        T const inverse = reciprocal(T(diagonal[l] - lower[l] * u[l]));
        T const scaled = lower[l] * inverse;
        u[l] = upper[l] * inverse;
        r[l] = right[l] * inverse - scaled * r[l];
      }
    }
    void add_with_ends(Lanes const& lower, Lanes const& diagonal, Lanes const& upper, Lanes const& right) {
      KARMAN_SIMD
      for (int l = 0; l < lanes; ++l) {
        T const inverse = reciprocal(T(diagonal[l] - lower[l] * u[l]));
        T const scaled = lower[l] * inverse;
        u[l] = upper[l] * inverse;
        r[l] = right[l] * inverse - scaled * r[l];
        f[l] = -(scaled * f[l]);
        p[l] -= s[l] * r[l];
        q[l] -= s[l] * f[l];
        s[l] = -(s[l] * u[l]);
      }
    }
  };

  /// Loads a block of rows with corrections at its bounds: the edges of systems, and rows before a short run.
  void load(LaneReader<T, Rows, lanes> const& reader, LaneArray<T const, lanes> const& right,
            LaneRuns<lanes> const& runs, std::int64_t first, int count, Blocks& blocks) const {
    reader.load(first, count, blocks.rows);
    right.load(first, count, blocks.rhs);
    std::int64_t const last = cut.shape.rows - 1;
    for (int l = 0; l < lanes; ++l) {
      std::int64_t const begin = runs.begin[l] + first;
      if (begin == 0) bound_lane(blocks.rows, 0, l, cut.shape, 0);
      if (last >= begin && last < begin + count && last > 0)
        bound_lane(blocks.rows, int(last - begin), l, cut.shape, last);
    }
    if (runs.any_padded && first == 0) {
      for (int l = 0; l < lanes; ++l) {
        if (!runs.padded[l]) continue;
        blocks.rows.lower[0][l] = T(-1);
        blocks.rows.diagonal[0][l] = T(1);
        blocks.rows.upper[0][l] = T(0);
        blocks.rhs[0][l] = T(0);
      }
    }
  }

  static void keep(Lanes const& values, T* to) {
    KARMAN_SIMD
    for (int l = 0; l < lanes; ++l) to[l] = values[l];
  }

  /// Substitution upwards, x = r - u x, from the eliminated rows 0 .. run_rows - 1 of all lanes in the workspace (u and
  /// r).
  void substitute(LaneRuns<lanes> const& runs, T const* kept, std::int64_t run_rows, Lanes& below) const {
    LaneArray<T, lanes> const out(x, runs);
    LaneBlock<T, lanes> values;
    for (std::int64_t end = run_rows; end > 0;) {
      // Whole blocks start at multiples of the block, like the loads.
      std::int64_t const begin = (end - 1) / block * block;
      int const count = static_cast<int>(end - begin);
      for (int i = count - 1; i >= 0; --i) {
        T const* const at = kept + (begin + i) * 2 * lanes;
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) {
          below[l] = at[lanes + l] - at[l] * below[l];
          values[i][l] = below[l];
        }
      }
      out.store(begin, count, values, runs);
      end = begin;
    }
  }

  /// Eliminates rows 0 .. run_rows - 1 of all lanes. `above` goes to the right-hand side of the first row.
  void eliminate(LaneRuns<lanes> const& runs, std::int64_t run_rows, Lanes const* above, T* kept) const {
    LaneReader<T, Rows, lanes> const reader(rows, runs);
    LaneArray<T const, lanes> const right(rhs, runs);
    Blocks blocks;
    State state;
    for (std::int64_t first = 0; first < run_rows; first += block) {
      int const count = static_cast<int>(std::min<std::int64_t>(block, run_rows - first));
      load(reader, right, runs, first, count, blocks);
      if (first == 0 && above != nullptr) {
        for (int l = 0; l < lanes; ++l) {
          blocks.rhs[0][l] -= blocks.rows.lower[0][l] * (*above)[l];
          blocks.rows.lower[0][l] = T(0);
        }
      }
      for (int i = 0; i < count; ++i) {
        state.add(blocks.rows.lower[i], blocks.rows.diagonal[i], blocks.rows.upper[i], blocks.rhs[i]);
        keep(state.u, kept + (first + i) * 2 * lanes);
        keep(state.r, kept + (first + i) * 2 * lanes + lanes);
      }
    }
  }

  void work(WholeSystems, LaneRuns<lanes> const& runs, T* kept) const {
    eliminate(runs, runs.rows, nullptr, kept);
    Lanes below;
    for (int l = 0; l < lanes; ++l) below[l] = T(0);
    substitute(runs, kept, runs.rows, below);
  }

  void work(ChunksToEnds, LaneRuns<lanes> const& runs, T*) const {
    LaneReader<T, Rows, lanes> const reader(rows, runs);
    LaneArray<T const, lanes> const right(rhs, runs);
    Blocks blocks;
    State state;
    std::int64_t const inner = runs.rows - 1;
    for (std::int64_t first = 0; first < runs.rows; first += block) {
      int const count = static_cast<int>(std::min<std::int64_t>(block, runs.rows - first));
      load(reader, right, runs, first, count, blocks);
      for (int i = 0; i < count && first + i < inner; ++i) {
        state.add_with_ends(blocks.rows.lower[i], blocks.rows.diagonal[i], blocks.rows.upper[i], blocks.rhs[i]);
        if (first + i == 0 && runs.any_padded) {
          for (int l = 0; l < lanes; ++l) {
            if (runs.padded[l]) state.restart(l);
          }
        }
      }
      if (first + count <= inner) continue;
      int const i = count - 1;
      for (int l = 0; l < runs.valid; ++l) {
        ends[runs.number[l]] = {{blocks.rows.lower[i][l], blocks.rows.diagonal[i][l], blocks.rows.upper[i][l]},
                                blocks.rhs[i][l],
                                {state.u[l], state.r[l], state.f[l]},
                                {state.s[l], state.p[l], state.q[l]}};
      }
    }
  }

  void work(EndsToChunks, LaneRuns<lanes> const& runs, T* kept) const {
    std::int64_t const inner = runs.rows - 1;
    Lanes above, below;
    for (int l = 0; l < lanes; ++l) {
      std::int64_t const chunk = runs.number[l] % cut.chunks;
      below[l] = solved[runs.number[l]];
      above[l] = chunk > 0           ? solved[runs.number[l] - 1]
                 : cyclic(cut.shape) ? solved[runs.number[l] + cut.chunks - 1]
                                     : T(0);
      if (l < runs.valid) x(runs.system0[l], runs.system1[l], runs.begin[l] + inner) = below[l];
    }
    eliminate(runs, inner, &above, kept);
    substitute(runs, kept, inner, below);
  }
};

/// The rows of a system with one row per chunk, from the ends of the chunks.
template <class T>
struct RowsFromEnds {
  ChunkEnds<T> const* ends;
  std::int64_t chunks;
  bool wraps;
  T *lower, *diagonal, *upper, *rhs;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t const chunk = i % chunks;
    ChunkEnds<T> const& end = ends[i];
    FirstUnknown<T> below{T(0), T(0), T(0)};
    if (chunk + 1 < chunks) {
      below = ends[i + 1].first;
    } else if (wraps) {
      below = ends[i - chunk].first;
    }
    lower[i] = -(end.last.lower * end.above.f);
    diagonal[i] = end.last.diagonal - end.last.lower * end.above.u - end.last.upper * below.q;
    upper[i] = -(end.last.upper * below.s);
    rhs[i] = end.rhs - end.last.lower * end.above.r - end.last.upper * below.p;
  }
};

}  // namespace karman::detail
