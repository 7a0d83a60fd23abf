// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "polar_case.hpp"

#include "common/case/texts.hpp"
#include "flow_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace karman::euler {
namespace {

using app::formatted;
using Problems = std::vector<CaseProblem>;

/// Numbers from `from` to `to`, without the round-off of their sums.
std::vector<double> range_at(Case const& input, std::string const& place, Problems& problems) {
  auto const number = [&](char const* member) { return input.get<double>(place + '/' + member); };
  double const from = number("from"), to = number("to"), step = number("step");
  double const steps = (to - from) / step;
  constexpr double most = 1e4;
  if (!(steps >= 0 && steps < most)) {
    problems.push_back(input.problem(place + "/step", formatted("expected a step from %g towards %g, of at least %g",
                                                                from, to, std::abs(to - from) / most)));
    return {};
  }
  std::vector<double> values;
  constexpr double slack = 1e-9;  // of a step, for the last one
  for (double n = 0; n <= steps + slack; ++n) {
    double const value = from + n * step;
    bool const is_zero = std::abs(value) < slack * std::abs(step);
    values.push_back(is_zero ? 0 : std::strtod(formatted("%.12g", value).c_str(), nullptr));
  }
  return values;
}

/// Adds the axis of a list, or of a range, if the sweep has one.
void add_axis(Case const& input, std::string const& label, std::vector<app::StudyAxis>& axes, Problems& problems) {
  std::string const list = "/sweep/" + label, range = list + "_range";
  if (input.has(list) && input.has(range)) {
    problems.push_back(input.problem("/sweep", "expected either " + label + " or " + label + "_range"));
  } else if (input.has(list)) {
    auto const values = input.get<std::vector<double>>(list);
    for (auto value = values.begin(); value != values.end(); ++value) {
      if (std::find(values.begin(), value, *value) == value) continue;
      problems.push_back(
          input.problem(list + '/' + std::to_string(value - values.begin()), "expected each value once"));
    }
    axes.push_back({"flow." + label, label, list, values});
  } else if (input.has(range)) {
    auto values = range_at(input, range, problems);
    if (!values.empty()) axes.push_back({"flow." + label, label, range, std::move(values)});
  }
}

/// The search for a lift.
LiftSearch read_search(Case const& input) {
  LiftSearch search{.target = input.get<double>("/sweep/target_lift")};
  if (input.has("/sweep/lift_tolerance")) search.tolerance = input.get<double>("/sweep/lift_tolerance");
  if (input.has("/sweep/lift_solves")) search.most_solves = input.get<int>("/sweep/lift_solves");
  return search;
}

/// Refuses options of the search in a sweep without one.
void check_no_search(Case const& input, Problems& problems) {
  for (char const* option : {"/sweep/lift_tolerance", "/sweep/lift_solves"}) {
    if (!input.has(option)) continue;
    problems.push_back(input.problem(option, "expected target_lift beside it: it belongs to the search for a lift"));
    return;  // one line for both of them
  }
}

/// Refuses a case that may be a single flow, but no sweep.
void check_whole(Case const& input, Problems& problems) {
  if (input.get<std::string>("/time/kind") != "steady")
    problems.push_back(input.problem("/time/kind", "expected steady with /sweep"));
  if (input.has("/flow/velocity"))
    problems.push_back(input.problem("/flow/velocity", "expected mach and angle with /sweep, which varies them"));
  if (input.size("/forces") == 0)
    problems.push_back(input.problem("/sweep", "expected /forces, whose coefficients are the polar"));
  auto const fields = input.get<std::vector<std::string>>("/outputs/fields");
  for (char const* needed : {"density", "velocity", "pressure"}) {
    if (std::find(fields.begin(), fields.end(), needed) != fields.end()) continue;
    problems.push_back(input.problem("/outputs/fields",
                                     std::string("expected ") + needed + " with /sweep: points start from each other"));
  }
  for (auto const& [name, condition] : input.json().at("boundaries").items()) {
    nlohmann::json::json_pointer place("/boundaries");
    place /= name;
    if (condition.value("kind", "") == "inlet") {
      problems.push_back(input.problem((place / "kind").to_string(),
                                       "expected far_field or inflow with /sweep, which varies the flow"));
    }
    if (!condition.contains("state")) continue;
    problems.push_back(
        input.problem((place / "state").to_string(), "expected none with /sweep, which varies the flow"));
  }
}

}  // namespace

Polar read_polar(Case const& input, std::filesystem::path const& folder) {
  Problems problems;
  std::vector<app::StudyAxis> axes;
  std::optional<LiftSearch> search;
  add_axis(input, "mach", axes, problems);
  std::size_t const rows = axes.size();
  add_axis(input, "angle", axes, problems);
  bool const has_angles = input.has("/sweep/angle") || input.has("/sweep/angle_range");
  if (input.has("/sweep/target_lift")) {
    search = read_search(input);
    if (has_angles)
      problems.push_back(input.problem("/sweep/target_lift", "expected no angles beside it: it finds them"));
  } else {
    check_no_search(input, problems);
    if (axes.empty() && problems.empty())
      problems.push_back(input.problem("/sweep", "expected mach, angle or target_lift"));
  }
  check_whole(input, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  std::size_t const row = axes.size() > rows ? axes.back().values.size() : 1;
  constexpr std::array<char const*, 2> files{"/mesh/file", "/initial/file"};
  Polar polar{
      {input, axes, {"sweep", point_word, "not_converged", polar_table, polar_checkpoint}, folder, schema(), files},
      row,
      search};
  polar.points.check_all([&](std::size_t n) { read_flow_case(polar.points.members()[n].input); });
  return polar;
}

}  // namespace karman::euler
