// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/run/machine_load.hpp"

#include "common/case/host_work.hpp"
#include "common/run/processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

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

/// Sets OMP_NUM_THREADS, or removes it where `text` is null, and restores it.
class Threads {
 public:
  explicit Threads(char const* text) {
    char const* const value = std::getenv(name);
    had_ = value != nullptr;
    if (had_) earlier_ = value;
    set(text);
  }
  ~Threads() { set(had_ ? earlier_.c_str() : nullptr); }
  Threads(Threads const&) = delete;
  Threads& operator=(Threads const&) = delete;

 private:
  static constexpr char const* name = "OMP_NUM_THREADS";
  static void set(char const* text) {
    if (text == nullptr) ::unsetenv(name);
    else ::setenv(name, text, 1);
  }
  bool had_ = false;
  std::string earlier_;
};

TEST(HostWork, HasTheThreadsOfOpenMPOrAShareOfTheMachine) {
  using karman::app::work_threads;
  {
    Threads const two("2,4");
    EXPECT_EQ(work_threads(), 2);
  }
  for (char const* const none : {static_cast<char const*>(nullptr), "", "0", "many"}) {
    Threads const unset(none);
    int const alone = work_threads();
    EXPECT_GE(alone, 1);
    EXPECT_LE(alone, karman::app::online_cores());
    karman::app::share_machine(karman::app::online_cores());
    EXPECT_EQ(work_threads(), 1) << "a process for every core";
    karman::app::share_machine(1);
    EXPECT_EQ(work_threads(), alone);
  }
}

TEST(HostWork, TakesEveryNumberOnceInPartsOfTheLeastSize) {
  for (char const* const threads : {"1", "3", "8"}) {
    Threads const set(threads);
    for (std::int64_t const count : {0, 1, 9, 10, 11, 100, 101}) {
      std::vector<std::atomic<int>> taken(static_cast<std::size_t>(count));
      std::atomic<int> parts = 0;
      karman::app::for_parts(count, 10, [&](std::int64_t begin, std::int64_t end) {
        ++parts;
        EXPECT_TRUE(end - begin >= 10 || count < 10) << count;
        for (std::int64_t n = begin; n < end; ++n) ++taken[static_cast<std::size_t>(n)];
      });
      for (auto const& times : taken) EXPECT_EQ(times, 1);
      EXPECT_EQ(parts, count == 0 ? 0 : std::clamp(static_cast<int>(count / 10), 1, std::atoi(threads)));
    }
  }
}

TEST(HostWork, ThrowsTheErrorOfTheFirstPart) {
  Threads const four("4");
  auto const fail_from = [](std::int64_t first) {
    karman::app::for_parts(4, 1, [&](std::int64_t begin, std::int64_t) {
      if (begin >= first) throw std::runtime_error("part " + std::to_string(begin));
    });
  };
  for (std::int64_t const first : {0, 2, 3}) {
    try {
      fail_from(first);
      ADD_FAILURE() << first;
    } catch (std::runtime_error const& error) {
      EXPECT_EQ(error.what(), "part " + std::to_string(first));
    }
  }
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
