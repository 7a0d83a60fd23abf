// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_state.hpp"

#include "common/case/expression.hpp"
#include "common/case/texts.hpp"
#include <karman/io/config.hpp>
#include <karman/mesh/plane_box.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

namespace karman::euler {
namespace {

using app::formatted;

/// Values of one member in space and time.
struct Values {
  std::function<double(double x, double y, double t)> at;
  bool is_number = true;
  bool in_time = false;
};

/// A number or a formula in these variables; the default where the case has none.
Values values_of(Case const& input, std::string const& pointer, double otherwise, PlaneBox const& box,
                 app::Variables variables, std::vector<CaseProblem>& problems) {
  auto const constant = [](double value) { return Values{[value](double, double, double) { return value; }}; };
  if (!input.has(pointer)) return constant(otherwise);
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number()) return constant(given.get<double>());
  try {
    auto const formula = std::make_shared<app::Expression>(given.get<std::string>(), variables,
                                                           app::ExpressionConstants{{box.width(), box.height(), 1}});
    return {[formula](double x, double y, double t) { return (*formula)({x, y, 0, t}); }, false, formula->uses('t')};
  } catch (app::ExpressionError const& wrong) {
    problems.push_back(input.problem(pointer, app::allowed_words(variables) + ": " + wrong.what()));
    return constant(otherwise);
  }
}

}  // namespace

std::optional<StateFault> fault_of(EulerState const& state) {
  if (!(std::isfinite(state.density) && state.density > 0)) return StateFault{"density", "positive", state.density};
  if (!(std::isfinite(state.pressure) && state.pressure > 0)) return StateFault{"pressure", "positive", state.pressure};
  for (double const v : state.velocity) {
    if (!std::isfinite(v)) return StateFault{"velocity", "finite", v};
  }
  return {};
}

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

BoundaryState read_boundary_state(Case const& input, std::string const& pointer, Gas const& gas,
                                  std::vector<std::array<double, 2>> const& points, MeshData const& mesh,
                                  std::vector<CaseProblem>& problems) {
  std::size_t const before = problems.size();
  PlaneBox const box(mesh.nodes);
  auto const read = [&](char const* member) {
    return values_of(input, pointer + '/' + member, 0, box, "xyt", problems);
  };
  auto const require_one = [&](char const* a, char const* b, char const* words) {
    if (input.has(pointer + '/' + a) != input.has(pointer + '/' + b)) return;
    problems.push_back(input.problem(pointer, std::string("expected either ") + words));
  };
  require_one("density", "temperature", "density or temperature");
  require_one("velocity", "mach", "velocity, or mach with angle");
  bool const has_density = input.has(pointer + "/density"), has_velocity = input.has(pointer + "/velocity");
  Values const pressure = read("pressure"), mass = read(has_density ? "density" : "temperature");
  Values const vx = read("velocity/0"), vy = read("velocity/1");
  if (problems.size() > before) return {};
  double const mach = has_velocity ? 0 : input.get<double>(pointer + "/mach");
  double const angle = input.get<double>(pointer + "/angle") * std::numbers::pi / 180;
  PrescribedState prescribed;
  prescribed.in_time = pressure.in_time || mass.in_time || vx.in_time || vy.in_time;
  prescribed.at = [=](double x, double y, double t) {
    EulerState state;
    state.pressure = pressure.at(x, y, t);
    state.density = has_density ? mass.at(x, y, t) : state.pressure / (gas.constant * mass.at(x, y, t));
    double const speed = mach * std::sqrt(gas.gamma * state.pressure / state.density);
    state.velocity = {speed * std::cos(angle), speed * std::sin(angle)};
    if (has_velocity) state.velocity = {vx.at(x, y, t), vy.at(x, y, t)};
    return state;
  };
  for (auto const& at : points) {
    auto const fault = fault_of(prescribed.at(at[0], at[1], 0));
    if (!fault) continue;
    problems.push_back(input.problem(pointer, formatted("expected a %s %s, found %g at (x, y) = (%.10g, %.10g)",
                                                        fault->wanted, fault->member, fault->value, at[0], at[1])));
    return {};
  }
  BoundaryState result;
  result.constant = points.empty() ? EulerState() : prescribed.at(points.front()[0], points.front()[1], 0);
  bool const numbers = pressure.is_number && mass.is_number && vx.is_number && vy.is_number;
  if (!numbers) result.prescribed = std::move(prescribed);
  return result;
}

std::vector<std::array<double, 4>> read_initial(Case const& input, MeshData const& mesh, Gas const& gas,
                                                EulerState const& flow, std::vector<Conservative> const& base,
                                                std::vector<CaseProblem>& problems) {
  std::size_t const before = problems.size();
  PlaneBox const box(mesh.nodes);
  auto const given = [&](char const* member) { return input.has(std::string("/initial/") + member); };
  bool const has_density = given("density"), has_pressure = given("pressure"), has_velocity = given("velocity");
  if (!has_density && !has_pressure && !has_velocity && !base.empty()) return base;
  auto const read = [&](std::string const& member) {
    return values_of(input, "/initial/" + member, 0, box, "xy", problems);
  };
  Values const density = read("density"), pressure = read("pressure"), vx = read("velocity/0"), vy = read("velocity/1");
  std::vector<std::array<double, 4>> states;
  if (problems.size() > before) return states;
  states.reserve(mesh.nodes.size());
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    auto const [x, y] = mesh.nodes[n];
    EulerState state = base.empty() ? flow : state_of(gas.gamma, base[n]);
    if (has_density) state.density = density.at(x, y, 0);
    if (has_pressure) state.pressure = pressure.at(x, y, 0);
    if (has_velocity) state.velocity = {vx.at(x, y, 0), vy.at(x, y, 0)};
    if (auto const fault = fault_of(state)) {
      problems.push_back(input.problem(std::string("/initial/") + fault->member,
                                       formatted("expected %s values, found %g at node %zu, (x, y) = (%.10g, %.10g)",
                                                 fault->wanted, fault->value, n, x, y)));
      return {};
    }
    states.push_back(conservative_state(gas.gamma, state));
  }
  return states;
}

}  // namespace karman::euler
