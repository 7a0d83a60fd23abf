// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visits of levels against cycles counted by hand.
#include "sparse/amg/visits.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace level_visits_test {

using karman::detail::level_visits;
using Visits = std::vector<int>;

auto const always = [](std::size_t) { return true; };
constexpr double unlimited = std::numeric_limits<double>::infinity();

TEST(LevelVisits, AreThoseOfVAndWCycles) {
  std::vector<double> const work{64, 16, 4, 1};
  EXPECT_EQ(level_visits(work, 0, always), (Visits{1, 1, 1, 1}));
  EXPECT_EQ(level_visits(work, unlimited, always), (Visits{1, 2, 4, 4})) << "the coarsest level is solved at once";
  EXPECT_EQ(level_visits({}, unlimited, always), Visits{});
  EXPECT_EQ(level_visits({5}, unlimited, always), Visits{1});
  EXPECT_EQ(level_visits({5, 1}, unlimited, always), (Visits{1, 1}));
}

/// Second corrections of levels 1 and 2 cost 16 + 4 + 1 and, where level 1 is visited twice, 2 (4 + 1).
TEST(LevelVisits, StayWithinTheirShareOfTheWork) {
  std::vector<double> const work{64, 16, 4, 1};
  EXPECT_EQ(level_visits(work, 31.0 / 64, always), (Visits{1, 2, 4, 4}));
  EXPECT_EQ(level_visits(work, 30.9 / 64, always), (Visits{1, 2, 2, 2}));
  EXPECT_EQ(level_visits(work, 20.9 / 64, always), (Visits{1, 1, 2, 2}));
  EXPECT_EQ(level_visits(work, 4.9 / 64, always), (Visits{1, 1, 1, 1}));
}

TEST(LevelVisits, SkipLevelsThatGainNothing) {
  std::vector<double> const work{64, 16, 4, 1, 1};
  std::vector<std::size_t> asked;
  auto const all_but_second = [&](std::size_t n) {
    asked.push_back(n);
    return n != 2;
  };
  EXPECT_EQ(level_visits(work, unlimited, all_but_second), (Visits{1, 2, 2, 4, 4}));
  EXPECT_EQ(asked, (std::vector<std::size_t>{1, 2, 3}));
  asked.clear();
  level_visits(work, 0.1, all_but_second);
  EXPECT_EQ(asked, (std::vector<std::size_t>{2, 3})) << "only levels that are cheap enough";
}

}  // namespace level_visits_test
