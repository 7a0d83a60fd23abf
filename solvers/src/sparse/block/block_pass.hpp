// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One pass over block rows: a sum of products of blocks and vectors for each, and its use by a body.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// The sums of a block row.
template <class T, int N>
struct BlockSums {
  T value[N];
};

/// The reduction of Kokkos that adds them up. For devices.
template <class T, int N>
struct AddBlockSums {
  using reducer = AddBlockSums;
  using value_type = BlockSums<T, N>;
  using result_view_type = Kokkos::View<value_type, Kokkos::AnonymousSpace, Kokkos::MemoryUnmanaged>;

  value_type& sums;

  KOKKOS_FUNCTION void join(value_type& all, value_type const& more) const {
    for (int n = 0; n < N; ++n) all.value[n] += more.value[n];
  }
  KOKKOS_FUNCTION void init(value_type& empty) const {
    for (int n = 0; n < N; ++n) empty.value[n] = T(0);
  }
  KOKKOS_FUNCTION value_type& reference() const { return sums; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&sums); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

/// A Body has
///   static constexpr bool own;                              whether a block row has a term besides its entries
///   static constexpr int lanes;                             of a device for a block row: a power of two, N or more
///   int count(int place) const, entry(int place, int k);    entries that the sum takes, and the k-th of them
///   T const* block(int entry) const;                        N * N numbers, row by row
///   T const* factor(int entry) const;                       N numbers that the block multiplies
///   T const* own_block(int place), own_factor(int place);   the same of the own term
///   bool aligned() const;                                   whether all blocks and factors begin as are_aligned()
///   void store(int place, int row, T sum) const;            takes one of the N sums
/// A place is a block row in the order of the pass.
template <class Exec, class T, int N, class Body>
struct BlockPass {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int lanes = Body::lanes;
  static constexpr int places_per_team = 256 / lanes;
  static constexpr int own = Body::own ? 1 : 0;
  static_assert(lanes >= N);

  Body body;
  int first, last;
  bool aligned;

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
    int const place = first + member.league_rank() * places_per_team + member.team_rank();
    if (place < last) add_row(member, body, place, aligned);
  }

  /// A lane takes whole blocks: all blocks of a row are on their way at once.
  KOKKOS_FORCEINLINE_FUNCTION static void add_row(Member const& member, Body const& body, int place, bool aligned) {
    BlockSums<T, N> sums;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(member, body.count(place) + own),
        [&](int k, BlockSums<T, N>& part) {
          bool const is_own = Body::own && k == 0;
          int const e = is_own ? 0 : body.entry(place, k - own);
          add_product(part.value, is_own ? body.own_block(place) : body.block(e),
                      is_own ? body.own_factor(place) : body.factor(e), aligned);
        },
        AddBlockSums<T, N>{sums});
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, N), [&](int r) {
      // An index that varies would put the sums into memory.
      T sum = sums.value[0];
      for (int n = 1; n < N; ++n) sum = r == n ? sums.value[n] : sum;
      body.store(place, r, sum);
    });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void add_product(T (&sums)[N], T const* block, T const* factor, bool aligned) {
    T a[N * N], x[N];
    load_values(block, aligned, a);
    load_values(factor, aligned, x);
    for (int r = 0; r < N; ++r) {
      for (int c = 0; c < N; ++c) sums[r] += a[r * N + c] * x[c];
    }
  }

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
  Pass const pass{body, first, last, body.aligned()};
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, first, last), pass);
  } else {
    int const teams = (last - first - 1) / Pass::places_per_team + 1;
    Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(space, teams, Pass::places_per_team, Pass::lanes), pass);
  }
}

}  // namespace karman::detail
