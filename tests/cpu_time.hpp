// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Growth of an algorithm's time, on a machine with other load.
#pragma once

#include <algorithm>
#include <ctime>

namespace karman::test {

/// Processor time of this process for `work`, the least of three, s.
template <class Work>
double cpu_seconds(Work const& work) {
  double least = 1e300;
  for (int n = 0; n < 3; ++n) {
    std::clock_t const start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

/// Limit for n log n: the growth of time for four times the work; n^2 gives 16.
constexpr double most_growth = 8;

}  // namespace karman::test
