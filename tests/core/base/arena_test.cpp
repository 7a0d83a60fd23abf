// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/arena.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace arena_test {

using Arena = karman::detail::Arena<Kokkos::HostSpace>;
using Doubles = Kokkos::View<double*, Kokkos::HostSpace>;

TEST(Arena, ArraysOfOneRoundShareNoMemory) {
  Arena arena("karman::test::arena", 4096);
  EXPECT_EQ(arena.bytes(), 0);
  std::set<double*> first;
  for (int round = 0; round < 2; ++round) {
    std::vector<Doubles> taken;
    // More than a block in all, one array larger than a block, and one without values.
    for (std::size_t const n : {100, 1, 300, 0, 7, 1000, 300}) taken.push_back(arena.take<Doubles>(n));
    for (std::size_t a = 0; a < taken.size(); ++a) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(taken[a].data()) % alignof(double), 0u);
      for (std::size_t i = 0; i < taken[a].size(); ++i) taken[a](i) = double(a);
    }
    for (std::size_t a = 0; a < taken.size(); ++a) {
      for (std::size_t i = 0; i < taken[a].size(); ++i) ASSERT_EQ(taken[a](i), double(a)) << a << ' ' << i;
      if (round == 0) first.insert(taken[a].data());
      else EXPECT_TRUE(first.count(taken[a].data())) << "after restart() the places are those of before";
    }
    EXPECT_EQ(arena.bytes(), 4096 + 8192 + 4096);
    arena.restart();
  }
}

}  // namespace arena_test
