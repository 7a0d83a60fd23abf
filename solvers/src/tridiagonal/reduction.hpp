// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cyclic reduction, parallel cyclic reduction, and their combination: the first down to a number of rows, then the
/// second.
#pragma once

#include "layout.hpp"
#include "thomas.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Division of the systems: a team takes one after the other, in team scratch where they fit, else in a part of the
/// workspace.
struct ReductionCut {
  std::int64_t rows_left;  ///< rows left to parallel cyclic reduction
  int levels;              ///< levels of cyclic reduction before that
  int team_size;
  std::int64_t teams;
  bool in_scratch;
  std::int64_t system_values;  ///< values per system
  std::int64_t workspace;      ///< in values
};

/// Rows left of n after a number of levels of cyclic reduction, each of which keeps every second row.
KOKKOS_INLINE_FUNCTION std::int64_t rows_after(std::int64_t n, int levels) { return n >> levels; }

/// Rows at which parallel cyclic reduction takes over. On a device one step costs less than two half steps of cyclic
/// reduction, if it keeps some warps busy. A host has no idle lanes to fill.
template <class Exec, class T>
std::int64_t tuned_rows_left(SystemShape const& shape) {
  return runs_on_host<Exec> ? std::min<std::int64_t>(shape.rows, 2) : std::min<std::int64_t>(shape.rows, 256);
}

template <class Exec, class T>
ReductionCut reduction_cut(SystemShape const& shape, std::int64_t rows_left, int threads) {
  // Every device grants a team 48 KiB. Kokkos itself uses eight bytes of that per thread, for 512 threads at most.
  constexpr std::int64_t scratch_bytes = 43 * 1024;
  constexpr std::int64_t resident_teams = 2048;  // more than the largest device holds
  ReductionCut cut{};
  std::int64_t const n =
      cyclic(shape) ? shape.rows - 1 : shape.rows;  // the last unknown of a cyclic system is a parameter
  while (rows_after(n, cut.levels) > std::max<std::int64_t>(1, rows_left)) ++cut.levels;
  cut.rows_left = rows_after(n, cut.levels);
  std::int64_t const values = cyclic(shape) ? 4 : 3;
  cut.system_values = values * (n + 2 * cut.rows_left);
  cut.in_scratch = !runs_on_host<Exec> && cut.system_values * std::int64_t(sizeof(T)) <= scratch_bytes;
  std::int64_t const wanted = cut.levels > 0 ? std::max((n + 1) / 2, cut.rows_left) : cut.rows_left;
  cut.team_size = runs_on_host<Exec> ? 1 : static_cast<int>(std::clamp<std::int64_t>((wanted + 31) / 32 * 32, 32, 512));
  std::int64_t const at_once = runs_on_host<Exec> ? threads : cut.in_scratch ? shape.systems() : resident_teams;
  cut.teams = std::max<std::int64_t>(1, std::min(shape.systems(), at_once));
  if (!cut.in_scratch) cut.workspace = cut.teams * cut.system_values;
  return cut;
}

/// One system per team at a time. Rows are kept with a diagonal of one: lower, upper, the right-hand side. Cyclic
/// systems have a second right-hand side, the coupling to the last unknown.
template <class Exec, class T, class Rows>
struct ReductionKernel {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Rows rows;
  StridedSystems<T const> rhs;
  StridedSystems<T> x;
  SystemShape shape;
  ReductionCut cut;
  T* workspace;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    T* const values = cut.in_scratch ? static_cast<T*>(member.team_scratch(0).get_shmem_aligned(
                                           static_cast<int>(cut.system_values * std::int64_t(sizeof(T))), 16))
                                     : workspace + member.league_rank() * cut.system_values;
    for (std::int64_t s = member.league_rank(); s < shape.systems(); s += cut.teams) {
      solve(member, s / shape.batch[1], s % shape.batch[1], values);
      member.team_barrier();
    }
  }

 private:
  /// Rows of one stage, one array per value.
  struct Stage {
    T *lower, *upper, *rhs, *border;
  };

  /// Calls body(i) for i in [0, count) over the threads of the team, and waits for all of them.
  template <class Body>
  KOKKOS_INLINE_FUNCTION static void for_rows(Member const& member, std::int64_t count, Body const& body) {
    for (std::int64_t i = member.team_rank(); i < count; i += member.team_size()) body(i);
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void solve(Member const& member, std::int64_t s0, std::int64_t s1, T* values) const {
    bool const wraps = cyclic(shape);
    std::int64_t const n = wraps ? shape.rows - 1 : shape.rows;
    Stage const all{values, values + n, values + 2 * n, values + 3 * n};
    T* const rest = values + (wraps ? 4 : 3) * n;
    for_rows(member, n, [&](std::int64_t k) {
      TridiagonalRow<T> row = fetch_row<T>(rows, shape, s0, s1, k);
      T const inverse = reciprocal(row.diagonal);
      T border = T(0);
      if (wraps) {
        if (k == 0) {
          border -= row.lower;
          row.lower = T(0);
        }
        if (k == n - 1) {
          border -= row.upper;
          row.upper = T(0);
        }
        all.border[k] = border * inverse;
      }
      all.lower[k] = row.lower * inverse;
      all.upper[k] = row.upper * inverse;
      all.rhs[k] = rhs(s0, s1, k) * inverse;
    });
    // Level l leaves the rows 2^(l+1) - 1, 2 * 2^(l+1) - 1, ...
    for (int level = 0; level < cut.levels; ++level) {
      std::int64_t const step = std::int64_t(1) << level;
      for_rows(member, rows_after(n, level + 1), [&](std::int64_t i) {
        std::int64_t const k = 2 * step * (i + 1) - 1;
        reduce(all, all, k, k - step, k + step < n ? k + step : k, k + step < n, true, k);
      });
    }
    reduce_the_rest(member, all, n, rest);
    for (int level = cut.levels - 1; level >= 0; --level) {
      std::int64_t const step = std::int64_t(1) << level;
      std::int64_t const solved = rows_after(n, level + 1);
      for_rows(member, rows_after(n, level) - solved, [&](std::int64_t i) {
        std::int64_t const k = 2 * step * i + step - 1;
        T const above = k >= step ? all.lower[k] : T(0);
        T const below = k + step < n ? all.upper[k] : T(0);
        std::int64_t const up = k >= step ? k - step : k;
        std::int64_t const down = k + step < n ? k + step : k;
        all.rhs[k] = all.rhs[k] - above * all.rhs[up] - below * all.rhs[down];
        if (wraps) all.border[k] = all.border[k] - above * all.border[up] - below * all.border[down];
      });
    }
    T w = T(0);
    if (wraps) {
      TridiagonalRow<T> const row = rows(s0, s1, n);
      T const pivot = row.diagonal + row.lower * all.border[n - 1] + row.upper * all.border[0];
      w = (rhs(s0, s1, n) - row.lower * all.rhs[n - 1] - row.upper * all.rhs[0]) * reciprocal(pivot);
      // x may be rhs: every thread has read the last row before one writes it.
      member.team_barrier();
      if (member.team_rank() == 0) x(s0, s1, n) = w;
    }
    for_rows(member, n, [&](std::int64_t k) { x(s0, s1, k) = wraps ? all.rhs[k] + all.border[k] * w : all.rhs[k]; });
  }

  /// Computes row `to` of one stage from row k of another and the rows above and below it.
  KOKKOS_INLINE_FUNCTION void reduce(Stage const& from, Stage const& into, std::int64_t k, std::int64_t above,
                                     std::int64_t below, bool has_below, bool has_above, std::int64_t to) const {
    T const a = has_above ? from.lower[k] : T(0);
    T const c = has_below ? from.upper[k] : T(0);
    T const scale = reciprocal(T(T(1) - a * from.upper[above] - c * from.lower[below]));
    T const lower = -(a * from.lower[above] * scale);
    T const upper = -(c * from.upper[below] * scale);
    T const right = (from.rhs[k] - a * from.rhs[above] - c * from.rhs[below]) * scale;
    if (cyclic(shape)) {
      into.border[to] = (from.border[k] - a * from.border[above] - c * from.border[below]) * scale;
    }
    into.lower[to] = lower;
    into.upper[to] = upper;
    into.rhs[to] = right;
  }

  /// Parallel cyclic reduction of the remaining rows, between two copies of them.
  KOKKOS_INLINE_FUNCTION void reduce_the_rest(Member const& member, Stage const& all, std::int64_t n, T* rest) const {
    bool const wraps = cyclic(shape);
    std::int64_t const left = cut.rows_left;
    if (left <= 1) return;  // one row, with a diagonal of one, is its own solution
    std::int64_t const stride = std::int64_t(1) << cut.levels;
    std::int64_t const values = wraps ? 4 : 3;
    Stage const stages[2] = {
        {rest, rest + left, rest + 2 * left, rest + 3 * left},
        {rest + values * left, rest + (values + 1) * left, rest + (values + 2) * left, rest + (values + 3) * left}};
    for_rows(member, left, [&](std::int64_t i) {
      std::int64_t const k = stride * (i + 1) - 1;
      stages[0].lower[i] = all.lower[k];
      stages[0].upper[i] = all.upper[k];
      stages[0].rhs[i] = all.rhs[k];
      if (wraps) stages[0].border[i] = all.border[k];
    });
    int at = 0;
    for (std::int64_t step = 1; step < left; step *= 2) {
      for_rows(member, left, [&](std::int64_t i) {
        bool const has_above = i >= step;
        bool const has_below = i + step < left;
        reduce(stages[at], stages[1 - at], i, has_above ? i - step : i, has_below ? i + step : i, has_below, has_above,
               i);
      });
      at = 1 - at;
    }
    for_rows(member, left, [&](std::int64_t i) {
      std::int64_t const k = stride * (i + 1) - 1;
      all.rhs[k] = stages[at].rhs[i];
      if (wraps) all.border[k] = stages[at].border[i];
    });
    (void)n;
  }
};

template <class Exec>
struct EmptyTeam {
  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Exec>::member_type const&) const {}
};

/// Kokkos allocates workspace of host teams at the first team kernel: with the plan, not in solve().
template <class Exec>
void reserve_teams(Exec const& space, ReductionCut const& cut) {
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for("karman::tridiagonal::reserve",
                         Kokkos::TeamPolicy<Exec>(space, static_cast<int>(cut.teams), cut.team_size, 1),
                         EmptyTeam<Exec>());
  }
}

/// Solves all systems of a batch by the reductions of `cut`.
template <class Exec, class T, class Rows>
void solve_by_reduction(Exec const& space, Rows const& rows, StridedSystems<T const> const& rhs,
                        StridedSystems<T> const& x, SystemShape const& shape, ReductionCut const& cut, T* workspace) {
  Kokkos::TeamPolicy<Exec> policy(space, static_cast<int>(cut.teams), cut.team_size, 1);
  if (cut.in_scratch) {
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(cut.system_values * std::int64_t(sizeof(T))) + 16));
  }
  Kokkos::parallel_for("karman::tridiagonal::reduction", policy,
                       ReductionKernel<Exec, T, Rows>{rows, rhs, x, shape, cut, workspace});
}

}  // namespace karman::detail
