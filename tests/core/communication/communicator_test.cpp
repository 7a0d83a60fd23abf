// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs as any number of processes.
#include "world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace {

using karman::Communicator;

using karman::test::world;

TEST(Communicator, KnowsItsProcesses) {
  Communicator const all = world();
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(all.rank(), rank);
  EXPECT_EQ(all.size(), size);
  EXPECT_EQ(all.is_first(), rank == 0);
  EXPECT_FALSE(all.description().empty());
}

TEST(Communicator, GathersInOrderOfRank) {
  Communicator const all = world();
  auto const values = all.all_gather(all.rank() * 10);
  ASSERT_EQ(values.size(), static_cast<std::size_t>(all.size()));
  for (int rank = 0; rank < all.size(); ++rank) EXPECT_EQ(values[static_cast<std::size_t>(rank)], rank * 10);

  std::vector<double> mine(static_cast<std::size_t>(all.rank() * 3));  // the first process has none
  std::iota(mine.begin(), mine.end(), all.rank());
  auto const expect_all = [&](std::vector<std::vector<double>> const& arrays) {
    ASSERT_EQ(arrays.size(), static_cast<std::size_t>(all.size()));
    for (int rank = 0; rank < all.size(); ++rank) {
      auto const& array = arrays[static_cast<std::size_t>(rank)];
      ASSERT_EQ(array.size(), static_cast<std::size_t>(rank * 3));
      for (std::size_t n = 0; n < array.size(); ++n) EXPECT_EQ(array[n], rank + static_cast<double>(n));
    }
  };
  expect_all(all.all_gather_arrays(std::span<double const>(mine)));
  auto const in_first = all.gather_arrays(std::span<double const>(mine));
  if (all.is_first()) expect_all(in_first);
  else EXPECT_TRUE(in_first.empty());

  // The first process has values, and every second one of the others.
  std::vector<int> const some(all.rank() % 2 == 0 ? 5 : 0, all.rank() + 1);
  auto const from_some = all.gather_arrays(std::span<int const>(some));
  for (std::size_t rank = 0; rank < from_some.size(); ++rank)
    EXPECT_EQ(from_some[rank], std::vector<int>(rank % 2 == 0 ? 5 : 0, static_cast<int>(rank) + 1));
}

TEST(Communicator, BroadcastsValuesAndTexts) {
  Communicator const all = world();
  int const last = all.size() - 1;
  EXPECT_EQ(all.broadcast(all.rank() + 7, last), last + 7);
  EXPECT_EQ(all.broadcast(std::string(all.is_first() ? "case of the first" : "another"), 0), "case of the first");
  EXPECT_EQ(all.broadcast(std::string(), last), "");
  EXPECT_THROW(all.broadcast(1, all.size()), std::invalid_argument);
}

TEST(Communicator, AgreesOnlyWhereAllDo) {
  Communicator const all = world();
  EXPECT_TRUE(all.agree(true));
  EXPECT_FALSE(all.agree(all.rank() != all.size() - 1));
}

TEST(Communicator, JoinsSumsInOrderOfRank) {
  Communicator const all = world();
  // In another order these terms give another sum.
  auto const term = [](int rank) { return rank % 2 == 0 ? 1e16 + rank : -1.0 / 3 * rank; };
  double expected = 0;
  for (int rank = 0; rank < all.size(); ++rank) expected += term(rank);
  EXPECT_EQ(all.sum(term(all.rank())), expected);
}

TEST(Communicator, FindsTheLargestAndNotANumber) {
  Communicator const all = world();
  EXPECT_EQ(all.largest(-1 - all.rank()), -1);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(all.largest(all.rank() == all.size() - 1 ? nan : 1.0)));
  EXPECT_TRUE(std::isnan(all.largest(all.is_first() ? nan : 1.0)));
}

TEST(Communicator, FindsTheSmallestAndNotANumber) {
  Communicator const all = world();
  EXPECT_EQ(all.smallest(2.5 - all.rank()), 3.5 - all.size());
  double const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(all.smallest(all.rank() == all.size() - 1 ? nan : 1.0)));
}

/// Norms of equal parts: the square root of their number times one. With one process the bits of its own norm.
template <class T>
void join_norms() {
  Communicator const all = world();
  T const eps = std::numeric_limits<T>::epsilon();
  T const root = std::sqrt(static_cast<T>(all.size()));
  T const huge = std::numeric_limits<T>::max() / 8, tiny = 8 * std::numeric_limits<T>::min();
  for (T const one : {T(0.1), huge, tiny}) {
    EXPECT_NEAR(all.norm(one) / one, root, all.size() * eps);
    if (all.size() == 1) {
      EXPECT_EQ(all.norm(one), one);
    }
  }
  EXPECT_NEAR(all.norm(T(all.rank() < 2 ? 3 + all.rank() : 0)), all.size() == 1 ? 3 : 5, 8 * eps);
  EXPECT_EQ(all.norm(T(0)), T(0));
  T const infinite = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(all.norm(all.is_first() ? infinite : T(1)), infinite);
  EXPECT_TRUE(std::isnan(all.norm(all.is_first() ? nan : T(1))));
}

TEST(Communicator, JoinsNorms) {
  join_norms<float>();
  join_norms<double>();
}

TEST(Communicator, SplitsByColor) {
  Communicator const all = world();
  Communicator const half = all.split(all.rank() % 2);
  EXPECT_EQ(half.size(), (all.size() + 1 - all.rank() % 2) / 2);
  EXPECT_EQ(half.rank(), all.rank() / 2);
  EXPECT_EQ(half.sum(1), half.size());
  EXPECT_THROW(all.split(all.is_first() ? -1 : 0), std::invalid_argument);  // in all processes
}

TEST(Communicator, RefusesWhatIsNoCommunicator) {
  EXPECT_THROW(karman::communicator_of(MPI_COMM_NULL), std::invalid_argument);
}

}  // namespace
