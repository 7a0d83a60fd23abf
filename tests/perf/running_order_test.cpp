// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "running_order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace running_order_test {

using karman::perf::Row;
using karman::perf::running_order;

Row row(std::string const& family, std::string const& algorithm, std::string const& backend,
        std::string const& peer = "") {
  Row result;
  result.family = family;
  result.algorithm = algorithm;
  result.backend = backend;
  result.peer = peer;
  return result;
}

std::vector<Row> const rows{row("sor", "a", "serial"),
                            row("sor", "a", "openmp"),
                            row("sor", "b", "openmp"),
                            row("sor", "b", "openmp", "simd"),
                            row("euler", "c", "openmp"),
                            row("euler", "c", "openmp", "atomics"),
                            row("euler", "c", "openmp", "colors"),
                            row("euler", "d", "openmp"),
                            row("waves", "e", "openmp"),
                            row("sor", "a", "openmp", "late")};

std::string names(std::vector<Row> const& list) {
  std::string text;
  for (Row const& each : list) text += each.algorithm + (each.backend == "serial" ? "1" : "") + each.peer + ' ';
  return text;
}

TEST(RunningOrder, KeepsFamiliesTogetherWithoutALimit) {
  EXPECT_EQ(names(running_order(rows, {"openmp", "serial"}, false)), "a b bsimd c catomics ccolors d e alate a1 ");
}

TEST(RunningOrder, BeginsWithOneComparisonOfEveryFamilyWhereTimeIsLimited) {
  EXPECT_EQ(names(running_order(rows, {"openmp", "serial"}, true)), "b bsimd c catomics ccolors e a alate d a1 ");
}

TEST(RunningOrder, OfNoRowsIsEmpty) { EXPECT_TRUE(running_order({}, {"openmp"}, true).empty()); }

}  // namespace running_order_test
