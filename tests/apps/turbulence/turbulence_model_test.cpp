// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow of karman turbulence on every backend: fields, modes, restarts, memory.
#include "turbulence/model/turbulence_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace turbulence_model_test {

using namespace karman;
using namespace karman::turbulence;
using std::numbers::pi;

class TurbulenceModelOf : public testing::TestWithParam<std::tuple<Backend, app::Precision>> {
 protected:
  Backend backend() const { return std::get<0>(GetParam()); }
  app::Precision precision() const { return std::get<1>(GetParam()); }
  double rounding() const { return precision() == app::Precision::f32 ? 1e-6 : 1e-14; }

  /// A box of 2 pi x 4 pi with 20 x 30 points.
  TurbulenceProblem problem() const {
    TurbulenceProblem result;
    result.precision = precision();
    result.setup.points = {20, 30};
    result.setup.lengths = {2 * pi, 4 * pi};
    result.setup.terms.viscosity = 0.01;
    result.control.cfl = 0.8;
    return result;
  }

  /// sin(2 x + y / 2) at the points.
  app::HostField wave() const {
    std::vector<double> values;
    for (int j = 0; j < 30; ++j) {
      for (int i = 0; i < 20; ++i) values.push_back(std::sin(2 * 2 * pi * i / 20 + 2 * pi * j / 30));
    }
    return {precision(), {30, 20}, values};
  }
};

TEST_P(TurbulenceModelOf, HasTheFieldsOfAWave) {
  auto const model = make_turbulence_model(backend(), problem());
  model->start(wave());
  app::HostField vorticity, velocity, modes;
  model->copy_vorticity(vorticity);
  model->copy_velocity(velocity);
  model->copy_modes(modes);
  auto const expected = wave().in_double(), found = vorticity.in_double(), vectors = velocity.in_double();
  double const square = 4 + 0.25;
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_NEAR(found[n], expected[n], 10 * rounding());
    // psi = -omega / k^2, u = -d psi/dy, v = d psi/dx
    double const slope = std::cos(2 * 2 * pi * double(n % 20) / 20 + 2 * pi * double(n / 20) / 30);
    EXPECT_NEAR(vectors[3 * n], 0.5 * slope / square, 10 * rounding());
    EXPECT_NEAR(vectors[3 * n + 1], -2 * slope / square, 10 * rounding());
    EXPECT_EQ(vectors[3 * n + 2], 0);
  }
  // sin = (exp(i) - exp(-i)) / 2i: mode (1, 2) is -i / 2.
  auto const values = modes.in_double();
  ASSERT_EQ(values.size(), 30u * 11 * 2);
  for (std::size_t n = 0; n < values.size(); ++n)
    EXPECT_NEAR(values[n], n == 2 * (11 + 2) + 1 ? -0.5 : 0.0, 10 * rounding()) << n;
  VorticityFigures const figures = model->diagnostics();
  EXPECT_NEAR(figures.enstrophy, 0.25, rounding());
  EXPECT_NEAR(figures.energy, 0.25 / square, rounding());
  auto const counts = model->histogram(1.5, 3);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 600);
  EXPECT_EQ(counts[0], counts[2]);
}

TEST_P(TurbulenceModelOf, GoesOnFromItsModesWithTheSameBits) {
  TurbulenceProblem forced = problem();
  forced.random = RandomForcing{RandomModes::ring, 3, 1, 0.1, 5};
  forced.forcing = wave();
  auto const one = make_turbulence_model(backend(), forced), other = make_turbulence_model(backend(), forced);
  one->start(wave());
  one->set_end(10);
  one->advance(7);
  app::HostField modes;
  one->copy_modes(modes);
  other->restart(modes, one->diagnostics().moment);
  other->set_end(10);
  for (auto const& model : {one.get(), other.get()}) model->advance(9);
  app::HostField a, b;
  one->copy_modes(a);
  other->copy_modes(b);
  EXPECT_EQ(std::memcmp(std::as_const(a).array().data, std::as_const(b).array().data, std::as_const(a).array().bytes()),
            0);
  VorticityMoment const at = one->diagnostics().moment, there = other->diagnostics().moment;
  EXPECT_EQ(at.steps, 16);
  EXPECT_EQ(there.time, at.time);
  EXPECT_EQ(there.dt, at.dt);
  EXPECT_EQ(there.injected_energy, at.injected_energy);
}

TEST_P(TurbulenceModelOf, NeedsTheMemoryThatItAnnounces) {
  for (VorticityMethod const method : {VorticityMethod::low_storage_rk54, VorticityMethod::etdrk4}) {
    TurbulenceProblem large = problem();
    large.setup.points = {256, 192};
    large.setup.method = method;
    auto const model = make_turbulence_model(backend(), large);
    // The announced velocity is there only while it is copied.
    double const velocity = 2.0 * app::real_size(precision()) * 256 * 192;
    EXPECT_NEAR((static_cast<double>(turbulence_model_bytes(backend(), large)) - velocity) /
                    static_cast<double>(model->memory_bytes()),
                1, 0.05);
  }
}

TEST_P(TurbulenceModelOf, RefusesOtherShapes) {
  auto const model = make_turbulence_model(backend(), problem());
  EXPECT_THROW(model->start(app::HostField(app::scalar_type(precision()), {20, 30})), std::invalid_argument);
  EXPECT_THROW(model->restart(wave(), {}), std::invalid_argument);
}

std::string name_of(testing::TestParamInfo<std::tuple<Backend, app::Precision>> const& info) {
  return std::string(name(std::get<0>(info.param))) + '_' + std::string(app::name(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(Backends, TurbulenceModelOf,
                         testing::Combine(testing::ValuesIn(enabled_backends()),
                                          testing::Values(app::Precision::f32, app::Precision::f64)),
                         name_of);

}  // namespace turbulence_model_test
