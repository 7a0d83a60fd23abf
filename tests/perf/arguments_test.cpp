// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.hpp"

#include <gtest/gtest.h>

namespace arguments_test {

using karman::perf::parse_arguments;
using karman::perf::parse_duration;
using karman::perf::UsageError;
using List = std::vector<std::string>;

TEST(PerfArguments, ReadsEveryOption) {
  auto const arguments =
      parse_arguments({"--quick", "--budget", "1.5m", "--family=copy,sor", "--backend", "serial", "--list",
                       "--spoil-answers", "--benchmark_filter=max", "--kokkos-threads=2", "--threads", "3"});
  EXPECT_EQ(arguments.threads, 3);
  EXPECT_TRUE(arguments.quick);
  EXPECT_TRUE(arguments.list);
  EXPECT_TRUE(arguments.spoil_answers);
  EXPECT_DOUBLE_EQ(arguments.budget, 90);
  EXPECT_EQ(arguments.families, (List{"copy", "sor"}));
  EXPECT_EQ(arguments.backends, List{"serial"});
  EXPECT_EQ(arguments.benchmark, List{"--benchmark_filter=max"});
}

TEST(PerfArguments, ServesARowForAnotherProgram) {
  EXPECT_EQ(parse_arguments({"--serve", "copy/triad/serial/f64/8"}).serve, "copy/triad/serial/f64/8");
  EXPECT_THROW(parse_arguments({"--serve"}), UsageError);
}

TEST(PerfArguments, ReadsTheOptionsOfSeveralProcesses) {
  auto const arguments =
      parse_arguments({"--family", "scaling", "--solver", "sor,cg", "--cells=512", "--transport", "staged"});
  EXPECT_TRUE(arguments.scaling());
  EXPECT_EQ(arguments.solvers, (List{"sor", "cg"}));
  EXPECT_EQ(arguments.cells, 512);
  EXPECT_EQ(arguments.transport, "staged");
  EXPECT_FALSE(parse_arguments({"--family", "sor"}).scaling());
  EXPECT_THROW(parse_arguments({"--family", "scaling,sor"}), UsageError);
  for (List const& wrong : {List{"--solver", "sor"}, {"--cells", "64"}, {"--transport", "nccl"}})
    EXPECT_THROW(parse_arguments(wrong), UsageError) << wrong.front();
  for (char const* wrong : {"7", "2049", "many", ""})
    EXPECT_THROW(parse_arguments({"--family", "scaling", "--cells", wrong}), UsageError) << wrong;
}

TEST(PerfArguments, DryRunIsAnotherWordForList) { EXPECT_TRUE(parse_arguments({"--dry-run"}).list); }

TEST(PerfArguments, RefusesUnknownArguments) {
  EXPECT_THROW(parse_arguments({"--quik"}), UsageError);
  EXPECT_THROW(parse_arguments({"max"}), UsageError);
  EXPECT_THROW(parse_arguments({"--quick=yes"}), UsageError);
  EXPECT_THROW(parse_arguments({"--budget"}), UsageError);
  for (char const* wrong : {"0", "-1", "two", "2x", "", "99999", "99999999999"})
    EXPECT_THROW(parse_arguments({"--threads", wrong}), UsageError) << wrong;
}

TEST(PerfArguments, ReadsTimes) {
  EXPECT_DOUBLE_EQ(parse_duration("60"), 60);
  EXPECT_DOUBLE_EQ(parse_duration("0.5s"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration("2min"), 120);
  for (char const* wrong : {"", "0", "-1s", "s", "2h", "nan", "inf", "1e999"}) {
    EXPECT_THROW(parse_duration(wrong), UsageError) << wrong;
  }
}

}  // namespace arguments_test
