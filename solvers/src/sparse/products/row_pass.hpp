// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One pass over the rows of a sparse matrix: product of each row with a vector, its use by a body, and sums over all
/// rows.
#pragma once

#include "base/light_weight.hpp"
#include "common/scalar_parts.hpp"
#include "common/team_results.hpp"
#include "row_blocks.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Division of the rows. The order of the sums depends on it and on the matrix's size alone.
template <class Exec>
struct RowTable {
  static constexpr bool host = runs_on_host<Exec>;
  static constexpr int threads = host ? 1 : 256;  ///< threads per team, lanes included
  static constexpr int least = host ? 256 : 0;    ///< least number of rows per team; one per thread on a device
  static constexpr int most_teams = host ? 4096 : 2112;
  static constexpr int most_lanes = host ? 1 : 32;

  /// Lanes that share a row: about half the entries of a mean row, so that lanes are busy and sums short.
  static int lanes(int rows, std::int64_t entries) {
    int lanes = 1;
    while (lanes < most_lanes && std::int64_t(rows) * lanes * 2 < entries) lanes *= 2;
    return lanes;
  }
  static int teams(int rows, int lanes) {
    int const share = std::max(least, threads / lanes);
    return std::clamp((rows - 1) / share + 1, 1, most_teams);
  }
  /// Largest number of teams for any number of lanes.
  static int most(int rows) { return teams(rows, most_lanes); }
};

/// A Body has
///   static constexpr int results;                         doubles that are summed over the rows
///   Scalar value(int row, Scalar product) const;           value to store, from (A x)(row)
///   void collect(int row, Scalar value, double* found) const;
///   void store(int row, Scalar value) const;
template <class Exec, class Scalar, class Body>
struct RowPass {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int results = Body::results;
  static constexpr int slots = results > 0 ? results : 1;

  CsrMatrix<Exec, Scalar> a;
  Scalar const* x;
  Body body;
  int rows;
  TeamResults<slots> out;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const share = (rows - 1) / member.league_size() + 1;
    std::int64_t const first = std::int64_t(share) * member.league_rank();
    int const begin = first < rows ? static_cast<int>(first) : rows;
    int const end = first + share < rows ? static_cast<int>(first + share) : rows;
    double found[slots] = {};
    if constexpr (runs_on_host<Exec>) {
      // Products of some rows first, then the body: with both in one loop compilers run out of registers and move
      // pointers about at each entry.
      constexpr int most = 128;
      Scalar products[most];
      for (int first_row = begin; first_row < end; first_row += most) {
        int const count = end - first_row < most ? end - first_row : most;
        for (int n = 0; n < count; ++n) products[n] = product(first_row + n);
        for (int n = 0; n < count; ++n) {
          int const row = first_row + n;
          Scalar const value = body.value(row, products[n]);
          body.collect(row, value, found);
          body.store(row, value);
        }
      }
    } else {
      for (int row = begin + member.team_rank(); row < end; row += member.team_size()) {
        Scalar sum(0);
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(member, a.graph.offsets(row), a.graph.offsets(row + 1)),
            [&](int e, Scalar& part) { part += a.values(e) * x[a.graph.entries(e)]; }, sum);
        Scalar const value = body.value(row, sum);
        body.collect(row, value, found);
        Kokkos::single(Kokkos::PerThread(member), [&] { body.store(row, value); });
      }
    }
    if constexpr (results > 0) reduce_across_teams<Exec>(member, out, found);
  }

 private:
  KOKKOS_FUNCTION Scalar product(int row) const {
    Scalar sum(0);
    int const stop = a.graph.offsets(row + 1);
    for (int e = a.graph.offsets(row); e < stop; ++e) sum += a.values(e) * x[a.graph.entries(e)];
    return sum;
  }
};

/// Runs a body over all rows. `out` must hold RowTable::most(rows) * results partial numbers.
template <class Exec, class Scalar, class Body>
void row_pass(Exec const& space, char const* label, CsrMatrix<Exec, Scalar> const& a, Scalar const* x, Body const& body,
              TeamResults<(Body::results > 0 ? Body::results : 1)> const& out) {
  using Table = RowTable<Exec>;
  int const rows = a.rows();
  if (rows == 0) return;
  auto const entries = static_cast<std::int64_t>(a.values.extent(0));
  if constexpr (!Table::host) {
    if (RowBlockTable::suits(rows, entries)) {
      using Blocks = RowBlocks<Exec, Scalar, Body>;
      int const each = RowBlockTable::rows_per_block(rows, entries);
      Kokkos::TeamPolicy<Exec> policy(space, RowBlockTable::teams(rows, each), RowBlockTable::threads);
      policy.set_scratch_size(0, Kokkos::PerTeam(Blocks::scratch_bytes()));
      Kokkos::parallel_for(label, light_weight(policy), Blocks{a, x, body, rows, each, out});
      return;
    }
  }
  int const lanes = Table::lanes(rows, entries);
  Kokkos::TeamPolicy<Exec> const policy(space, Table::teams(rows, lanes), Table::threads / lanes, lanes);
  Kokkos::parallel_for(label, light_weight(policy), RowPass<Exec, Scalar, Body>{a, x, body, rows, out});
}

/// y = alpha A x + beta y; does not read y where beta is zero.
template <class Scalar>
struct ScaledProduct {
  static constexpr int results = 0;
  Scalar alpha, beta;
  bool adds;
  Scalar* y;
  KOKKOS_INLINE_FUNCTION Scalar value(int row, Scalar const& product) const {
    return adds ? alpha * product + beta * y[row] : alpha * product;
  }
  KOKKOS_INLINE_FUNCTION void collect(int, Scalar const&, double*) const {}
  KOKKOS_INLINE_FUNCTION void store(int row, Scalar const& value) const { y[row] = value; }
};

}  // namespace karman::detail
