// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts of karman turbulence on the host: kept modes, random modes, sizes of fast transforms.
#include "turbulence/case/kept_modes.hpp"
#include "turbulence/case/read_initial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace turbulence_initial_test {

using namespace karman;
using namespace karman::turbulence;

VorticitySetup setup_of(int nx, int ny, Dealiasing dealiasing = Dealiasing::circular) {
  VorticitySetup setup;
  setup.points = {nx, ny};
  setup.dealiasing = dealiasing;
  return setup;
}

TEST(KeptModes, AreThoseOfTheMask) {
  KeptModes const circular(setup_of(32, 24)), square(setup_of(32, 24, Dealiasing::square));
  EXPECT_EQ(circular.largest(0), 10);
  EXPECT_EQ(circular.largest(1), 7);
  EXPECT_EQ(circular.largest(), 7);
  EXPECT_TRUE(circular.keeps(10, 0) && circular.keeps(0, -7) && square.keeps(10, 7));
  EXPECT_FALSE(circular.keeps(0, 0) || circular.keeps(11, 0) || circular.keeps(10, 7) || square.keeps(11, 0));
  EXPECT_EQ(KeptModes(setup_of(32, 24, Dealiasing::none)).largest(0), 15);
  EXPECT_EQ(KeptModes(setup_of(33, 24, Dealiasing::exponential)).largest(0), 16);
  EXPECT_EQ(circular.row_number(12), 12);
  EXPECT_EQ(circular.row_number(13), -11);
}

TEST(FastSizes, HaveSmallPrimeFactors) {
  EXPECT_EQ(largest_prime_factor(509), 509);
  EXPECT_EQ(largest_prime_factor(2 * 3 * 5 * 7), 7);
  EXPECT_EQ(largest_prime_factor(1), 1);
  EXPECT_EQ(largest_prime_factor(64), 2);
  EXPECT_EQ(largest_prime_factor(49), 7);
  EXPECT_EQ(next_fast_size(509), 512);
  EXPECT_EQ(next_fast_size(121), 125);
}

TEST(RandomModes, HaveEnergySpectrumAndSymmetry) {
  VorticitySetup const setup = setup_of(128, 128);
  auto const modes = random_modes(setup, 0.7, 6, 3);
  EXPECT_NEAR(energy_of(setup, modes), 0.7, 1e-14);
  // Mode (kx, ky) at the place 2 (ky 65 + kx); the field is real.
  for (std::size_t ky : {1u, 5u, 20u}) {
    EXPECT_EQ(modes[2 * ky * 65], modes[2 * (128 - ky) * 65]);
    EXPECT_EQ(modes[2 * ky * 65 + 1], -modes[2 * (128 - ky) * 65 + 1]);
  }
  // |omega|^2 / k^2 ~ 1 / (1 + (k / 6)^4) in the mean over shells.
  KeptModes const kept(setup);
  auto const mean = [&](double from, double to) {
    double sum = 0, count = 0;
    for (int j = 0; j < 128; ++j) {
      for (int i = 1; i < 65; ++i) {
        double const k = kept.wavenumber(i, kept.row_number(j));
        if (!kept.keeps(i, kept.row_number(j)) || k < from || k >= to) continue;
        std::size_t const place = 2 * (std::size_t(j) * 65 + std::size_t(i));
        double const share = k / 6;
        sum += (modes[place] * modes[place] + modes[place + 1] * modes[place + 1]) / (k * k) *
               (1 + share * share * share * share);
        ++count;
      }
    }
    return sum / count;
  };
  EXPECT_NEAR(mean(20, 40) / mean(5, 20), 1, 0.1);
  EXPECT_NE(random_modes(setup, 0.7, 6, 4), modes);
  EXPECT_EQ(random_modes(setup, 0.7, 6, 3), modes);
}

}  // namespace turbulence_initial_test
