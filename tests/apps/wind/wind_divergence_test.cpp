// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Effect of the projection on the divergence, and fields that it must leave alone.
#include "all_zones.hpp"
#include "wind_fields.hpp"

#include <limits>

namespace wind_divergence_test {

using namespace karman;
using namespace karman::test;
using wind::ModelField;
using wind::ProjectionEnd;

template <class>
class WindDivergence : public ::testing::Test {};
TYPED_TEST_SUITE(WindDivergence, AllBackends, BackendNames);

/// Solves a case and checks the properties of every solution. The divergence of the velocities themselves is within the
/// tolerance, and the flux through ground and walls is zero.
template <class Exec, class T>
void solve_and_check_with(wind::Method method, wind::WindCase wind_case) {
  SCOPED_TRACE(name(method));
  wind_case.solver.method = method;
  UniformGrid const& grid = wind_case.grid;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  double const before = largest_divergence(copy_all<T>(*model, grid), grid);
  ASSERT_GT(before, 0);
  wind::ProjectionState state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
  WindFields const fields = copy_all<T>(*model, grid);
  // In double, the sum of six velocities in T adds a few roundings to the kernel's sum.
  double const rounding = 20 * double(std::numeric_limits<T>::epsilon());
  EXPECT_LE(largest_divergence(fields, grid), (wind_case.solver.tolerance + rounding) * before);
  EXPECT_NEAR(state.initial_divergence, before, 1e-5 * before);
  EXPECT_LE(state.history.back().relative_divergence, wind_case.solver.tolerance);
  int walls = 0;
  for (int k = 0; k < grid.nz(); ++k) {
    for (int j = 0; j < grid.ny(); ++j) {
      for (int i = 0; i < grid.nx(); ++i) {
        if (k == 0) {
          ASSERT_EQ(fields.w(0, j, i), 0);
        }
        if (fields.flag(k, j, i) != 0) continue;
        ++walls;
        ASSERT_EQ(fields.u(k, j, i), 0);
        ASSERT_EQ(fields.u(k, j, i + 1), 0);
        ASSERT_EQ(fields.v(k, j, i), 0);
        ASSERT_EQ(fields.v(k, j + 1, i), 0);
        ASSERT_EQ(fields.w(k, j, i), 0);
        ASSERT_EQ(fields.w(k + 1, j, i), 0);
      }
    }
  }
  EXPECT_GT(walls, 0);
}

constexpr std::array all_methods{wind::Method::sor, wind::Method::multigrid, wind::Method::mg_pcg};

template <class Exec, class T>
void solve_and_check(wind::WindCase const& wind_case) {
  for (wind::Method method : all_methods) solve_and_check_with<Exec, T>(method, wind_case);
}

TYPED_TEST(WindDivergence, VanishesBehindACube) {
  solve_and_check<typename TypeParam::execution_space, typename TypeParam::real>(
      small_case<typename TypeParam::execution_space, typename TypeParam::real>({block(20, 20, 8, 8, 8)}));
}

TYPED_TEST(WindDivergence, VanishesInACityOnStretchedLayers) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // Rotated, stacked, raised on pillars of air, and flush with the side of the domain.
  wind::WindCase wind_case =
      small_case<Exec, T>({block(17, 15, 9, 5, 8, 20), block(30, 25, 6, 6, 12), block(31, 12, 4, 12, 6, -35, 2),
                           block(30, 25, 4, 4, 3, 0, 12), block(46, 20, 4, 8, 9)});
  wind_case.grid = UniformGrid::with_layers({24, 20}, {2, 2}, {1, 1.5, 2, 2, 2.5, 3, 3, 4, 5});
  wind_case.profile.direction = 240;
  solve_and_check<Exec, T>(wind_case);
  wind_case.profile.direction = 265;
  wind_case.parameterisations = all_zones();
  wind_case.vegetation = every_plant();
  wind_case.buildings.push_back(court_block());
  solve_and_check<Exec, T>(wind_case);
}

TYPED_TEST(WindDivergence, VanishesWithUnequalModuliAndEveryStorage) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.solver.alpha = {1.5, 3};
  for (SorStorage storage : {SorStorage::packed, SorStorage::folded, SorStorage::coefficients}) {
    wind_case.solver.storage = storage;
    solve_and_check_with<Exec, T>(wind::Method::sor, wind_case);
  }
  solve_and_check<Exec, T>(wind_case);
}

TYPED_TEST(WindDivergence, VanishesOnOddAndThinGrids) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  for (auto const& cells : {std::array{13, 7, 5}, std::array{33, 1, 9}, std::array{1, 17, 6}, std::array{9, 9, 3}}) {
    wind::WindCase wind_case = small_case<Exec, T>({});
    wind_case.grid = UniformGrid(cells, {2, 2, 2});
    wind_case.buildings = {block(cells[0], cells[1], 2, 2, 4)};
    wind_case.profile.direction = cells[0] == 1 ? 180 : 270;
    solve_and_check<Exec, T>(wind_case);
  }
}

TYPED_TEST(WindDivergence, LargerVerticalModulusHoldsVerticalWindDown) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  std::array<double, 2> largest{};
  for (std::size_t which : {0u, 1u}) {
    wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
    wind_case.solver.alpha = {1, which == 0 ? 1.0 : 3.0};
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    wind::ProjectionState state;
    ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
    for (double w : copy<T>(*model, ModelField::w, wind_case.grid).values)
      largest[which] = std::fmax(largest[which], std::abs(w));
  }
  EXPECT_GT(largest[0], 0.1);
  EXPECT_LT(largest[1], 0.7 * largest[0]);
}

TYPED_TEST(WindDivergence, AFieldWithoutItComesBackBitForBit) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  // A profile alone, blowing across the grid.
  wind::WindCase wind_case = small_case<Exec, T>({});
  wind_case.profile.direction = 233;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  WindFields const before = copy_all<T>(*model, wind_case.grid);
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
  EXPECT_EQ(state.iteration, 0);
  EXPECT_TRUE(copy_all<T>(*model, wind_case.grid) == before);

  // And one that varies in all directions: u of (y, z), v of (x, z), w of (x, y).
  UniformGrid const& grid = wind_case.grid;
  std::vector<T> u, v, w;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i <= grid.nx(); ++i) u.push_back(static_cast<T>(std::sin(0.7 * j) + 0.1 * k));
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j <= grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i) v.push_back(static_cast<T>(std::cos(0.3 * i) - 0.2 * k));
  for (int k = 0; k <= grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i) w.push_back(static_cast<T>(std::sin(0.4 * i + 0.2 * j)));
  model->restore(ModelField::u, {u.data(), extents(ModelField::u, wind_case.grid)});
  model->restore(ModelField::v, {v.data(), extents(ModelField::v, wind_case.grid)});
  model->restore(ModelField::w, {w.data(), extents(ModelField::w, wind_case.grid)});
  WindFields const swirling = copy_all<T>(*model, grid);
  wind::ProjectionState fresh;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, fresh)), ProjectionEnd::converged);
  EXPECT_TRUE(copy_all<T>(*model, grid) == swirling);
}

TYPED_TEST(WindDivergence, AnUnreachableToleranceIsReported) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.solver.tolerance = 0.01 * double(std::numeric_limits<T>::epsilon());
  for (wind::Method method : all_methods) {
    SCOPED_TRACE(name(method));
    wind_case.solver.method = method;
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    wind::ProjectionState state;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::stagnated);
    // Passes take the divergence down to the round-off of the velocities themselves.
    EXPECT_LE(state.history.back().relative_divergence, 20 * double(std::numeric_limits<T>::epsilon()));
    EXPECT_GT(state.passes, 1);
  }
}

/// Adds a wave of this amplitude to the wind along x of a case, m/s.
template <class T>
void disturb(wind::WindModel& model, wind::WindCase const& wind_case, double amplitude) {
  UniformGrid const& grid = wind_case.grid;
  std::vector<T> u;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i <= grid.nx(); ++i)
        u.push_back(static_cast<T>(wind_case.profile.speed_at(grid.z_center(k)) + amplitude * std::sin(1.3 * i + j)));
  model.restore(ModelField::u, {u.data(), extents(ModelField::u, grid)});
}

TYPED_TEST(WindDivergence, EndsAtTheRoundingWhereThatIsAccepted) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({});
  double const rounding = wind::rounding_divergence(wind_case);
  for (wind::Method method : all_methods) {
    SCOPED_TRACE(name(method));
    wind_case.solver.method = method;
    for (bool const accepted : {false, true}) {
      auto const model = WindOn<Exec, T>::make(wind_case);
      model->set_initial_field();
      disturb<T>(*model, wind_case, 1000 * double(std::numeric_limits<T>::epsilon()));
      wind::ProjectionState state;
      wind::ProjectionHooks hooks;
      if (accepted) hooks.rounding = rounding;
      EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state, hooks)),
                accepted ? ProjectionEnd::rounding : ProjectionEnd::stagnated);
      EXPECT_LE(state.history.back().relative_divergence * state.initial_divergence, 10 * rounding);
      EXPECT_LE(state.passes, accepted ? 4 : 100);
    }
    // A tolerance above the rounding is met as ever.
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    disturb<T>(*model, wind_case, 1);
    wind::ProjectionState state;
    wind::ProjectionHooks hooks;
    hooks.rounding = rounding;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state, hooks)), ProjectionEnd::converged);
    EXPECT_LE(state.history.back().relative_divergence, wind_case.solver.tolerance);
  }
}

TYPED_TEST(WindDivergence, TooFewIterationsAreReported) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.solver.method = wind::Method::sor;
  wind_case.solver.max_iterations = 13;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::iterations_exhausted);
  EXPECT_EQ(state.iteration, 13);
  EXPECT_EQ(state.history.back().iteration, 13);
  // The history ends with the divergence of the field as it is.
  WindFields const fields = copy_all<T>(*model, wind_case.grid);
  EXPECT_NEAR(state.history.back().relative_divergence * state.initial_divergence,
              largest_divergence(fields, wind_case.grid), 1e-4 * state.initial_divergence);
}

TYPED_TEST(WindDivergence, TooFewCyclesAreReported) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.solver.max_iterations = 2;
  for (wind::Method method : {wind::Method::multigrid, wind::Method::mg_pcg}) {
    wind_case.solver.method = method;
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    wind::ProjectionState state;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::iterations_exhausted);
    EXPECT_EQ(state.iteration, 2);
    ASSERT_EQ(state.history.size(), 3u);
    EXPECT_EQ(state.history[1].iteration, 1);
    EXPECT_LT(state.history[1].relative_divergence, 0.5);
    // The work of the cycles is kept, and the history ends with the divergence of the field as it is.
    EXPECT_LT(state.history[2].relative_divergence, 0.1);
    WindFields const fields = copy_all<T>(*model, wind_case.grid);
    EXPECT_NEAR(state.history[2].relative_divergence * state.initial_divergence,
                largest_divergence(fields, wind_case.grid), 1e-4 * state.initial_divergence);
  }
}

/// The nearest field without divergence is one, however it is found.
TYPED_TEST(WindDivergence, AllMethodsFindOneField) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30)});
  std::vector<WindFields> found;
  for (wind::Method method : all_methods) {
    wind_case.solver.method = method;
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    wind::ProjectionState state;
    ASSERT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::converged);
    found.push_back(copy_all<T>(*model, wind_case.grid));
  }
  // A remaining divergence of tolerance * max |div u0| over a domain of about 20 cells: that many cells' worth of
  // speed.
  double const initial = 5.0 / 2;
  double const bound = wind_case.solver.tolerance * initial * 2 * 24;
  for (std::size_t other : {1u, 2u}) {
    EXPECT_NE(found[0].u.values, found[other].u.values) << "they are not the same method";
    for (std::size_t n = 0; n < found[0].u.values.size(); ++n)
      ASSERT_NEAR(found[0].u.values[n], found[other].u.values[n], bound) << n;
    for (std::size_t n = 0; n < found[0].w.values.size(); ++n)
      ASSERT_NEAR(found[0].w.values[n], found[other].w.values[n], bound) << n;
  }
}

TYPED_TEST(WindDivergence, ASlowMethodIsNotTakenForRoundingAtItsEnd) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  // Ten looks together lower the divergence by about 0.1 %.
  wind_case.solver.method = wind::Method::sor;
  wind_case.solver.omega = 0.01;
  wind_case.solver.check_every = 1;
  wind_case.solver.max_iterations = 1000;
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::iterations_exhausted);
  EXPECT_EQ(state.iteration, 1000);
  EXPECT_EQ(state.passes, 1);
}

TYPED_TEST(WindDivergence, NumbersThatAreNoneAreFound) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase const wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  for (T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    auto const model = WindOn<Exec, T>::make(wind_case);
    model->set_initial_field();
    EXPECT_FALSE(model->find_not_finite(ModelField::v).has_value());
    std::vector<T> v(16 * 21 * 24);
    model->copy(ModelField::v, {v.data(), extents(ModelField::v, wind_case.grid)});
    v[(7 * 21 + 20) * 24 + 3] = bad;
    v[(9 * 21 + 2) * 24 + 1] = bad;
    model->restore(ModelField::v, {v.data(), extents(ModelField::v, wind_case.grid)});
    wind::ProjectionState state;
    EXPECT_EQ((WindOn<Exec, T>::solve(*model, wind_case, state)), ProjectionEnd::not_finite);
    EXPECT_EQ(model->find_not_finite(ModelField::v), (std::array{7, 20, 3}));
    EXPECT_FALSE(model->find_not_finite(ModelField::u).has_value());
  }
}

}  // namespace wind_divergence_test
