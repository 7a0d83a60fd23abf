// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly by rows: the owner of a row walks round its node and integrates every triangle that it meets.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/detail/fem_kernel_traits.hpp>
#include <karman/solvers/detail/fem_plan.hpp>
#include <karman/solvers/detail/fem_stage.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace karman::detail {

/// Rows per team, team size, and two choices. Staging: rows are accumulated in scratch and written in one stream.
/// Device lanes that each write a row would touch 32 rows per instruction; a core writes one row after the other.
/// Keeping: a thread keeps the values of the first neighbour, which it needs again at the end. That saves a core a
/// tenth of the time. A device reads them again, since fewer registers per thread allow more threads.
struct RowGatherShape {
  int rows, threads;
  bool staged, keeps_first;
};

template <ExecutionSpace Exec>
constexpr RowGatherShape row_gather_shape() {
  if (runs_on_host<Exec>) return {256, 1, false, true};
  return {128, 128, true, false};
}

/// Without a vector the compiler removes the code for it: a fifth of the registers of a kernel with complex
/// coefficients, hence more teams at a time.
template <class Exec, class Scalar, class Kernel, bool with_vector>
struct RowGather {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr RowGatherShape shape = row_gather_shape<Exec>();
  using Corner = KernelCorner<Kernel>;
  static constexpr bool numbered = needs_number<Kernel>;

  Kernel kernel;
  FemRings<Exec> rings;
  typename Graph<Exec>::Numbers row_offsets;
  FemPoint const* points;
  Scalar* values;
  Scalar* vector;  ///< with_vector
  int rows;
  bool in_scratch;   ///< true if the rows of a team fit in its scratch
  Scalar* in_order;  ///< memory for the rows one after the other in an order, for MoveRows; null: none

  /// Begin of the ring of a place. Each row before it has one entry less, the diagonal.
  KOKKOS_FORCEINLINE_FUNCTION int ring_begin(int place, bool ordered) const {
    return ordered ? rings.offsets(place) : row_offsets(place) - place;
  }

  KOKKOS_FORCEINLINE_FUNCTION static int node_of(int neighbor) { return neighbor & ~FemRings<Exec>::gap; }

  /// A neighbour as the ring stores it, with the values at its node.
  struct RingNode {
    int mark;
    FemPoint point;
    Corner corner;
  };
  KOKKOS_FORCEINLINE_FUNCTION RingNode ring_node(int mark) const {
    int const node = node_of(mark);
    return {mark, points[node], corner_of(kernel, node)};
  }

  KOKKOS_FORCEINLINE_FUNCTION void assemble_row(int i, int begin, int length, Scalar* out) const {
    int const* const ring = rings.neighbors.data() + begin;
    Scalar diagonal = Scalar(0), rhs = Scalar(0), carry = Scalar(0), first_value = Scalar(0);
    int lower = 0;  // number of neighbours with lower numbers: the place of the diagonal
    if (length > 0) {
      FemPoint const own = points[i];
      Corner const own_corner = corner_of(kernel, i);
      RingNode const first = ring_node(ring[0]);
      RingNode here = first;
      for (int k = 0; k < length; ++k) {
        RingNode next;
        if constexpr (shape.keeps_first) next = k + 1 < length ? ring_node(ring[k + 1]) : first;
        else next = ring_node(ring[k + 1 < length ? k + 1 : 0]);
        Scalar value = carry;
        carry = Scalar(0);
        if (here.mark >= 0) {
          Triangle triangle;
          triangle.number = -1;
          if constexpr (numbered) {
            auto const corner = rings.corners(std::size_t(begin) + k);
            triangle.number = static_cast<int>(corner / 3);
            triangle.first = static_cast<int>(corner % 3);
          }
          triangle.node[0] = i;
          triangle.node[1] = here.mark;
          triangle.node[2] = node_of(next.mark);
          triangle.x[0] = own.x, triangle.x[1] = here.point.x, triangle.x[2] = next.point.x;
          triangle.y[0] = own.y, triangle.y[1] = here.point.y, triangle.y[2] = next.point.y;
          // The compiler removes the parts that only the other two rows need.
          ElementMatrix<Scalar, 3> a;
          ElementVector<Scalar, 3> b;
          integrate_with<Scalar>({own_corner, here.corner, next.corner}, kernel, triangle, a, b);
          diagonal += a(0, 0);
          value += a(0, 1);
          carry = a(0, 2);
          if constexpr (with_vector) rhs += b(0);
        }
        lower += node_of(here.mark) < i ? 1 : 0;
        if (shape.keeps_first && k == 0) first_value = value;
        else out[rings.columns(std::size_t(begin) + k)] = value;
        here = next;
      }
      Scalar& at_first = out[rings.columns(std::size_t(begin))];
      if constexpr (shape.keeps_first) at_first = first_value + carry;
      else at_first += carry;
    }
    out[lower] = diagonal;
    if constexpr (with_vector) vector[i] = rhs;
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
    if (!ordered || in_order != nullptr) {
      int const count = ring_begin(end, ordered) + end - team_begin;
      Scalar* const out = (ordered ? in_order : values) + team_begin;
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

/// Moves rows from an order to their places in the matrix. On a device it takes less than half the time of writing them
/// there at once: a row at random fills its cache lines in part only, which memory then reads and writes.
template <class Exec, class Scalar>
struct MoveRows {
  typename Graph<Exec>::Numbers row_offsets;
  FemArray<Exec, int> places;
  Scalar const* in_order;
  Scalar* values;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    auto const row = static_cast<int>(n / row_writers);
    int const begin = row_offsets(row), length = row_offsets(row + 1) - begin, place = places(row);
    for (int k = static_cast<int>(n % row_writers); k < length; k += row_writers)
      values[begin + k] = in_order[place + k];
  }
};

}  // namespace karman::detail
