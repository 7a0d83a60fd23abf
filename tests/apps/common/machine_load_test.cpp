// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/run/machine_load.hpp"

#include <gtest/gtest.h>

namespace machine_load_test {

using karman::app::load_warning;

TEST(MachineLoad, IsReportedAboveTheNumberOfCores) {
  EXPECT_EQ(load_warning(2, 2, 2), "");
  EXPECT_EQ(load_warning(0, 0, 2), "") << "a system that tells neither";
  EXPECT_EQ(load_warning(3, 0, 2), "");
  EXPECT_EQ(load_warning(14.24, 2, 2),
            "the load average is 14.2 on 2 cores: other programs slow this run down; reduce --threads");
  EXPECT_EQ(load_warning(14.24, 2, 1), "the load average is 14.2 on 2 cores: other programs slow this run down")
      << "one thread cannot be reduced";
  EXPECT_NE(load_warning(1.5, 1, 2).find("on 1 core:"), std::string::npos);
  EXPECT_GE(karman::app::load_average(), 0);
  EXPECT_GE(karman::app::online_cores(), 1);
}

}  // namespace machine_load_test
