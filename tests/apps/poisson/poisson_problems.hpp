// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases and solves for the tests of the methods of karman poisson.
#pragma once

#include "backends.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/model/method_choice.hpp"
#include "poisson/model/residual_check.hpp"
#include "poisson/model/solver.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace karman::test {

/// A case from JSON, read and discretised.
struct Problem {
  explicit Problem(nlohmann::json const& json)
      : input(Case::parse(json.dump(), "test", poisson::schema())),
        poisson_case(poisson::read_poisson_case(input)),
        system(poisson::make_linear_system(input, poisson_case)) {}

  Case input;
  poisson::PoissonCase poisson_case;
  poisson::LinearSystem system;
};

template <class Exec>
poisson::SolveResult solve(Problem const& problem, poisson::Method method) {
  auto const& settings = problem.poisson_case.solver;
  poisson::SolveResult result;
  result.method = method;
  auto const solver = poisson::make_poisson_solver(backend_of<Exec>(), method, settings, problem.system);
  poisson::SolveRequest request;
  request.tolerance = settings.tolerance;
  request.max_iterations = settings.max_iterations;
  request.check_every = settings.check_every.value_or(poisson::usual_check_every(method));
  result.outcome = solver->solve(request, {});
  result.memory_bytes = solver->memory_bytes();
  poisson::judge(problem.system, settings, *solver, result);
  return result;
}

/// The methods that apply to a problem.
inline std::vector<poisson::Method> methods_for(Problem const& problem) {
  std::vector<poisson::Method> methods;
  for (poisson::Method method : poisson::all_methods) {
    if (poisson::why_not(method, problem.system).empty()) methods.push_back(method);
  }
  return methods;
}

/// Slope of the least-squares line through (log h, log error), h = 1 / n: the order of accuracy.
inline double measured_order(std::vector<int> const& n, std::vector<double> const& errors) {
  double const count = static_cast<double>(n.size());
  double middle = 0, above = 0, below = 0;
  for (int cells : n) middle += std::log(cells) / count;
  for (std::size_t grid = 0; grid < n.size(); ++grid) {
    double const x = std::log(n[grid]) - middle;
    above -= x * std::log(errors[grid]);
    below += x * x;
  }
  return above / below;
}

}  // namespace karman::test
