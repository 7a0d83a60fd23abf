// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/run/machine_load.hpp"

#include "common/run/processes.hpp"

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

TEST(DeviceShares, CountTheProcessesOfADevice) {
  using karman::app::DeviceIdentity;
  DeviceIdentity const host{}, one{'a'}, other{'a', 'b'};
  using karman::app::shares_of;
  auto const hosts = shares_of({host, host});
  EXPECT_EQ(hosts.processes, 0);
  EXPECT_EQ(hosts.devices, 0);
  EXPECT_EQ(hosts.most, 0);
  auto const apart = shares_of({one, other});
  EXPECT_EQ(apart.devices, 2);
  EXPECT_EQ(apart.most, 1);
  auto const shared = shares_of({one, other, one, host, one});
  EXPECT_EQ(shared.processes, 4);
  EXPECT_EQ(shared.devices, 2);
  EXPECT_EQ(shared.most, 3);
}

TEST(DeviceShares, AreRefusedWithTheWayOut) {
  using karman::app::sharing_error;
  EXPECT_EQ(sharing_error({}), "");
  EXPECT_EQ(sharing_error({4, 4, 1}), "");
  EXPECT_EQ(
      sharing_error({8, 4, 2}),
      "8 processes have 4 devices, so that up to 2 share one; start 4 processes, or add --share-devices to allow it");
  EXPECT_EQ(
      sharing_error({2, 1, 2}),
      "2 processes have 1 device, so that up to 2 share one; start 1 process, or add --share-devices to allow it");
}

}  // namespace machine_load_test
