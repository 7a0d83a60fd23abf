// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Right-hand sides that a case asks for by name.
#pragma once

#include "poisson_case.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace karman::poisson {

/// A right-hand side as a formula, and the solution where it is known.
struct NamedProblem {
  std::string right_hand_side;
  std::optional<std::string> exact;
};

/// sines: p is the product of sin(pi (x - x0) / lx), zero on the sides. cosines: the same with cosines, without flux
/// through the sides. waves: sin(2 pi (x - x0) / lx), periodic. All three: f is a times the Laplacian of p. Their
/// solution is known where a is constant, no cell is solid and the sides match. gaussian: a bell in the middle. dipole:
/// a source and a sink. `name` is one of these.
NamedProblem named_problem(std::string_view name, PoissonCase const& so_far);

}  // namespace karman::poisson
