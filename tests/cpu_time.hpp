// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Growth of an algorithm's time, on a machine with other load.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace karman::test {

/// Limit for n log n: the growth of time for four times the work; n^2 gives 16.
constexpr double most_growth = 8;

/// Growth of the processor time of `work(size)`, for four times the size: the least time of each, of three trials.
/// Other programs can double the time of a trial: seven more may follow, until the growth is below `most_growth`.
template <class Size, class Work>
double growth_of_time(Size size, Work const& work) {
  double few = std::numeric_limits<double>::infinity(), many = few;
  auto const take = [&](double& least, Size n) {
    std::clock_t const start = std::clock();
    work(n);
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  };
  for (int trial = 0; trial < 3 || (trial < 10 && many >= most_growth * few); ++trial) {
    take(few, size);
    take(many, 4 * size);
  }
  return many / few;
}

}  // namespace karman::test
