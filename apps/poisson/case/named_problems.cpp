// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_problems.hpp"

#include "common/case/texts.hpp"

#include <algorithm>

namespace karman::poisson {
namespace {

std::string exactly(double value) { return app::formatted("(%.17g)", value); }

std::string axis_name(int axis) { return std::string(1, "xyz"[axis]); }

double origin(PoissonCase const& so_far, int axis) { return so_far.grid.origin()[static_cast<std::size_t>(axis)]; }

/// True if all sides are of this kind with the value zero.
bool all_sides(PoissonCase const& so_far, Boundary kind) {
  return std::all_of(so_far.sides.begin(), so_far.sides.begin() + 2 * so_far.dimensions,
                     [&](SideCondition const& side) {
                       return side.kind == kind &&
                              (kind == Boundary::periodic || (side.value.is_constant() && side.value.constant == 0));
                     });
}

/// A bell around a point, as a formula. Its width is a twentieth of the domain; `place` is a fraction of the lengths.
std::string bell(PoissonCase const& so_far, double place) {
  std::string exponent;
  for (int axis = 0; axis < so_far.dimensions; ++axis) {
    std::string const x = axis_name(axis);
    exponent += (axis > 0 ? " + " : "") + std::string("((") + x + " - " + exactly(origin(so_far, axis)) + ") / l" + x +
                " - " + exactly(place) + ")^2";
  }
  return "exp(-(" + exponent + ") / 0.005)";
}

NamedProblem product(PoissonCase const& so_far, std::string const& function, std::string const& wave, Boundary sides) {
  std::string p, squares;
  for (int axis = 0; axis < so_far.dimensions; ++axis) {
    std::string const x = axis_name(axis);
    p += (axis > 0 ? " * " : "") + function + '(' + wave + " * (" + x + " - " + exactly(origin(so_far, axis)) +
         ") / l" + x + ')';
    squares += (axis > 0 ? " + " : "") + std::string("1 / l") + x + "^2";
  }
  NamedProblem problem;
  double const a = so_far.coefficient.is_constant() ? so_far.coefficient.constant : 1;
  problem.right_hand_side = "-" + exactly(a) + " * (" + wave + ")^2 * (" + squares + ") * " + p;
  if (so_far.coefficient.is_constant() && so_far.solid.empty() && all_sides(so_far, sides)) problem.exact = p;
  return problem;
}

}  // namespace

NamedProblem named_problem(std::string_view name, PoissonCase const& so_far) {
  if (name == "sines") return product(so_far, "sin", "pi", Boundary::dirichlet);
  if (name == "cosines") return product(so_far, "cos", "pi", Boundary::neumann);
  if (name == "waves") return product(so_far, "sin", "2 * pi", Boundary::periodic);
  if (name == "gaussian") return {bell(so_far, 0.5), std::nullopt};
  return {bell(so_far, 0.3) + " - " + bell(so_far, 0.7), std::nullopt};
}

}  // namespace karman::poisson
