// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal systems without any assumption on their coefficients: partitions reduced with scaled partial pivoting.
///
/// Level 0 cuts every system into segments of nearly equal length and reduces each to a relation between its ends
/// (elimination.hpp). Groups of relations are joined level by level until each system has one, which gives
/// the unknowns at its ends. On the way down, every level computes the unknowns at the ends of its pieces, and level 0
/// all others. Cyclic systems need no special case: the last relation is closed onto itself.
///
/// Cost: a row is read twice (lower, diagonal, upper, right-hand side: 8 values with arrays) and its unknown written
/// once, about 60 flops. Relations and states add 12 values per segment, written once and read at most twice. A system
/// of one segment (pivoting::segment_rows) takes one kernel and no memory. Work and steps: O(n) and O(log n).
#pragma once

#include "elimination.hpp"
#include "rows.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

namespace pivoting {

/// Largest number of rows of a segment. The pivot rows of a segment, three values each, stay in registers on a device
/// and in the first-level cache on a host.
template <class Exec, class T>
inline constexpr int segment_rows = runs_on_host<Exec> ? 256 : int(128 / sizeof(T));

/// Largest number of relations that one thread joins.
inline constexpr int group_relations = 8;

/// Task of one thread: one piece of one system.
struct Place {
  std::int64_t piece, system, system0, system1;
};

/// Numbers the pieces of systems so that neighbouring threads access neighbouring memory.
struct Numbering {
  std::int64_t pieces;  ///< pieces per system
  std::int64_t systems;
  std::int64_t batch[2];
  bool systems_first;  ///< true: neighbouring threads take the same piece of neighbouring systems
  bool axis0_first;    ///< true: systems are neighbours along the first axis of the batch

  KOKKOS_INLINE_FUNCTION Place operator()(std::int64_t i) const {
    Place place{};
    std::int64_t number = 0;
    split(i, systems_first ? systems : pieces, place.piece, number);
    if (!systems_first) {
      std::int64_t const piece = number;
      number = place.piece;
      place.piece = piece;
    }
    if (axis0_first) split(number, batch[0], place.system1, place.system0);
    else split(number, batch[1], place.system0, place.system1);
    place.system = number;
    return place;
  }

  std::int64_t threads() const { return pieces * systems; }

 private:
  /// Quotient and remainder; the division of 32-bit numbers is several times cheaper on a device.
  KOKKOS_INLINE_FUNCTION static void split(std::int64_t i, std::int64_t by, std::int64_t& quotient,
                                           std::int64_t& remainder) {
    if ((i | by) >> 32 == 0) {
      quotient = std::int64_t(std::uint32_t(i) / std::uint32_t(by));
    } else {
      quotient = i / by;
    }
    remainder = i - quotient * by;
  }
};

/// Values of one level in the workspace, the value slowest, pieces and systems in the order of the threads.
template <class T>
struct LevelValues {
  T* data;
  std::int64_t value_stride, piece_stride, system_stride;

  LevelValues() = default;
  LevelValues(T* memory, std::int64_t pieces, std::int64_t systems, bool systems_first)
      : data(memory),
        value_stride(pieces * systems),
        piece_stride(systems_first ? systems : 1),
        system_stride(systems_first ? 1 : pieces) {}

  KOKKOS_INLINE_FUNCTION T& operator()(std::int64_t piece, std::int64_t system, int value) const {
    return data[value * value_stride + piece * piece_stride + system * system_stride];
  }
};

template <class T>
struct RelationArray {
  LevelValues<T> values;

  KOKKOS_INLINE_FUNCTION Relation<T> load(std::int64_t piece, std::int64_t system) const {
    auto const value = [&](int n) { return values(piece, system, n); };
    return {{value(0), value(1), value(2), value(3), value(4)}, {value(5), value(6), value(7), value(8), value(9)}};
  }
  KOKKOS_INLINE_FUNCTION void store(std::int64_t piece, std::int64_t system, Relation<T> const& relation) const {
    auto const put = [&](int n, typename Relation<T>::Equation const& e) {
      values(piece, system, n) = e.left0;
      values(piece, system, n + 1) = e.left1;
      values(piece, system, n + 2) = e.right0;
      values(piece, system, n + 3) = e.right1;
      values(piece, system, n + 4) = e.rhs;
    };
    put(0, relation.first);
    put(5, relation.second);
  }
};

template <class T>
struct StateArray {
  static constexpr int values_each = 2;
  LevelValues<T> values;

  KOKKOS_INLINE_FUNCTION State<T> load(std::int64_t boundary, std::int64_t system) const {
    return {values(boundary, system, 0), values(boundary, system, 1)};
  }
  KOKKOS_INLINE_FUNCTION void store(std::int64_t boundary, std::int64_t system, State<T> const& state) const {
    values(boundary, system, 0) = state.before;
    values(boundary, system, 1) = state.after;
  }
};

/// Begin of piece p of `number` pieces of nearly equal size.
KOKKOS_INLINE_FUNCTION std::int64_t piece_begin(std::int64_t total, std::int64_t number, std::int64_t p) {
  std::int64_t const size = total / number, rest = total - size * number;
  return p * size + (p < rest ? p : rest);
}

/// Rows of a system, scaled to be comparable.
template <class T, class Rows>
struct ScaledRows {
  Rows rows;
  StridedSystems<T const> rhs;
  SystemShape shape;

  using R = decltype(size_of(T()));

  template <Compared compared>
  KOKKOS_INLINE_FUNCTION SystemRow<T> row(Place const& place, std::int64_t n, FactorRange<R>& range) const {
    TridiagonalRow<T> const row = fetch_row<T>(rows, shape, place.system0, place.system1, n);
    T const right = rhs(place.system0, place.system1, n);
    if constexpr (compared == Compared::as_they_are) {
      return {row.lower, row.diagonal, row.upper, right};
    } else {
      R const scale = row_factor(size_of(row.lower), size_of(row.diagonal), size_of(row.upper));
      range.join(scale);
      return {row.lower * scale, row.diagonal * scale, row.upper * scale, right * scale};
    }
  }

  /// count_votes() of `count` rows from `begin` on.
  KOKKOS_INLINE_FUNCTION int votes(Place const& place, std::int64_t begin, int count) const {
    auto const size = [&](std::int64_t k) {
      TridiagonalRow<T> const row = fetch_row<T>(rows, shape, place.system0, place.system1, k);
      return TridiagonalRow<R>{size_of(row.lower), size_of(row.diagonal), size_of(row.upper)};
    };
    return count_votes<R>(size, begin, begin + count, shape.rows);
  }

  /// Largest backward error of a row for the solution x(k) of a whole system: |residual| over the sum of the sizes of
  /// its terms. Infinity for NaN.
  template <class X>
  KOKKOS_INLINE_FUNCTION R backward_error(Place const& place, X const& x) const {
    std::int64_t const n = shape.rows;
    R worst = R(0);
    for (std::int64_t k = 0; k < n; ++k) {
      TridiagonalRow<T> const row = fetch_row<T>(rows, shape, place.system0, place.system1, k);
      T const lower = row.lower * x(k > 0 ? k - 1 : n - 1);
      T const diagonal = row.diagonal * x(k);
      T const upper = row.upper * x(k < n - 1 ? k + 1 : 0);
      T const right = rhs(place.system0, place.system1, k);
      R const residual = size_of(T(right - lower - diagonal - upper));
      R const terms = size_of(right) + size_of(lower) + size_of(diagonal) + size_of(upper);
      if (!(residual <= worst * terms)) worst = residual < R(HUGE_VAL) && terms > R(0) ? residual / terms : R(HUGE_VAL);
    }
    return worst;
  }
};

struct NoVotes {
  std::int32_t* votes;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t system) const { votes[system] = 0; }
};

/// Relations of all segments of all systems, from scaled rows. Then again for the systems whose rows voted for a
/// comparison without scaling.
template <class Exec, class T, class Rows, Compared compared>
struct ReduceRows {
  ScaledRows<T, Rows> rows;
  Numbering numbering;
  RelationArray<T> relations;
  std::int32_t* votes;  ///< one per system
  using R = typename ScaledRows<T, Rows>::R;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Place const place = numbering(i);
    if (compared == Compared::as_they_are && votes[place.system] <= 0) return;
    std::int64_t const begin = piece_begin(rows.shape.rows, numbering.pieces, place.piece);
    int const count = int(piece_begin(rows.shape.rows, numbering.pieces, place.piece + 1) - begin);
    FactorRange<R> range;
    auto const row = [&](int k) { return rows.template row<compared>(place, begin + k, range); };
    relations.store(place.piece, place.system, reduce_rows<segment_rows<Exec, T>, T>(row, count));
    if (range.wide()) Kokkos::atomic_add(&votes[place.system], std::int32_t(rows.votes(place, begin, count)));
  }
};

/// All unknowns from those at the ends of the segments.
template <class Exec, class T, class Rows>
struct ExpandRows {
  ScaledRows<T, Rows> rows;
  Numbering numbering;
  StateArray<T> states;
  StridedSystems<T> solution;
  std::int32_t const* votes;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Place const place = numbering(i);
    if (votes[place.system] > 0) expand<Compared::as_they_are>(place);
    else expand<Compared::scaled>(place);
  }

 private:
  template <Compared compared>
  KOKKOS_INLINE_FUNCTION void expand(Place const& place) const {
    std::int64_t const begin = piece_begin(rows.shape.rows, numbering.pieces, place.piece);
    int const count = int(piece_begin(rows.shape.rows, numbering.pieces, place.piece + 1) - begin);
    FactorRange<typename ScaledRows<T, Rows>::R> range;
    auto const row = [&](int k) { return rows.template row<compared>(place, begin + k, range); };
    auto const put = [&](int k, T const& x) { solution(place.system0, place.system1, begin + k) = x; };
    expand_rows<segment_rows<Exec, T>, !runs_on_host<Exec>>(row, count, states.load(place.piece, place.system),
                                                            states.load(place.piece + 1, place.system), put);
  }
};

/// Systems of one segment, at once.
template <class Exec, class T, class Rows>
struct SolveSegment {
  ScaledRows<T, Rows> rows;
  Numbering numbering;
  StridedSystems<T> solution;
  using R = typename ScaledRows<T, Rows>::R;
  static constexpr int most = segment_rows<Exec, T>;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Place const place = numbering(i);
    FactorRange<R> range;
    if (rows.shape.rows == 1) {
      SystemRow<T> const only = rows.template row<Compared::scaled>(place, 0, range);
      solution(place.system0, place.system1, 0) = only.rhs * reciprocal(only.diagonal);
      return;
    }
    State<T> begin, end;
    close(reduce<Compared::scaled>(place, range), begin, end);
    if (range.wide()) return solve_both_ways(place);
    auto const put = [&](int k, T const& x) { solution(place.system0, place.system1, k) = x; };
    expand<Compared::scaled>(place, begin, end, put);
  }

 private:
  template <Compared compared>
  KOKKOS_INLINE_FUNCTION Relation<T> reduce(Place const& place, FactorRange<R>& range) const {
    auto const row = [&](int k) { return rows.template row<compared>(place, k, range); };
    return reduce_rows<most, T>(row, int(rows.shape.rows));
  }

  template <Compared compared, class Put>
  KOKKOS_INLINE_FUNCTION void expand(Place const& place, State<T> const& begin, State<T> const& end,
                                     Put const& put) const {
    FactorRange<R> range;
    auto const row = [&](int k) { return rows.template row<compared>(place, k, range); };
    expand_rows<most, !runs_on_host<Exec>>(row, int(rows.shape.rows), begin, end, put);
  }

  /// The solution and its backward error.
  template <Compared compared>
  KOKKOS_INLINE_FUNCTION R attempt(Place const& place, T (&x)[most]) const {
    FactorRange<R> range;
    State<T> begin, end;
    close(reduce<compared>(place, range), begin, end);
    expand<compared>(place, begin, end, [&](int k, T const& value) { x[k] = value; });
    return rows.backward_error(place, [&](std::int64_t k) { return x[k]; });
  }

  /// A few rows do not always show by their sizes how to compare them. The better of both results decides.
  KOKKOS_INLINE_FUNCTION void solve_both_ways(Place const& place) const {
    T scaled[most], given[most];
    R const error = attempt<Compared::scaled>(place, scaled);
    bool const take_given = attempt<Compared::as_they_are>(place, given) < error;
    for (int k = 0; k < int(rows.shape.rows); ++k) {
      solution(place.system0, place.system1, k) = take_given ? given[k] : scaled[k];
    }
  }
};

/// Relations of a level from relations of the level below.
template <class T>
struct ReduceRelations {
  Numbering numbering;  ///< of the groups
  std::int64_t below;   ///< relations per system
  RelationArray<T> from, to;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Place const place = numbering(i);
    std::int64_t const begin = piece_begin(below, numbering.pieces, place.piece);
    int const count = int(piece_begin(below, numbering.pieces, place.piece + 1) - begin);
    auto const relation = [&](int p) { return from.load(begin + p, place.system); };
    to.store(place.piece, place.system, reduce_relations<T>(relation, count));
  }
};

/// The states at the two ends from the single relation left.
template <class T>
struct CloseSystems {
  RelationArray<T> relations;
  StateArray<T> states;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t system) const {
    State<T> begin, end;
    close(relations.load(0, system), begin, end);
    states.store(0, system, begin);
    states.store(1, system, end);
  }
};

/// States of a level from states of the level above.
template <class T>
struct ExpandRelations {
  Numbering numbering;  ///< of the groups
  std::int64_t below;   ///< relations per system
  RelationArray<T> relations;
  StateArray<T> above, states;

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    Place const place = numbering(i);
    std::int64_t const first = piece_begin(below, numbering.pieces, place.piece);
    int const count = int(piece_begin(below, numbering.pieces, place.piece + 1) - first);
    auto const relation = [&](int p) { return relations.load(first + p, place.system); };
    State<T> const begin = above.load(place.piece, place.system), end = above.load(place.piece + 1, place.system);
    states.store(first, place.system, begin);
    if (place.piece + 1 == numbering.pieces) states.store(below, place.system, end);
    auto const put = [&](int p, State<T> const& state) { states.store(first + p, place.system, state); };
    expand_relations<group_relations>(relation, count, begin, end, put);
  }
};

/// The levels of one batch and their places in the workspace.
template <class T>
struct Levels {
  static constexpr int most = 24;  ///< 8^23 relations exceed any memory
  int count = 0;
  std::int64_t pieces[most];
  std::int64_t relations[most], states[most], votes = 0;  ///< offsets in values
  std::int64_t values = 0;                                ///< of the whole workspace

  Levels(std::int64_t rows, std::int64_t systems, int rows_a_segment) {
    std::int64_t number = (rows + rows_a_segment - 1) / rows_a_segment;
    if (number <= 1) return;  // one kernel, no workspace
    for (;; number = (number + group_relations - 1) / group_relations) {
      pieces[count] = number;
      relations[count] = values;
      values += Relation<T>::values * number * systems;
      states[count] = values;
      values += StateArray<T>::values_each * (number + 1) * systems;
      ++count;
      if (number == 1) break;
    }
    votes = values;
    values += systems;  // of T, which is at least as large as a vote
  }
};

inline std::int64_t distance(std::int64_t stride) { return stride < 0 ? -stride : stride; }

}  // namespace pivoting

/// Workspace of solve_pivoting() in values of T: about 0.8 per row of 8-byte values on a device, 0.05 on a host.
template <class Exec, class T>
std::int64_t pivoting_workspace_values(SystemShape const& shape) {
  return pivoting::Levels<T>(shape.rows, shape.systems(), pivoting::segment_rows<Exec, T>).values;
}

/// Solves every system of the batch, with any nonsingular matrix. A singular one gives values that are not finite, or
/// huge ones where round-off hides it. `rhs` may be `solution`; neither may overlap the input of `rows`. `workspace`:
/// pivoting_workspace_values() values in the memory of Exec. Periodic systems in the form of fetch_row(). Asynchronous
/// on `space`; allocates nothing. Bits are the same from run to run and for any number of threads.
template <class Exec, class T, class Rows>
void solve_pivoting(Exec const& space, SystemShape const& shape, Rows const& rows, StridedSystems<T const> const& rhs,
                    StridedSystems<T> const& solution, T* workspace) {
  using namespace pivoting;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  std::int64_t const systems = shape.systems();
  if (shape.rows == 0 || systems == 0) return;
  Levels<T> const levels(shape.rows, systems, segment_rows<Exec, T>);
  std::int64_t const near0 = distance(solution.stride[0]), near1 = distance(solution.stride[1]);
  bool const axis0_first = shape.batch[1] == 1 || (shape.batch[0] > 1 && near0 < near1);
  bool const systems_first = systems > 1 && (axis0_first ? near0 : near1) < distance(solution.row_stride);
  auto const numbering = [&](std::int64_t pieces) {
    return Numbering{pieces, systems, {shape.batch[0], shape.batch[1]}, systems_first, axis0_first};
  };
  ScaledRows<T, Rows> const scaled{rows, rhs, shape};
  if (levels.count == 0) {
    Kokkos::parallel_for("karman::tridiagonal::pivoting_segment", Policy(space, 0, systems),
                         SolveSegment<Exec, T, Rows>{scaled, numbering(1), solution});
    return;
  }
  auto const relations = [&](int level) {
    return RelationArray<T>{{workspace + levels.relations[level], levels.pieces[level], systems, systems_first}};
  };
  auto const states = [&](int level) {
    return StateArray<T>{{workspace + levels.states[level], levels.pieces[level] + 1, systems, systems_first}};
  };
  auto const segments = numbering(levels.pieces[0]);
  auto* const votes = reinterpret_cast<std::int32_t*>(workspace + levels.votes);
  Kokkos::parallel_for("karman::tridiagonal::pivoting_votes", Policy(space, 0, systems), NoVotes{votes});
  Kokkos::parallel_for("karman::tridiagonal::pivoting_reduce", Policy(space, 0, segments.threads()),
                       ReduceRows<Exec, T, Rows, Compared::scaled>{scaled, segments, relations(0), votes});
  Kokkos::parallel_for("karman::tridiagonal::pivoting_reduce_again", Policy(space, 0, segments.threads()),
                       ReduceRows<Exec, T, Rows, Compared::as_they_are>{scaled, segments, relations(0), votes});
  int const top = levels.count - 1;
  for (int level = 1; level <= top; ++level) {
    auto const groups = numbering(levels.pieces[level]);
    Kokkos::parallel_for("karman::tridiagonal::pivoting_join", Policy(space, 0, groups.threads()),
                         ReduceRelations<T>{groups, levels.pieces[level - 1], relations(level - 1), relations(level)});
  }
  Kokkos::parallel_for("karman::tridiagonal::pivoting_close", Policy(space, 0, systems),
                       CloseSystems<T>{relations(top), states(top)});
  for (int level = top; level >= 1; --level) {
    auto const groups = numbering(levels.pieces[level]);
    Kokkos::parallel_for(
        "karman::tridiagonal::pivoting_states", Policy(space, 0, groups.threads()),
        ExpandRelations<T>{groups, levels.pieces[level - 1], relations(level - 1), states(level), states(level - 1)});
  }
  Kokkos::parallel_for("karman::tridiagonal::pivoting_expand", Policy(space, 0, segments.threads()),
                       ExpandRows<Exec, T, Rows>{scaled, segments, states(0), solution, votes});
}

}  // namespace karman::detail
