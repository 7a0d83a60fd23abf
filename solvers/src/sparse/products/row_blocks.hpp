// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pass over the rows of a sparse matrix with short rows on a device.
#pragma once

#include "common/scalar_parts.hpp"
#include "common/team_results.hpp"
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace karman::detail {

/// Division of the rows. The order of the sums over all rows depends on it and on the matrix's size alone.
struct RowBlockTable {
  static constexpr int threads = 256;                                     ///< per team
  static constexpr int products = 8 * threads;                            ///< that a team holds at once
  static constexpr int most_teams = 2112, least_rows = 16, wanted = 264;  ///< wanted: blocks that keep a device busy
  static constexpr int most_entries = 24;                                 ///< mean of a row

  static bool suits(int rows, std::int64_t entries) { return entries <= std::int64_t(rows) * most_entries; }
  /// Rows whose products are held at once in the mean, but fewer where there are few rows.
  static int rows_per_block(int rows, std::int64_t entries) {
    std::int64_t const fitting = std::int64_t(rows) * products / std::max<std::int64_t>(entries, 1);
    std::int64_t const most = std::max(least_rows, rows / wanted);
    return static_cast<int>(std::min({fitting, most, std::int64_t(threads)}));
  }
  static int teams(int rows, int rows_per_block) { return std::min((rows - 1) / rows_per_block + 1, most_teams); }
};

/// Runs a Body of RowPass. A team computes the products of a block of rows in the order of the entries, into scratch
/// memory: it reads values and columns in order. Then each thread adds up a row.
template <class Exec, class Scalar, class Body>
struct RowBlocks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Products = Kokkos::View<Scalar*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int threads = RowBlockTable::threads, products = RowBlockTable::products;
  static constexpr int slots = Body::results > 0 ? Body::results : 1;

  CsrMatrix<Exec, Scalar> a;
  Scalar const* x;
  Body body;
  int rows, rows_per_block;
  TeamResults<slots> out;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Products const product(member.team_scratch(0), products);
    int const blocks = (rows - 1) / rows_per_block + 1;
    double found[slots] = {};
    for (int block = member.league_rank(); block < blocks; block += member.league_size()) {
      int const first = block * rows_per_block;
      int const last = rows - first < rows_per_block ? rows : first + rows_per_block;
      int const row = first + member.team_rank();
      bool const has_row = row < last;
      int const begin = a.graph.offsets(first), end = a.graph.offsets(last);
      int own = has_row ? a.graph.offsets(row) : end;
      int const own_end = has_row ? a.graph.offsets(row + 1) : end;
      Scalar sum(0);
      for (int from = begin, to = begin; from < end; from = to) {
        to = end - from < products ? end : from + products;
        member.team_barrier();  // the sums of the products before
        multiply(from, to - from, member.team_rank(), product);
        member.team_barrier();
        for (; own < own_end && own < to; ++own) sum += product(own - from);
      }
      if (!has_row) continue;
      Scalar const value = body.value(row, sum);
      body.collect(row, value, found);
      body.store(row, value);
    }
    if constexpr (Body::results > 0) reduce_across_teams<Exec>(member, out, found);
  }

  static std::size_t scratch_bytes() { return Products::shmem_size(products); }

 private:
  /// Products of `count` entries. Reads several before it writes: a compiler may not move a load before a write.
  /// Numbers of 16 bytes keep the memory busy alone, and are faster that way.
  KOKKOS_INLINE_FUNCTION void multiply(int from, int count, int rank, Products const& product) const {
    constexpr int together = sizeof(Scalar) > 8 ? 1 : 4;
    for (int begin = rank; begin < count; begin += together * threads) {
      Scalar value[together];
      int column[together];
      for (int k = 0; k < together; ++k) {
        int const n = begin + k * threads;
        column[k] = n < count ? a.graph.entries(from + n) : 0;
        value[k] = n < count ? a.values(from + n) : Scalar(0);
      }
      for (int k = 0; k < together; ++k) value[k] *= x[column[k]];
      for (int k = 0; k < together; ++k)
        if (begin + k * threads < count) product(begin + k * threads) = value[k];
    }
  }
};

}  // namespace karman::detail
