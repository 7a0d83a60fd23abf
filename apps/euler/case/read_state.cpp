// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_state.hpp"

#include "common/expression.hpp"
#include "common/run_support.hpp"
#include <karman/io/config.hpp>
#include <karman/mesh/plane_box.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>

namespace karman::euler {
namespace {

using app::formatted;

/// Values of one member at the nodes.
using Values = std::function<double(std::array<double, 2> const&)>;

/// A number or a formula; the default where the case has none.
Values values_of(Case const& input, std::string const& pointer, double otherwise, PlaneBox const& box,
                 std::vector<CaseProblem>& problems) {
  if (!input.has(pointer)) return [otherwise](auto const&) { return otherwise; };
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number()) return [value = given.get<double>()](auto const&) { return value; };
  try {
    auto const formula = std::make_shared<app::Expression>(given.get<std::string>(), "xy",
                                                           app::ExpressionConstants{{box.width(), box.height(), 1}});
    return [formula](std::array<double, 2> const& at) { return (*formula)({at[0], at[1], 0, 0}); };
  } catch (app::ExpressionError const& wrong) {
    problems.push_back(input.problem(pointer, app::allowed_words("xy") + ": " + wrong.what()));
    return [otherwise](auto const&) { return otherwise; };
  }
}

}  // namespace

double read_density(Case const& input, std::string const& pointer, Gas const& gas, double pressure,
                    std::string const& prefix, std::vector<CaseProblem>& problems) {
  std::string const density = pointer + '/' + prefix + "density", temperature = pointer + '/' + prefix + "temperature";
  if (input.has(density) == input.has(temperature)) {
    problems.push_back(input.problem(pointer, "expected either " + prefix + "density or " + prefix + "temperature"));
    return 1;
  }
  return input.has(density) ? input.get<double>(density) : pressure / (gas.constant * input.get<double>(temperature));
}

EulerState read_state(Case const& input, std::string const& pointer, Gas const& gas,
                      std::vector<CaseProblem>& problems) {
  EulerState state;
  state.pressure = input.get<double>(pointer + "/pressure");
  state.density = read_density(input, pointer, gas, state.pressure, "", problems);
  bool const velocity = input.has(pointer + "/velocity"), mach = input.has(pointer + "/mach");
  if (velocity == mach) {
    problems.push_back(input.problem(pointer, "expected either velocity, or mach with angle"));
  } else if (velocity) {
    state.velocity = input.get<std::array<double, 2>>(pointer + "/velocity");
  } else {
    double const speed = input.get<double>(pointer + "/mach") * std::sqrt(gas.gamma * state.pressure / state.density);
    double const angle = input.get<double>(pointer + "/angle") * std::numbers::pi / 180;
    state.velocity = {speed * std::cos(angle), speed * std::sin(angle)};
  }
  return state;
}

std::vector<std::array<double, 4>> read_initial(Case const& input, MeshData const& mesh, Gas const& gas,
                                                EulerState const& flow, std::vector<CaseProblem>& problems) {
  std::size_t const before = problems.size();
  PlaneBox const box(mesh.nodes);
  auto const read = [&](std::string const& member, double otherwise) {
    return values_of(input, "/initial/" + member, otherwise, box, problems);
  };
  Values const density = read("density", flow.density), pressure = read("pressure", flow.pressure);
  Values const vx = read("velocity/0", flow.velocity[0]), vy = read("velocity/1", flow.velocity[1]);
  std::vector<std::array<double, 4>> states;
  if (problems.size() > before) return states;
  states.reserve(mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    auto const& at = mesh.nodes[n];
    EulerState const state{density(at), {vx(at), vy(at)}, pressure(at)};
    auto const refuse = [&](char const* member, double value, char const* wanted) {
      problems.push_back(input.problem(std::string("/initial/") + member,
                                       formatted("expected %s values, found %g at node %zu, (x, y) = (%.10g, %.10g)",
                                                 wanted, value, n, at[0], at[1])));
    };
    bool const dense = std::isfinite(state.density) && state.density > 0;
    bool const pressed = std::isfinite(state.pressure) && state.pressure > 0;
    bool const moving = std::isfinite(state.velocity[0]) && std::isfinite(state.velocity[1]);
    if (!dense) refuse("density", state.density, "positive");
    else if (!pressed) refuse("pressure", state.pressure, "positive");
    else if (!moving) refuse("velocity", state.velocity[std::isfinite(state.velocity[0]) ? 1 : 0], "finite");
    if (!dense || !pressed || !moving) return {};
    states.push_back(conservative_state(gas.gamma, state));
  }
  return states;
}

}  // namespace karman::euler
