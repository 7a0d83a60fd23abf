// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of karman turbulence: balances of energy and enstrophy, means of spectra.
#include "turbulence/output/history.hpp"
#include "turbulence/output/mean_spectra.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace turbulence_history_test {

using namespace karman;
using turbulence::History;

constexpr std::size_t energy_balance = 17, enstrophy_balance = 18;

/// A flow whose energy is exp(-2 t) by viscosity and friction, plus t injected and t^2 by forcing.
VorticityFigures figures_at(std::int64_t step, double time) {
  VorticityFigures figures;
  figures.moment.steps = step;
  figures.moment.time = time;
  figures.moment.injected_energy = time;
  figures.energy = std::exp(-2 * time) + time + time * time;
  figures.enstrophy = 3 * std::exp(-time);
  figures.viscosity = {std::exp(-2 * time), 3 * std::exp(-time)};
  figures.friction.energy = std::exp(-2 * time);
  figures.forcing.energy = 2 * time;
  return figures;
}

TEST(TurbulenceHistory, BalancesToTheThirdOrderOfTheRows) {
  double error = 0;
  for (int const rows : {50, 100}) {
    History history;
    for (int n = 0; n <= rows; ++n) {
      // Unequal distances.
      double const x = double(n) / rows;
      history.add(figures_at(n, x + 0.1 * x * x));
    }
    EXPECT_EQ(history.rows().front()[energy_balance], 0);
    double const found = std::abs(history.rows().back()[energy_balance]);
    EXPECT_LT(found, 1e-5);
    EXPECT_LT(std::abs(history.rows().back()[enstrophy_balance]), 1e-5);
    if (rows == 100) {
      EXPECT_GT(std::log2(error / found), 2.8);
    }
    error = found;
  }
  History history;
  history.add(figures_at(0, 0));
  VorticityFigures wrong = figures_at(1, 0.001);
  wrong.energy += 0.5;
  history.add(wrong);
  EXPECT_NEAR(history.relative_imbalance(0), 0.5 / wrong.energy, 1e-6);
}

TEST(TurbulenceHistory, ClosesTheBalanceOfKicks) {
  // One mode that decays as exp(-t). At the end of each of 1000 steps of 0.01 s it gains 0.1, less the decay within the
  // step.
  constexpr double dt = 0.01, kick = 0.1;
  History history;
  VorticityFigures figures;
  for (int n = 0; n <= 1000; ++n) {
    if (n > 0) figures.energy = figures.energy * std::exp(-dt) + kick * (1 - std::exp(-dt)) / dt;
    figures.moment = {n, n * dt, dt, n * kick, 0};
    figures.viscosity.energy = figures.energy;
    if (n % 20 == 0) history.add(figures);
  }
  EXPECT_LT(history.relative_imbalance(0), 1e-4) << "of 100 injected";
}

TEST(TurbulenceHistory, ADecayFasterThanItsRowsIsNoImbalance) {
  History history;
  VorticityFigures figures;
  for (int n = 0; n <= 6; ++n) {
    figures.moment = {n, double(n), 1, 0, 0};
    figures.energy = std::exp(-5.0 * n);
    figures.friction.energy = 5 * figures.energy;
    history.add(figures);
    EXPECT_NEAR(history.rate_of_losses(), n == 0 ? 5 : 1, 0.01) << "1/s, at most one change per row";
  }
  EXPECT_LT(std::abs(history.relative_imbalance(0)), 1e-12);
}

TEST(TurbulenceHistory, TheBalanceIsMeasuredByGainsAndLosses) {
  // Steady: 2 per second come in, 1 goes out.
  History history;
  VorticityFigures figures;
  figures.energy = 1e-3;
  figures.forcing.energy = 2;
  figures.viscosity.energy = 1;
  for (int n = 0; n <= 100; ++n) {
    figures.moment = {n, 0.1 * n, 0.1, 0, 0};
    history.add(figures);
  }
  EXPECT_NEAR(history.relative_imbalance(0), -0.5, 1e-3);
  EXPECT_EQ(history.rate_of_losses(), 0);
  figures.energy = 0;
  figures.moment = {101, 11, 1, 0, 0};
  history.add(figures);
  EXPECT_TRUE(std::isinf(history.rate_of_losses()));
}

TEST(TurbulenceHistory, GoesOnFromItsValues) {
  History whole, part, rest;
  for (int n = 0; n < 12; ++n) whole.add(figures_at(n, 0.1 * n));
  for (int n = 0; n < 7; ++n) part.add(figures_at(n, 0.1 * n));
  rest.restore(part.values());
  for (int n = 7; n < 12; ++n) rest.add(figures_at(n, 0.1 * n));
  EXPECT_EQ(rest.rows(), whole.rows());
}

TEST(TurbulenceHistory, ARowOfTheSameStepReplacesTheLast) {
  History history;
  history.add(figures_at(0, 0));
  history.add(figures_at(3, 0.3));
  history.add(figures_at(3, 0.3));
  EXPECT_EQ(history.rows().size(), 2u);
}

TEST(MeanSpectra, AreWeightedByTime) {
  VorticitySpectra one;
  one.wavenumber = {0, 1, 2};
  one.energy = one.enstrophy = one.energy_transfer = one.enstrophy_transfer = one.energy_flux =
      one.enstrophy_flux = {0, 4, 8};
  VorticitySpectra other = one;
  other.energy = {0, 8, 0};
  turbulence::MeanSpectra means;
  EXPECT_TRUE(turbulence::rows_of(means.mean()).empty());
  means.add(one, 3);
  means.add(other, 1);
  EXPECT_EQ(means.mean().energy, (std::vector<double>{0, 5, 6}));
  EXPECT_EQ(means.mean().wavenumber, one.wavenumber);
  turbulence::MeanSpectra again;
  again.restore(means.values(), means.seconds());
  EXPECT_EQ(again.mean().energy, means.mean().energy);
  EXPECT_EQ(turbulence::rows_of(again.mean())[1], (std::vector<double>{2, 6, 8, 8, 8, 8, 8}));
}

}  // namespace turbulence_history_test
