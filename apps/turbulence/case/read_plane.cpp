// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_plane.hpp"

#include "common/case/expression.hpp"
#include "common/case/texts.hpp"
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace karman::turbulence {

int stride_of(VorticitySetup const& setup, Evaluation evaluation) {
  constexpr double most = 1 << 16;
  double const points = double(setup.points[0]) * setup.points[1];
  if (evaluation == Evaluation::whole || points <= most) return 1;
  return static_cast<int>(std::ceil(std::sqrt(points / most)));
}

app::HostField field_of(app::Precision precision, VorticitySetup const& setup, std::vector<double> const& values) {
  return {precision, {static_cast<std::size_t>(setup.points[1]), static_cast<std::size_t>(setup.points[0])}, values};
}

std::vector<double> read_plane(Case const& input, std::string const& pointer, VorticitySetup const& setup,
                               std::vector<CaseProblem>& problems, int stride) {
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number())
    return plane_of(setup, [value = given.get<double>()](double, double) { return value; }, stride);
  std::vector<double> values;
  try {
    app::Expression formula(given.get<std::string>(), "xy",
                            app::ExpressionConstants{{setup.lengths[0], setup.lengths[1], 1}});
    values = plane_of(setup, [&](double x, double y) { return formula({x, y, 0, 0}); }, stride);
  } catch (app::ExpressionError const& wrong) {
    problems.push_back(input.problem(pointer, app::allowed_words("xy") + ": " + wrong.what()));
    return values;
  }
  auto const bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return values;
  auto const n = static_cast<int>(bad - values.begin());
  auto const [nx, ny] = setup.points;
  int const columns = (nx - 1) / stride + 1, i = n % columns * stride, j = n / columns * stride;
  problems.push_back(
      input.problem(pointer, app::formatted("expected finite values, found %g at (x, y) = (%.10g, %.10g)", *bad,
                                            i * setup.lengths[0] / nx, j * setup.lengths[1] / ny)));
  return {};
}

PlaneScale read_plane_scale(Case const& input, std::string const& pointer, VorticitySetup const& setup) {
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number()) return {};  // its mean alone
  constexpr int most = 128;
  VorticitySetup coarse = setup;
  for (int& points : coarse.points) points = std::min(points, most);
  app::Expression formula(given.get<std::string>(), "xy",
                          app::ExpressionConstants{{setup.lengths[0], setup.lengths[1], 1}});
  std::vector<double> values = plane_of(coarse, [&](double x, double y) {
    double const value = formula({x, y, 0, 0});
    return std::isfinite(value) ? value : 0;
  });
  double mean = 0;
  for (double const value : values) mean += value / static_cast<double>(values.size());
  auto const [nx, ny] = coarse.points;
  auto const at = [&, nx = nx, ny = ny](int i, int j) {
    return values[static_cast<std::size_t>(j % ny) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(i % nx)];
  };
  double squares = 0, slopes = 0;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      double const here = at(i, j), along_x = (at(i + 1, j) - here) * nx / setup.lengths[0],
                   along_y = (at(i, j + 1) - here) * ny / setup.lengths[1];
      squares += (here - mean) * (here - mean);
      slopes += along_x * along_x + along_y * along_y;
    }
  }
  // Round-off of a constant has no wavenumber.
  constexpr double rounding = 1e-24;
  if (!(squares > rounding * mean * mean * static_cast<double>(values.size()))) return {};
  return {std::sqrt(squares / static_cast<double>(values.size())), std::sqrt(slopes / squares)};
}

}  // namespace karman::turbulence
