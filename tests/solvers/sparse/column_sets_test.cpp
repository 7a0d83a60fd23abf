// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of the columns of a row against the standard library's.
#include "sparse/amg/column_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace column_sets_test {

using karman::detail::HashedSet;
using karman::detail::SortedSet;

/// Columns that come again, in any order; `step` apart.
std::vector<int> columns(int distinct, int step) {
  std::vector<int> result;
  for (int n = 0; n < distinct; ++n) result.insert(result.end(), std::size_t(1 + n % 3), step * n);
  std::shuffle(result.begin(), result.end(), std::mt19937(7));
  return result;
}

TEST(ColumnSets, HoldEachColumnOnce) {
  for (int distinct : {1, 2, 15, 64, 1000, 3000}) {
    // Powers of two meet in few slots of a bad hash; the largest step reaches the largest whole numbers.
    for (int step : {1, 8, 1024, 2147483647 / 3000}) {
      std::vector<int> memory(HashedSet::numbers(distinct), 12345), order(std::size_t(distinct), -1);
      HashedSet hashed{memory.data(), distinct, order.data()};
      hashed.clear(distinct);
      std::vector<int> sorted_memory(SortedSet::numbers(distinct));
      SortedSet sorted{sorted_memory.data(), distinct};
      std::vector<int> first_seen;
      for (int column : columns(distinct, step)) {
        EXPECT_TRUE(hashed.insert(column));
        EXPECT_TRUE(sorted.insert(column));
        if (std::find(first_seen.begin(), first_seen.end(), column) == first_seen.end()) first_seen.push_back(column);
      }
      EXPECT_EQ(hashed.count, distinct);
      EXPECT_EQ(order, first_seen);
      for (int n = 0; n < distinct; ++n) EXPECT_EQ(hashed.place(first_seen[std::size_t(n)]), n);
      EXPECT_EQ(sorted.count, distinct);
      std::sort(first_seen.begin(), first_seen.end());
      EXPECT_EQ(sorted_memory, first_seen);
    }
  }
}

TEST(ColumnSets, NeedNoMoreMemoryForFewerColumns) {
  for (int capacity = 1; capacity < 10'000; ++capacity) {
    ASSERT_GE(HashedSet::numbers(capacity), std::size_t(4 * capacity));
    ASSERT_LE(HashedSet::numbers(capacity), HashedSet::numbers(capacity + 1)) << capacity;
  }
}

TEST(ColumnSets, RefuseAColumnTooMany) {
  std::vector<int> memory(HashedSet::numbers(3)), sorted_memory(SortedSet::numbers(3));
  HashedSet hashed{memory.data(), 3};
  hashed.clear(3);
  SortedSet sorted{sorted_memory.data(), 3};
  auto const refuses_a_fourth = [](auto& set) {
    for (int column : {70, 7, 700}) EXPECT_TRUE(set.insert(column));
    EXPECT_FALSE(set.insert(77));
    EXPECT_TRUE(set.insert(7)) << "one that it has needs no memory";
    EXPECT_EQ(set.count, 3);
  };
  refuses_a_fourth(hashed);
  refuses_a_fourth(sorted);
  // Once emptied, also for fewer columns than before.
  hashed.clear(1);
  EXPECT_TRUE(hashed.insert(5));
  EXPECT_FALSE(hashed.insert(7));
  EXPECT_EQ(hashed.place(5), 0);
}

}  // namespace column_sets_test
