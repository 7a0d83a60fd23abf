// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Gaussian elimination with scaled partial pivoting on a host: one whole system in each lane of the vector registers.
///
/// Elimination of an unknown leaves one row in the next two unknowns. Of it and the next row of the system, the one
/// with the larger coefficient is the pivot row (as in LAPACK's gtsv, with rows scaled by powers of two). Selections
/// instead of branches exchange the rows, so that every lane exchanges its own.
///
/// Cost: a row is read once (4 values with arrays), its unknown written once; about 20 flops and one division. The
/// eliminated rows, three values each, stay in the second-level cache.
#pragma once

#include "host.hpp"
#include "pivoting.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

namespace pivoting {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool first, T a, T b) {
  return first ? a : b;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> select(bool first, Kokkos::complex<T> a, Kokkos::complex<T> b) {
  return {first ? a.real() : b.real(), first ? a.imag() : b.imag()};
}

template <class T, class Rows, int lanes>
struct SolveInLanes {
  static constexpr int block = host_block<T>;
  using R = decltype(size_of(T()));

  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  LaneCut cut;
  T* workspace;  ///< of every slot: slot_values()

  /// Three values of every eliminated row, and two solutions.
  static std::int64_t slot_values(std::int64_t rows) { return lanes * (3 * (rows + 1) + 2 * rows); }

  void operator()(int slot) const {
    T* const kept = workspace + slot * slot_values(cut.shape.rows);
    for (std::int64_t tile = slot; tile < cut.tiles; tile += cut.slots) {
      LaneRuns<lanes> runs;
      runs.take(cut.shape, 1, cut.systems_fastest, cut.axis0_fastest, tile * lanes);
      solve(runs, kept);
    }
  }

 private:
  using Lanes = T[lanes];

  /// The solution of one lane. A functor, because nvcc refuses a lambda of the host in a function for both sides.
  struct OneLane {
    T const* solution;
    int lane;
    KOKKOS_FUNCTION T const& operator()(std::int64_t k) const { return solution[k * lanes + lane]; }
  };

  /// Candidate of the pivot row: coefficients of the next unknown and of the one after it.
  struct Candidate {
    Lanes here, next, rhs;
  };

  /// Eliminates the candidate's unknown with a further row. `to` keeps the pivot row divided by its pivot.
  static void eliminate(Candidate& candidate, Lanes const& lower, Lanes const& diagonal, Lanes const& upper,
                        Lanes const& right, T* to) {
    KARMAN_SIMD
    for (int l = 0; l < lanes; ++l) {
      T const a = lower[l], b = diagonal[l], c = upper[l], r = right[l];
      T const here = candidate.here[l], next = candidate.next[l], known = candidate.rhs[l];
      bool const exchange = size_of(a) > size_of(here);
      T const inverse = reciprocal(select(exchange, a, here));
      T const factor = select(exchange, here, a);
      T const scaled_next = select(exchange, b, next) * inverse;
      T const beyond = select(exchange, c, T(0)) * inverse;
      T const scaled_rhs = select(exchange, r, known) * inverse;
      candidate.here[l] = select(exchange, next, b) - factor * scaled_next;
      candidate.next[l] = select(exchange, T(0), c) - factor * beyond;
      candidate.rhs[l] = select(exchange, known, r) - factor * scaled_rhs;
      to[l] = scaled_next;
      to[lanes + l] = beyond;
      to[2 * lanes + l] = scaled_rhs;
    }
  }

  /// Scales rows to entries of order one; least and greatest factor of every lane.
  static void scale(Lanes& lower, Lanes& diagonal, Lanes& upper, Lanes& right, R (&least)[lanes],
                    R (&greatest)[lanes]) {
    KARMAN_SIMD
    for (int l = 0; l < lanes; ++l) {
      R const factor = row_factor(size_of(lower[l]), size_of(diagonal[l]), size_of(upper[l]));
      least[l] = least[l] < factor ? least[l] : factor;
      greatest[l] = greatest[l] > factor ? greatest[l] : factor;
      lower[l] *= factor;
      diagonal[l] *= factor;
      upper[l] *= factor;
      right[l] *= factor;
    }
  }

  /// Eliminates all rows of all lanes. True if the rows of a lane differ much in size.
  template <Compared compared>
  bool eliminate_all(LaneRuns<lanes> const& runs, T* kept) const {
    LaneReader<T, Rows, lanes> const reader(rows, runs);
    LaneArray<T const, lanes> const right(rhs, runs);
    LaneRows<T, lanes> row;
    LaneBlock<T, lanes> known;
    R least[lanes], greatest[lanes];
    // A row before the first that gives an unknown which nothing uses.
    Candidate candidate;
    for (int l = 0; l < lanes; ++l) {
      least[l] = R(HUGE_VAL);
      greatest[l] = R(0);
      candidate.here[l] = T(1);
      candidate.next[l] = candidate.rhs[l] = T(0);
    }
    std::int64_t const n = cut.shape.rows;
    for (std::int64_t first = 0; first < n; first += block) {
      int const count = static_cast<int>(std::min<std::int64_t>(block, n - first));
      reader.load(first, count, row);
      right.load(first, count, known);
      for (int l = 0; l < lanes; ++l) {
        if (first == 0) bound_lane(row, 0, l, cut.shape, 0);
        if (first + count == n) bound_lane(row, count - 1, l, cut.shape, n - 1);
      }
      for (int i = 0; i < count; ++i) {
        if constexpr (compared == Compared::scaled)
          scale(row.lower[i], row.diagonal[i], row.upper[i], known[i], least, greatest);
        eliminate(candidate, row.lower[i], row.diagonal[i], row.upper[i], known[i], kept + (first + i) * 3 * lanes);
      }
    }
    T* const last = kept + n * 3 * lanes;
    for (int l = 0; l < lanes; ++l) {
      last[l] = last[lanes + l] = T(0);
      last[2 * lanes + l] = candidate.rhs[l] * reciprocal(candidate.here[l]);
    }
    bool wide = false;
    for (int l = 0; l < runs.valid; ++l) wide = wide || FactorRange<R>{least[l], greatest[l]}.wide();
    return wide;
  }

  /// Substitution upwards; put(first, count, values) receives blocks of unknowns, the last ones first.
  template <class Put>
  void substitute(T const* kept, Put const& put) const {
    LaneBlock<T, lanes> values;
    Lanes below, further;
    for (int l = 0; l < lanes; ++l) below[l] = further[l] = T(0);
    for (std::int64_t end = cut.shape.rows; end > 0;) {
      std::int64_t const begin = (end - 1) / block * block;
      int const count = static_cast<int>(end - begin);
      for (int i = count - 1; i >= 0; --i) {
        // The pivot row of an unknown was kept with the row after its own.
        T const* const at = kept + (begin + i + 1) * 3 * lanes;
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) {
          T const unknown = at[2 * lanes + l] - at[l] * below[l] - at[lanes + l] * further[l];
          further[l] = below[l];
          below[l] = unknown;
          values[i][l] = unknown;
        }
      }
      put(begin, count, values);
      end = begin;
    }
  }

  void solve(LaneRuns<lanes> const& runs, T* kept) const {
    LaneArray<T, lanes> const out(x, runs);
    bool const wide = eliminate_all<Compared::scaled>(runs, kept);
    if (!wide) {
      return substitute(kept, [&](std::int64_t first, int count, LaneBlock<T, lanes> const& values) {
        out.store(first, count, values, runs);
      });
    }
    // Sizes of rows do not always show how to compare them. The better of both results decides, lane by lane.
    std::int64_t const n = cut.shape.rows;
    T* const scaled = kept + (n + 1) * 3 * lanes;
    T* const given = scaled + n * lanes;
    auto const keep_in = [&](T* solution) {
      return [=](std::int64_t first, int count, LaneBlock<T, lanes> const& values) {
        for (int i = 0; i < count; ++i) std::copy_n(values[i], lanes, solution + (first + i) * lanes);
      };
    };
    substitute(kept, keep_in(scaled));
    eliminate_all<Compared::as_they_are>(runs, kept);
    substitute(kept, keep_in(given));
    bool take_given[lanes] = {};
    ScaledRows<T, Rows> const system{rows, rhs, cut.shape};
    for (int l = 0; l < runs.valid; ++l) {
      Place const place{0, runs.number[l], runs.system0[l], runs.system1[l]};
      take_given[l] =
          system.backward_error(place, OneLane{given, l}) < system.backward_error(place, OneLane{scaled, l});
    }
    for (std::int64_t first = (n - 1) / block * block; first >= 0; first -= block) {
      int const count = static_cast<int>(std::min<std::int64_t>(block, n - first));
      LaneBlock<T, lanes> values;
      for (int i = 0; i < count; ++i) {
        for (int l = 0; l < lanes; ++l) values[i][l] = (take_given[l] ? given : scaled)[(first + i) * lanes + l];
      }
      out.store(first, count, values, runs);
    }
  }
};

/// True for a batch that solve_pivoting_in_lanes() solves: enough systems, none cyclic or too long for a cache. It does
/// not depend on the number of threads.
template <class T>
bool fits_lanes(SystemShape const& shape) {
  return !cyclic(shape) && shape.rows <= HostTuning().most_rows && shape.systems() >= narrow_lanes<T>;
}

/// Workspaces that are used at the same time.
template <class T>
int lane_slots(SystemShape const& shape, int threads) {
  std::int64_t const tiles = (shape.systems() + narrow_lanes<T> - 1) / narrow_lanes<T>;
  return static_cast<int>(std::clamp<std::int64_t>(tiles, 1, std::max(1, threads)));
}

}  // namespace pivoting

/// Workspace of solve_pivoting_in_lanes() in values of T.
template <class T>
std::int64_t pivoting_lanes_workspace_values(SystemShape const& shape, int threads) {
  return pivoting::lane_slots<T>(shape, threads) *
         pivoting::SolveInLanes<T, StridedRows<T>, narrow_lanes<T>>::slot_values(shape.rows);
}

/// solve_pivoting() for a batch with pivoting::fits_lanes(), with this number of workspaces.
template <class Exec, class T, class Rows>
void solve_pivoting_in_lanes(Exec const& space, SystemShape const& shape, Rows const& rows,
                             StridedSystems<T const> const& rhs, StridedSystems<T> const& x, int slots, T* workspace) {
  constexpr int lanes = narrow_lanes<T>;
  if (shape.rows == 0 || shape.systems() == 0) return;
  BatchLayout const layout = batch_layout(rows, rhs, x, shape);
  std::int64_t const tiles = (shape.systems() + lanes - 1) / lanes;
  LaneCut const cut{shape, 1, layout.systems_fastest, layout.axis0_fastest, tiles, slots};
  Kokkos::parallel_for(
      "karman::tridiagonal::pivoting_lanes",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>(space, 0, slots),
      pivoting::SolveInLanes<T, Rows, lanes>{rows, rhs, x, cut, workspace});
}

}  // namespace karman::detail
