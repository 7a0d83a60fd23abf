// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by rows: whoever owns a row walks round its node and integrates every triangle that it meets.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace karman::detail {

/// Rows a team owns, its threads, and whether rows are put together in scratch and written in one stream: lanes of a
/// device that write to a row each would touch 32 rows in every instruction; a core writes one row after the other.
struct RowGatherShape {
  int rows, threads;
  bool staged;
};

template <ExecutionSpace Exec>
constexpr RowGatherShape row_gather_shape() {
  if (runs_on_host<Exec>) return {256, 1, false};
  return {128, 128, true};
}

/// Threads that write a row of the user's numbering together; about the length of a row.
inline constexpr int row_writers = 8;

template <class Exec, class Scalar, class Kernel>
struct RowGather {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr RowGatherShape shape = row_gather_shape<Exec>();
  static constexpr bool numbered = needs_number<Kernel>;

  Kernel kernel;
  FemRings<Exec> rings;
  typename Graph<Exec>::Numbers row_offsets;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;  ///< null: none is wanted
  int rows;
  bool in_scratch;  ///< the rows of a team fit in its scratch

  /// Where the ring of a place begins. Entries less one a row before it.
  KOKKOS_FORCEINLINE_FUNCTION int ring_begin(int place, bool ordered) const {
    return ordered ? rings.offsets(place) : row_offsets(place) - place;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int node_of(int neighbour) { return neighbour & ~FemRings<Exec>::gap; }

  KOKKOS_FORCEINLINE_FUNCTION void assemble_row(int i, int begin, int length, Scalar* out) const {
    int const* const ring = rings.neighbours.data() + begin;
    FemPoint const own = points[i];
    Scalar diagonal = Scalar(0), rhs = Scalar(0), carry = Scalar(0), first_value = Scalar(0);
    int lower = 0;  // neighbours with lower numbers: the place of the diagonal
    if (length > 0) {
      int here = ring[0];
      int const first = node_of(here);
      FemPoint const first_point = points[first];
      FemPoint p = first_point;
      for (int k = 0; k < length; ++k) {
        int const next = k + 1 < length ? ring[k + 1] : first;
        FemPoint const q = k + 1 < length ? points[node_of(next)] : first_point;
        Scalar value = carry;
        carry = Scalar(0);
        if (here >= 0) {
          Triangle triangle;
          triangle.number = -1;
          if constexpr (numbered) {
            auto const corner = rings.corners(std::size_t(begin) + k);
            triangle.number = static_cast<int>(corner / 3);
            triangle.first = static_cast<int>(corner % 3);
          }
          triangle.node[0] = i;
          triangle.node[1] = node_of(here);
          triangle.node[2] = node_of(next);
          triangle.x[0] = own.x, triangle.x[1] = p.x, triangle.x[2] = q.x;
          triangle.y[0] = own.y, triangle.y[1] = p.y, triangle.y[2] = q.y;
          ElementRow<Scalar, 3> const row = first_row<Scalar>(kernel, triangle);
          diagonal += row.a[0];
          value += row.a[1];
          carry = row.a[2];
          rhs += row.b;
        }
        lower += node_of(here) < i ? 1 : 0;
        if (k == 0) first_value = value;
        else out[rings.columns(std::size_t(begin) + k)] = value;
        here = next;
        p = q;
      }
      out[rings.columns(std::size_t(begin))] = first_value + carry;
    }
    out[lower] = diagonal;
    if (vector != nullptr) vector[i] = rhs;
  }

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    bool const ordered = rings.order.data() != nullptr;
    int const begin = team.league_rank() * shape.rows;
    int const end = begin + shape.rows < rows ? begin + shape.rows : rows;
    int const team_begin = ring_begin(begin, ordered) + begin;
    if constexpr (shape.staged) {
      if (in_scratch) {
        staged(team, begin, end, team_begin, ordered);
        return;
      }
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](int place) {
      int const i = ordered ? rings.order(place) : place;
      int const first = ring_begin(place, ordered);
      assemble_row(i, first, ring_begin(place + 1, ordered) - first, values + row_offsets(i));
    });
  }

  KOKKOS_FUNCTION void staged(Member const& team, int begin, int end, int team_begin, bool ordered) const {
    auto* const stage =
        static_cast<Scalar*>(team.team_scratch(0).get_shmem_aligned(sizeof(Scalar) * rings.most_staged, 16));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end), [&](int place) {
      int const i = ordered ? rings.order(place) : place;
      int const first = ring_begin(place, ordered);
      assemble_row(i, first, ring_begin(place + 1, ordered) - first, stage + (first + place - team_begin));
    });
    team.team_barrier();
    if (!ordered) {
      int const count = row_offsets(end) - team_begin;
      Scalar* const out = values + team_begin;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int n) { out[n] = stage[n]; });
      return;
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, (end - begin) * row_writers), [&](int n) {
      int const place = begin + n / row_writers;
      int const i = rings.order(place);
      int const first = row_offsets(i), length = row_offsets(i + 1) - first;
      Scalar const* const from = stage + (ring_begin(place, true) + place - team_begin);
      for (int k = n % row_writers; k < length; k += row_writers) values[first + k] = from[k];
    });
  }
};

}  // namespace karman::detail
