// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A field that is the gradient of a known multiplier: the projection must remove it, with second order.
#include "wind_fields.hpp"

#include <numbers>

namespace wind_order_test {

using namespace karman;
using namespace karman::test;
using wind::ModelField;

template <class>
class WindOrder : public ::testing::Test {};
TYPED_TEST_SUITE(WindOrder, AllBackendsDouble, BackendNames);

constexpr double lx = 60, ly = 40, lz = 30;
constexpr double pi = std::numbers::pi;

/// Zero on the sides and the top, level at the ground.
double multiplier(double x, double y, double z) {
  return 100 * std::sin(pi * x / lx) * std::sin(pi * y / ly) * std::cos(pi * z / (2 * lz));
}

struct Errors {
  double lambda = 0, velocity = 0;
};

/// Projects u0 = -grad lambda / (2 alpha^2): the result must be lambda, without any wind left.
template <class Exec>
Errors errors(int n) {
  wind::WindCase wind_case = small_case<Exec, double>({});
  wind_case.grid = UniformGrid({n, n, n}, {lx / n, ly / n, lz / n});
  wind_case.solver.alpha = {1.3, 0.8};
  UniformGrid const& grid = wind_case.grid;
  double const horizontal = -100 / (2 * 1.3 * 1.3);
  double const vertical = -100 / (2 * 0.8 * 0.8);
  auto const sx = [&](double i) { return std::sin(pi * i / n); };
  auto const cx = [&](double i) { return std::cos(pi * i / n); };
  auto const sz = [&](double k) { return std::sin(pi * k / (2 * n)); };
  auto const cz = [&](double k) { return std::cos(pi * k / (2 * n)); };
  std::vector<double> u, v, w;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i <= n; ++i) u.push_back(horizontal * pi / lx * cx(i) * sx(j + 0.5) * cz(k + 0.5));
  for (int k = 0; k < n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i < n; ++i) v.push_back(horizontal * pi / ly * sx(i + 0.5) * cx(j) * cz(k + 0.5));
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) w.push_back(-vertical * pi / (2 * lz) * sx(i + 0.5) * sx(j + 0.5) * sz(k));
  auto const model = WindOn<Exec, double>::make(wind_case);
  model->set_initial_field();
  model->restore(ModelField::u, {u.data(), extents(ModelField::u, grid)});
  model->restore(ModelField::v, {v.data(), extents(ModelField::v, grid)});
  model->restore(ModelField::w, {w.data(), extents(ModelField::w, grid)});
  wind::ProjectionState state;
  EXPECT_EQ((WindOn<Exec, double>::solve(*model, wind_case, state)), wind::ProjectionEnd::converged);
  WindFields const fields = copy_all<double>(*model, grid);
  Errors result;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        double const exact = multiplier((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy(), grid.z_center(k));
        result.lambda = std::fmax(result.lambda, std::abs(fields.lambda(k, j, i) - exact));
      }
    }
  }
  for (HostValues const* component : {&fields.u, &fields.v, &fields.w}) {
    for (double value : component->values) result.velocity = std::fmax(result.velocity, std::abs(value));
  }
  return result;
}

TYPED_TEST(WindOrder, IsTwo) {
  using Exec = typename TypeParam::execution_space;
  std::array const found{errors<Exec>(8), errors<Exec>(16), errors<Exec>(32)};
  for (std::size_t grid = 1; grid < found.size(); ++grid) {
    EXPECT_NEAR(std::log2(found[grid - 1].lambda / found[grid].lambda), 2, 0.1);
    EXPECT_NEAR(std::log2(found[grid - 1].velocity / found[grid].velocity), 2, 0.1);
  }
  EXPECT_LT(found[2].lambda, 0.2);
}

}  // namespace wind_order_test
