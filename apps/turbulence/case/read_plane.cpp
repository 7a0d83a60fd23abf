// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_plane.hpp"

#include "common/expression.hpp"
#include "common/run_support.hpp"
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace karman::turbulence {

app::HostField field_of(app::Precision precision, VorticitySetup const& setup, std::vector<double> const& values) {
  return {precision, {static_cast<std::size_t>(setup.points[1]), static_cast<std::size_t>(setup.points[0])}, values};
}

std::vector<double> read_plane(Case const& input, std::string const& pointer, VorticitySetup const& setup,
                               std::vector<CaseProblem>& problems) {
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number()) return plane_of(setup, [value = given.get<double>()](double, double) { return value; });
  std::vector<double> values;
  try {
    app::Expression formula(given.get<std::string>(), "xy",
                            app::ExpressionConstants{{setup.lengths[0], setup.lengths[1], 1}});
    values = plane_of(setup, [&](double x, double y) { return formula({x, y, 0, 0}); });
  } catch (app::ExpressionError const& wrong) {
    problems.push_back(input.problem(pointer, app::allowed_words("xy") + ": " + wrong.what()));
    return values;
  }
  auto const bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return values;
  auto const n = static_cast<int>(bad - values.begin());
  auto const [nx, ny] = setup.points;
  problems.push_back(
      input.problem(pointer, app::formatted("expected finite values, found %g at (x, y) = (%.10g, %.10g)", *bad,
                                            n % nx * setup.lengths[0] / nx, n / nx * setup.lengths[1] / ny)));
  return {};
}

}  // namespace karman::turbulence
