// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coefficients of the methods in time against their order conditions, and weights of Adams-Bashforth methods.
#include "time/adams_weights.hpp"
#include "time/runge_kutta_tables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace time_tables_test {

using namespace karman::detail;
using Row = std::vector<double>;

/// Tableau of Butcher: stage i begins at u + dt sum a[i][j] r_j, the step ends at u + dt sum b[j] r_j.
struct Tableau {
  std::vector<Row> a;
  Row b, c;

  double sum(auto const& term) const {
    double total = 0;
    for (std::size_t i = 0; i < b.size(); ++i) total += b[i] * term(i);
    return total;
  }
  /// (A v)_i.
  double applied(std::size_t i, Row const& v) const {
    double total = 0;
    for (std::size_t j = 0; j < b.size(); ++j) total += a[i][j] * v[j];
    return total;
  }
  Row applied(Row const& v) const {
    Row result(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) result[i] = applied(i, v);
    return result;
  }
};

template <std::size_t stages>
Tableau tableau(std::array<RungeKuttaStage, stages> const& table) {
  Tableau t;
  Row at(stages, 0);
  for (std::size_t i = 0; i < stages; ++i) {
    t.a.push_back(at);
    t.c.push_back(table[i].time);
    EXPECT_NEAR(table[i].base + table[i].from, 1, 1e-15);
    // Of u_i = base u + from u_(i-1) + ..., the first begins at u itself.
    for (double& value : at) value *= table[i].from;
    at[i] += table[i].factor;
  }
  t.b = at;
  return t;
}

Tableau tableau(std::array<LowStorageStage, 5> const& table) {
  Tableau t;
  Row at(5, 0), d(5, 0);
  for (std::size_t i = 0; i < 5; ++i) {
    t.a.push_back(at);
    t.c.push_back(table[i].time);
    for (double& value : d) value *= table[i].keep;
    d[i] += 1;
    for (std::size_t j = 0; j < 5; ++j) at[j] += table[i].add * d[j];
  }
  t.b = at;
  return t;
}

/// Rounding of some twenty operations with numbers below 4: the coefficients are quotients of exact integers.
constexpr double rounding = 1e-14;

void expect_stage_times(Tableau const& t) {
  for (std::size_t i = 0; i < t.b.size(); ++i) EXPECT_NEAR(t.applied(i, Row(t.b.size(), 1)), t.c[i], rounding) << i;
}

/// Conditions for linear equations with constant coefficients: sum b A^(p-1) 1 = 1 / p!.
void expect_linear_order(Tableau const& t, int order) {
  Row v(t.b.size(), 1);
  double factorial = 1;
  for (int p = 1; p <= order; ++p) {
    factorial *= p;
    EXPECT_NEAR(t.sum([&](std::size_t i) { return v[i]; }), 1 / factorial, rounding) << "order " << p;
    v = t.applied(v);
  }
}

/// The other conditions, of rooted trees with branches.
void expect_order(Tableau const& t, int order) {
  expect_linear_order(t, order);
  auto const& c = t.c;
  Row squares(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) squares[i] = c[i] * c[i];
  if (order < 3) return;
  EXPECT_NEAR(t.sum([&](std::size_t i) { return squares[i]; }), 1.0 / 3, rounding);
  if (order < 4) return;
  EXPECT_NEAR(t.sum([&](std::size_t i) { return squares[i] * c[i]; }), 1.0 / 4, rounding);
  EXPECT_NEAR(t.sum([&](std::size_t i) { return c[i] * t.applied(i, c); }), 1.0 / 8, rounding);
  EXPECT_NEAR(t.sum([&](std::size_t i) { return t.applied(i, squares); }), 1.0 / 12, rounding);
}

TEST(RungeKuttaTables, Euler) {
  auto const t = tableau(euler_stages);
  expect_stage_times(t);
  expect_order(t, 1);
}

TEST(RungeKuttaTables, MinimalStorageIsOfOrderFourForLinearAndTwoForOtherEquations) {
  auto const t = tableau(minimal_storage_rk4_stages);
  expect_stage_times(t);
  expect_order(t, 2);
  expect_linear_order(t, 4);
  EXPECT_NEAR(t.sum([&](std::size_t i) { return t.c[i] * t.c[i]; }), 1.0 / 4, rounding);  // not 1 / 3
}

TEST(RungeKuttaTables, ShuOsher) {
  auto const t = tableau(ssp_rk3_stages);
  expect_stage_times(t);
  expect_order(t, 3);
  // Strong stability needs convex combinations of Euler steps no longer than dt.
  for (auto const& stage : ssp_rk3_stages) {
    EXPECT_GE(stage.base, 0);
    EXPECT_GE(stage.from, 0);
    EXPECT_LE(stage.factor, stage.base == 1 ? 1 : stage.from + 1e-15);
  }
}

TEST(RungeKuttaTables, CarpenterKennedy) {
  auto const t = tableau(low_storage_rk54_stages);
  expect_stage_times(t);
  expect_order(t, 4);
}

TEST(AdamsWeights, AreTheKnownOnesForEqualSteps) {
  double const earlier[3] = {0.25, 0.25, 0.25};
  double weights[4];
  double const known[5][4] = {
      {}, {1}, {3.0 / 2, -1.0 / 2}, {23.0 / 12, -16.0 / 12, 5.0 / 12}, {55.0 / 24, -59.0 / 24, 37.0 / 24, -9.0 / 24}};
  for (int nodes = 1; nodes <= 4; ++nodes) {
    adams_weights(0.25, earlier, nodes, weights);
    for (int j = 0; j < nodes; ++j) EXPECT_NEAR(weights[j], 0.25 * known[nodes][j], 1e-15) << nodes << ", " << j;
  }
}

/// Weights for steps of any lengths integrate every polynomial of a degree below the number of nodes.
TEST(AdamsWeights, IntegratePolynomialsOverUnequalSteps) {
  double const earlier[3] = {0.5, 0.125, 0.75};
  double const at[4] = {0, -0.5, -0.625, -1.375};
  for (int nodes = 1; nodes <= 4; ++nodes) {
    double weights[4];
    double const dt = 0.375;
    adams_weights(dt, earlier, nodes, weights);
    for (int degree = 0; degree < nodes; ++degree) {
      double sum = 0;
      for (int j = 0; j < nodes; ++j) sum += weights[j] * std::pow(at[j], degree);
      EXPECT_NEAR(sum, std::pow(dt, degree + 1) / (degree + 1), 1e-14) << nodes << " nodes, degree " << degree;
    }
  }
}

TEST(AdamsWeights, AreZeroForAStepOfNoLength) {
  double const earlier[3] = {0.5, 0.125, 0.75};
  double weights[4] = {1, 1, 1, 1};
  adams_weights(0, earlier, 4, weights);
  for (double const weight : weights) EXPECT_EQ(weight, 0);
}

}  // namespace time_tables_test
