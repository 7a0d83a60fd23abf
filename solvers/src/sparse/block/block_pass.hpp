// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One pass over block rows: a sum of products of blocks and vectors for each, and its use by a body.
#pragma once

#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <bit>

namespace karman::detail {

/// A Body has
///   static constexpr bool own;                              whether a block row has a term besides its entries
///   int count(int place) const, entry(int place, int k);    entries that the sum takes, and the k-th of them
///   T const* block(int entry) const;                        N * N numbers, row by row
///   T const* factor(int entry) const;                       N numbers that the block multiplies
///   T const* own_block(int place), own_factor(int place);   the same of the own term
///   void store(int place, int row, T sum) const;            takes one of the N sums
/// A place is a block row in the order of the pass.
template <class Exec, class T, int N, class Body>
struct BlockPass {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  // Lanes of a thread: the columns of a block. Threads of a team: N per block row.
  static constexpr int lanes = static_cast<int>(std::bit_ceil(static_cast<unsigned>(N)));
  static constexpr int places_per_team = 256 / (lanes * N);
  static constexpr int own = Body::own ? 1 : 0;

  Body body;
  int first, last;

  /// On a host: the N * N products of each block are added to as many sums, in vectors over the columns.
  KOKKOS_FUNCTION void operator()(int place) const {
    T sums[N][N] = {};
    if constexpr (Body::own) add(sums, body.own_block(place), body.own_factor(place));
    int const count = body.count(place);
    for (int k = 0; k < count; ++k) {
      int const e = body.entry(place, k);
      add(sums, body.block(e), body.factor(e));
    }
    for (int r = 0; r < N; ++r) {
      T sum = sums[r][0];
      for (int c = 1; c < N; ++c) sum += sums[r][c];
      body.store(place, r, sum);
    }
  }

  /// On a device.
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const place = first + member.league_rank() * places_per_team + member.team_rank() / N;
    if (place < last) add_row(member, body, place);
  }

  /// Consecutive lanes of the N threads of a block row read the consecutive numbers of a block.
  KOKKOS_FORCEINLINE_FUNCTION static void add_row(Member const& member, Body const& body, int place) {
    int const row = member.team_rank() % N;
    T sum(0);
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, N * (body.count(place) + own)),
        [&](int k, T& part) {
          int const term = k / N, column = k % N;
          if (Body::own && term == 0) {
            part += body.own_block(place)[row * N + column] * body.own_factor(place)[column];
          } else {
            int const e = body.entry(place, term - own);
            part += body.block(e)[row * N + column] * body.factor(e)[column];
          }
        },
        sum);
    Kokkos::single(Kokkos::PerThread(member), [&] { body.store(place, row, sum); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void add(T (&sums)[N][N], T const* block, T const* factor) {
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) sums[r][c] += block[r * N + c] * factor[c];
    }
  }
};

/// Runs a body over the places from `first` to `last` - 1. Asynchronous.
template <class T, int N, class Exec, class Body>
void block_pass(Exec const& space, char const* label, Body const& body, int first, int last) {
  using Pass = BlockPass<Exec, T, N, Body>;
  if (first >= last) return;
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, first, last), Pass{body, first, last});
  } else {
    int const teams = (last - first - 1) / Pass::places_per_team + 1;
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, teams, Pass::places_per_team * N, Pass::lanes),
                         Pass{body, first, last});
  }
}

}  // namespace karman::detail
