// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse/direct/nested_dissection.hpp"

#include "sparse/direct/fill_count.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace nested_dissection_test {

using karman::detail::count_fill;
using karman::detail::nested_dissection;

/// Five entries per row of a square grid, or only those above the diagonal.
struct Grid {
  int n;
  std::vector<int> offsets{0}, columns;

  explicit Grid(int side, bool whole = true) : n(side * side) {
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        if (whole && j > 0) columns.push_back((j - 1) * side + i);
        if (whole && i > 0) columns.push_back(j * side + i - 1);
        columns.push_back(j * side + i);
        if (i + 1 < side) columns.push_back(j * side + i + 1);
        if (j + 1 < side) columns.push_back((j + 1) * side + i);
        offsets.push_back(static_cast<int>(columns.size()));
      }
  }
  std::vector<int> order() const { return nested_dissection(n, offsets, columns); }
};

TEST(NestedDissection, IsAnOrderWithLittleFill) {
  for (int side : {0, 1, 2, 3, 17, 80}) {
    Grid const grid(side);
    std::vector<int> const order = grid.order();
    std::vector<int> sorted = order, natural(order.size());
    std::sort(sorted.begin(), sorted.end());
    std::iota(natural.begin(), natural.end(), 0);
    ASSERT_EQ(sorted, natural) << side;
    EXPECT_EQ(grid.order(), order) << side;
    EXPECT_EQ(Grid(side, false).order(), order) << "of A + A^T";
    if (side < 80) continue;
    // By rows 80 entries for each of n rows; by dissection about 5/2 log2 n.
    EXPECT_LT(2.5 * double(count_fill(grid.n, grid.offsets, grid.columns, order)),
              double(count_fill(grid.n, grid.offsets, grid.columns, natural)));
  }
}

/// Orders with memory for the graph but not for METIS: 0 when that is an error.
int order_without_memory() {
  Grid const grid(400);
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  // The graph takes 13 MB, METIS 20 MB more.
  constexpr std::int64_t more = 20'000'000;
  auto const most = static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + more);
  rlimit const limit{most, most};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return 3;
  try {
    static_cast<void>(grid.order());
  } catch (std::runtime_error const& error) {
    return std::string(error.what()).starts_with("DirectSolver: the arrays of METIS need about 0.0256 GB") ? 0 : 1;
  }
  return 2;
}

TEST(NestedDissection, TooLittleMemoryIsAnErrorAndNotTheEnd) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::_Exit(order_without_memory()), ::testing::ExitedWithCode(0), "");
}

std::atomic<int> caught{0};
extern "C" void count_signal(int) { ++caught; }

TEST(NestedDissection, ASignalReachesItsHandlerWhileItWorks) {
  struct sigaction mine{};
  struct sigaction before{};
  mine.sa_handler = count_signal;
  mine.sa_flags = SA_RESTART;
  ASSERT_EQ(::sigaction(SIGTERM, &mine, &before), 0);
  Grid const grid(300);
  std::vector<int> const undisturbed = grid.order();
  // From another thread, to this one and to itself, from the first moment to the last.
  pthread_t const worker = ::pthread_self();
  std::atomic<bool> done{false};
  int sent = 0;
  std::thread sender([&] {
    do {
      ::pthread_kill(worker, SIGTERM);
      ::pthread_kill(::pthread_self(), SIGTERM);
      sent += 2;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!done);
  });
  EXPECT_EQ(grid.order(), undisturbed);
  done = true;
  sender.join();
  struct sigaction after{};
  ::sigaction(SIGTERM, &before, &after);
  // Two pending signals of one kind reach a thread once.
  EXPECT_GT(caught, sent / 2);
  EXPECT_LE(caught, sent);
  EXPECT_EQ(after.sa_handler, count_signal);
  EXPECT_EQ(after.sa_flags & SA_RESTART, SA_RESTART);
}

}  // namespace nested_dissection_test
