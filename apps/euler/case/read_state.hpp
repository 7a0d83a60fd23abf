// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// States of a gas in a case.
#pragma once

#include "euler/case/flow_problem.hpp"
#include <karman/io/error.hpp>
#include <karman/mesh/mesh_data.hpp>
#include <karman/solvers/euler/euler_boundary.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::euler {

/// Gas of a case: gamma and R, J/(kg K).
struct Gas {
  double gamma = 1.4, constant = 287.05;
};

/// State at a pointer: pressure, density or temperature, and velocity or mach with angle. Adds a problem where one is
/// missing or given twice.
EulerState read_state(Case const& input, std::string const& pointer, Gas const& gas,
                      std::vector<CaseProblem>& problems);

/// Density at a pointer, from `density` or from `temperature` and a pressure; `prefix` is "" or "total_".
double read_density(Case const& input, std::string const& pointer, Gas const& gas, double pressure,
                    std::string const& prefix, std::vector<CaseProblem>& problems);

/// State of a boundary: numbers, or formulas in x, y, t. The values at the start must be a gas at these points; adds a
/// problem for those that are none, and for formulas that are wrong.
struct BoundaryState {
  EulerState constant;                        ///< of numbers alone
  std::optional<PrescribedState> prescribed;  ///< of formulas
};
BoundaryState read_boundary_state(Case const& input, std::string const& pointer, Gas const& gas,
                                  std::vector<std::array<double, 2>> const& points, MeshData const& mesh,
                                  std::vector<CaseProblem>& problems);

/// The member that is no gas: a density or pressure that is not positive, a velocity that is not finite.
struct StateFault {
  char const* member;
  char const* wanted;  ///< "positive" or "finite"
  double value;
};
std::optional<StateFault> fault_of(EulerState const& state);

/// Conservative state of every node: `base` or, where that is empty, the flow; replaced by the members of `/initial`.
/// Adds a problem for formulas that are wrong and for values that are no gas, with the node.
std::vector<std::array<double, 4>> read_initial(Case const& input, MeshData const& mesh, Gas const& gas,
                                                EulerState const& flow, std::vector<Conservative> const& base,
                                                std::vector<CaseProblem>& problems);

}  // namespace karman::euler
