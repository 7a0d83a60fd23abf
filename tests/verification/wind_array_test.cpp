// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shipped array of cubes: the shape of the measured profiles (Brown et al. 2000). Between the rows the flow is
// reversed below the roofs, above them it is not; two heights behind the last row the wake is still slow.
#include "apps/common/run_command.hpp"
#include <karman/io/hdf5_file.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace wind_array_test {

using karman::Hdf5File;
using karman::test::Outcome;

constexpr double roof = 30, speed_at_roof = 3, exponent = 0.16;

struct Profile {
  std::vector<double> z, u;

  /// u at the layer centre just below a height.
  double below(double height) const {
    std::size_t n = 0;
    while (n + 1 < z.size() && z[n + 1] < height) ++n;
    return u[n];
  }
};

class WindArray : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    place_.write("case.json", place_.karman({"wind", "--example", "array_7x11"}).out);
    std::vector<std::string> words{"wind", "case.json", "--output", "out"};
    if (!GetParam().empty()) words.insert(words.end(), {"--set", GetParam()});
    Outcome const outcome = place_.karman(words);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  Profile profile(std::string const& name) const {
    Hdf5File const file = Hdf5File::open(place_.path("out/wind.h5"));
    Profile result{file.read_vector<double>("/probes/" + name + "/z"), {}};
    auto const velocity = file.read_vector<double>("/probes/" + name + "/velocity");
    for (std::size_t n = 0; n < velocity.size(); n += 3) result.u.push_back(velocity[n]);
    return result;
  }

  karman::test::Workplace place_;
};

double undisturbed(double z) { return speed_at_roof * std::pow(z / roof, exponent); }

TEST_P(WindArray, IsReversedBetweenTheRowsAndNotAboveThem) {
  for (int row = 1; row <= 7; ++row) {
    Profile const at = profile("behind_row_" + std::to_string(row));
    for (double const height : {0.1, 0.3, 0.5, 0.7}) EXPECT_LT(at.below(height * roof), 0) << "row " << row;
    for (std::size_t n = 0; n < at.z.size(); ++n) {
      if (at.z[n] <= roof) continue;
      EXPECT_GT(at.u[n], 0.8 * undisturbed(at.z[n])) << "row " << row << ", z " << at.z[n];
    }
    // Little is left of the array near the lid.
    EXPECT_NEAR(at.below(5.5 * roof) / undisturbed(5.5 * roof), 1, 0.02) << "row " << row;
  }
}

TEST_P(WindArray, LeavesASlowWake) {
  Profile const wake = profile("far_behind");
  for (double const height : {0.1, 0.5, 0.8}) {
    double const share = wake.below(height * roof) / undisturbed(height * roof);
    EXPECT_GT(share, 0) << height;
    EXPECT_LT(share, 0.8) << height;
  }
}

/// The middle rows are alike: each has many rows of the same kind around it.
TEST_P(WindArray, IsTheSameBetweenTheMiddleRows) {
  Profile const third = profile("behind_row_3"), fourth = profile("behind_row_4");
  for (std::size_t n = 0; n < third.u.size(); ++n) EXPECT_NEAR(third.u[n], fourth.u[n], 0.02 * speed_at_roof);
}

INSTANTIATE_TEST_SUITE_P(Zones, WindArray, testing::Values("", "/parameterisations/street_canyon=true"));

}  // namespace wind_array_test
