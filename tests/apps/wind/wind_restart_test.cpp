// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A solve that is stopped and continued in a new model gives the bits of an uninterrupted one.
#include "wind_fields.hpp"

namespace wind_restart_test {

using namespace karman;
using namespace karman::test;
using wind::ModelField;
using wind::ProjectionEnd;

template <class>
class WindRestart : public ::testing::Test {};
TYPED_TEST_SUITE(WindRestart, AllBackends, BackendNames);

template <class T>
void carry_over(wind::WindModel& from, wind::WindModel& to, UniformGrid const& grid) {
  from.store_correction();
  for (ModelField field : {ModelField::u, ModelField::v, ModelField::w, ModelField::lambda, ModelField::correction}) {
    auto const [nz, ny, nx] = extents(field, grid);
    std::vector<T> values(static_cast<std::size_t>(nz) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nx));
    from.copy(field, {values.data(), extents(field, grid)});
    to.restore(field, {values.data(), extents(field, grid)});
  }
}

/// Solves without a stop, and stopped at every check of the divergence, each time in a new model. Returns the stops.
template <class Exec, class T>
void stop_and_go_on(wind::WindCase const& wind_case, int fewest_stops) {
  auto const whole = WindOn<Exec, T>::make(wind_case);
  whole->set_initial_field();
  wind::ProjectionState whole_state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*whole, wind_case, whole_state)), ProjectionEnd::converged);
  WindFields const expected = copy_all<T>(*whole, wind_case.grid);

  // The first checks after a continuation pass, more of them from stop to stop: a whole pass restarts each time.
  int stops = 0;
  int looks = 0;
  wind::ProjectionHooks stop_at_once;
  stop_at_once.checked = [&](wind::ProjectionState const&) {
    return wind_case.solver.method != wind::Method::sor && ++looks <= stops;
  };
  auto model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  wind::ProjectionState state;
  while (WindOn<Exec, T>::solve(*model, wind_case, state, stop_at_once) == ProjectionEnd::interrupted) {
    ASSERT_LT(++stops, 1000);
    looks = 0;
    auto next = WindOn<Exec, T>::make(wind_case);
    next->set_initial_field();
    carry_over<T>(*model, *next, wind_case.grid);
    model = std::move(next);
  }
  EXPECT_GE(stops, fewest_stops);
  EXPECT_TRUE(copy_all<T>(*model, wind_case.grid) == expected);
  EXPECT_EQ(state.iteration, whole_state.iteration);
  ASSERT_EQ(state.history.size(), whole_state.history.size());
  for (std::size_t n = 0; n < state.history.size(); ++n) {
    EXPECT_EQ(state.history[n].iteration, whole_state.history[n].iteration);
    EXPECT_EQ(state.history[n].relative_divergence, whole_state.history[n].relative_divergence);
  }
}

TYPED_TEST(WindRestart, GoesOnToTheSameBits) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30)});
  for (wind::Method method : {wind::Method::sor, wind::Method::multigrid, wind::Method::mg_pcg}) {
    SCOPED_TRACE(name(method));
    wind_case.solver.method = method;
    for (bool const wall_law : {false, true}) {
      wind_case.parameterisations.wall_law = wall_law;
      stop_and_go_on<Exec, T>(wind_case, (method == wind::Method::sor ? 3 : 2) + (wall_law ? 1 : 0));
    }
  }
}

TYPED_TEST(WindRestart, WatchingChangesNothing) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::WindCase wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  wind_case.solver.method = wind::Method::sor;
  auto const plain = WindOn<Exec, T>::make(wind_case);
  plain->set_initial_field();
  wind::ProjectionState plain_state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*plain, wind_case, plain_state)), ProjectionEnd::converged);

  auto const watched = WindOn<Exec, T>::make(wind_case);
  watched->set_initial_field();
  wind::Watch const slice{karman::Axis::y, 9, 7};
  std::vector<T> last(16 * 24);
  int slices = 0;
  wind::ProjectionHooks hooks;
  hooks.watch_every = slice.every;
  hooks.watched = [&](wind::ProjectionState const& state) {
    EXPECT_EQ(state.iteration, 7 * slices);
    watched->copy_lambda_slice(slice, {last.data(), {16, 24}});
    ++slices;
  };
  wind::ProjectionState state;
  ASSERT_EQ((WindOn<Exec, T>::solve(*watched, wind_case, state, hooks)), ProjectionEnd::converged);
  EXPECT_EQ(slices, state.iteration / 7 + 1);
  WindFields const fields = copy_all<T>(*plain, wind_case.grid);
  EXPECT_TRUE(copy_all<T>(*watched, wind_case.grid) == fields);
  // The last slice is close to the end of the iteration.
  double largest = 0;
  double apart = 0;
  for (int k = 0; k < 16; ++k) {
    for (int i = 0; i < 24; ++i) {
      largest = std::fmax(largest, std::abs(fields.lambda(k, 9, i)));
      apart = std::fmax(apart, std::abs(fields.lambda(k, 9, i) - double(last[static_cast<std::size_t>(k * 24 + i)])));
    }
  }
  EXPECT_GT(largest, 1);
  EXPECT_LT(apart, 0.01 * largest);
}

TYPED_TEST(WindRestart, RefusesFieldsOfAnotherTypeOrShape) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
  wind::WindCase const wind_case = small_case<Exec, T>({block(20, 20, 8, 8, 8)});
  auto const model = WindOn<Exec, T>::make(wind_case);
  model->set_initial_field();
  std::array<int, 3> const shape = extents(ModelField::u, wind_case.grid);
  std::size_t const count = ArrayExtents(shape).count();
  std::vector<T> values(count, T(7));
  std::vector<Other> other(count);
  EXPECT_THROW(model->copy(ModelField::u, {other.data(), shape}), std::invalid_argument);
  EXPECT_THROW(model->copy(ModelField::u, {values.data(), {shape[0], shape[1], shape[2] - 1}}), std::invalid_argument);
  EXPECT_THROW(model->copy(ModelField::u, {values.data(), count}), std::invalid_argument);
  EXPECT_THROW(model->restore(ModelField::u, {other.data(), shape}), std::invalid_argument);
  EXPECT_THROW(model->copy_cell_velocity(Axis::x, {values.data(), shape}), std::invalid_argument);
  EXPECT_EQ(values, std::vector<T>(count, T(7)));
  EXPECT_NO_THROW(model->copy(ModelField::u, {values.data(), shape}));
}

}  // namespace wind_restart_test
