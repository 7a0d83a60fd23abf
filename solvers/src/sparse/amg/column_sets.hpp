// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sets of the columns of one row, filled by one thread.
#pragma once

#include "mesh/graph_build.hpp"
#include "mesh/sort_row.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Ascending distinct columns in memory of a fixed length. For devices, where each row has memory of its own.
struct SortedSet {
  int* values;
  int capacity;
  int count = 0;
  int last = -1;  ///< the column that came last

  static std::size_t numbers(int capacity) { return static_cast<std::size_t>(capacity); }

  KOKKOS_INLINE_FUNCTION void clear(int most) {
    capacity = most;
    count = 0;
    last = -1;
  }
  /// False where the set is full and the column is new.
  KOKKOS_INLINE_FUNCTION bool insert(int column) {
    if (column == last) return true;
    int const place = lower_place(values, count, column);
    if (place == count || values[place] != column) {
      if (count == capacity) return false;
      for (int i = count; i > place; --i) values[i] = values[i - 1];
      values[place] = column;
      ++count;
    }
    last = column;
    return true;
  }
};

/// Distinct columns in a hash table with open addresses, at most half full and mostly an eighth. A column's place is
/// the number of those that came before. For hosts, where a thread keeps a table in its cache for many rows: an
/// insertion takes no search, and hardly ever a second look.
struct HashedSet {
  int* slots;  ///< pairs of a column and its place; -1 for an empty slot
  int capacity;
  int* order = nullptr;  ///< if not null, columns by place
  int count = 0;
  int bits = 1;  ///< 2^bits slots are in use

  /// Slots for a capacity, as a power of two: eight per column, two where there are thousands. Never fewer for more.
  KOKKOS_INLINE_FUNCTION static int bits_for(int capacity) {
    constexpr std::int64_t many = 8192;
    std::int64_t const columns = capacity, wide = 8 * columns < many ? 8 * columns : many;
    std::int64_t const least = 2 * columns > wide ? 2 * columns : wide;
    int bits = 1;
    while (bits < 31 && (std::int64_t(1) << bits) < least) ++bits;
    return bits;
  }
  static std::size_t numbers(int capacity) { return std::size_t(2) << bits_for(capacity); }

  KOKKOS_INLINE_FUNCTION void clear(int most) {
    capacity = most;
    count = 0;
    bits = bits_for(most);
    for (std::size_t s = 0; s < std::size_t(2) << bits; ++s) slots[s] = -1;
  }
  /// False where the set is full and the column is new.
  KOKKOS_INLINE_FUNCTION bool insert(int column) {
    std::size_t const s = slot(column);
    if (slots[2 * s] == column) return true;
    if (count == capacity) return false;
    if (order != nullptr) order[count] = column;
    slots[2 * s] = column;
    slots[2 * s + 1] = count++;
    return true;
  }
  /// Place of a column that is in the set.
  KOKKOS_INLINE_FUNCTION int place(int column) const { return slots[2 * slot(column) + 1]; }

 private:
  /// The slot of a column, or the empty one where it would go. D. E. Knuth, The Art of Computer Programming 3, 2nd ed.,
  /// 1998, section 6.4: multiplicative hashing with 2^32 over the golden ratio.
  KOKKOS_INLINE_FUNCTION std::size_t slot(int column) const {
    std::size_t const last = (std::size_t(1) << bits) - 1;
    std::size_t s = (static_cast<std::uint32_t>(column) * 0x9E3779B9U) >> (32 - bits);
    while (slots[2 * s] != column && slots[2 * s] >= 0) s = (s + 1) & last;
    return s;
  }
};

template <class Exec>
using ColumnSet = std::conditional_t<runs_on_host<Exec>, HashedSet, SortedSet>;

/// Memory for the sets of a kernel: one per row on a device, where they end with the set-up, one per thread on a host.
template <class Exec>
struct ColumnSets {
  int capacity = 0;  ///< columns per set
  int count = 0;
  Numbers<Exec> memory = Numbers<Exec>();  ///< "= Numbers()": see Graph

  static ColumnSets make(Exec const& space, int count, int capacity, SetupMemory<Exec> const& setup) {
    std::size_t const all = static_cast<std::size_t>(count) * ColumnSet<Exec>::numbers(capacity);
    auto* const arena = runs_on_host<Exec> ? setup.kept : setup.scratch;
    return {capacity, count, numbers(space, all, "karman::amg::column_sets", arena)};
  }
  KOKKOS_FUNCTION ColumnSet<Exec> set(int n) const {
    std::size_t const each = memory.extent(0) / static_cast<std::size_t>(count);
    return {memory.data() + static_cast<std::size_t>(n) * each, capacity};
  }
  /// On a host: memory for a matrix whose rows fit into `capacity`. On a device it goes with the rows.
  static std::int64_t host_bytes(int rows, int capacity) {
    if constexpr (!runs_on_host<Exec>) return 0;
    return count_for(Exec(), rows, capacity) *
           static_cast<std::int64_t>(sizeof(int) * ColumnSet<Exec>::numbers(capacity));
  }
  /// Sets for `rows` rows at once.
  static int count_for(Exec const& space, int rows, int capacity) {
    // Long rows of few matrices get few sets.
    constexpr std::size_t most_numbers = std::size_t(1) << (runs_on_host<Exec> ? 26 : 25);
    std::size_t const room = std::max<std::size_t>(1, most_numbers / ColumnSet<Exec>::numbers(capacity));
    auto const wanted = static_cast<std::size_t>(std::max(rows, 1));
    auto const threads = static_cast<std::size_t>(std::max<int>(1, static_cast<int>(space.concurrency())));
    return static_cast<int>(std::min({room, wanted, runs_on_host<Exec> ? threads : wanted}));
  }
};

}  // namespace karman::detail
