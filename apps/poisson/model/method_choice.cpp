// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "method_choice.hpp"

#include "linear_system.hpp"
#include "poisson/case/poisson_case.hpp"
#include "solid_cells.hpp"
#include "solver.hpp"
#include "time_model.hpp"

namespace karman::poisson {

std::string why_not(Method method, LinearSystem const& system) {
  std::string reason = why_not(method, system.dimensions, system.constant_coefficient(), system.has_solid());
  if (!reason.empty() || !system.grid.is_part()) return reason;
  for (std::size_t axis = 0; axis < 2 && has_two_colors(method); ++axis) {
    int const cells = system.whole.global_cells()[axis];
    if (system.periodic(int(axis)) && system.is_cut(2 * int(axis)) && cells % 2 != 0) {
      return std::string(name(method)) + " needs an even number of cells along a periodic axis that is cut; " +
             (axis == 0 ? "x" : "y") + " has " + std::to_string(cells);
    }
  }
  return why_not_in_parts(method);
}

int usual_check_every(Method method) {
  switch (method) {
    case Method::adi:
    case Method::direct:
    case Method::tridiagonal:
    case Method::multigrid:
    case Method::mg_pcg: return 1;
    case Method::cg: return 5;
    default: return 20;
  }
}

int restart_interval(Method method, LinearSystem const& system) {
  // Rare enough that conjugate gradients lose few of their search directions.
  constexpr int seldom = 1000, cycles = 20;
  switch (method) {
    case Method::cg: return seldom;
    case Method::multigrid:
    case Method::mg_pcg: return cycles;
    // Where p is determined up to a constant, the end of a solve subtracts its mean.
    default: return system.singular ? seldom : 1;
  }
}

SystemShape shape_of(LinearSystem const& system, Method method) {
  SystemShape shape{system.whole, {}, system.sides, system.constant_coefficient(), system.has_solid()};
  if (system.grid.is_part()) shape.boxes = BoxDecomposition::gathered(system.communicator, system.grid);
  if (method == Method::multigrid || method == Method::mg_pcg) shape.blocked_share = blocked_share(system);
  return shape;
}

SystemShape shape_of(PoissonCase const& poisson_case, int processes) {
  SystemShape shape;
  shape.grid = poisson_case.grid;
  if (processes > 1) shape.boxes = boxes_of(poisson_case, processes);
  shape.sides.fill(Boundary::neumann);
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(poisson_case.dimensions); ++side) {
    shape.sides[side] = poisson_case.sides[side].kind;
  }
  shape.constant_coefficient = poisson_case.coefficient.is_constant();
  shape.has_solid = !poisson_case.solid.empty();
  return shape;
}

SystemShape shape_of(TimeCase const& time_case, int processes) {
  SystemShape shape;
  shape.grid = time_case.whole;
  if (processes > 1) shape.boxes.emplace(time_case.whole.global_cells(), processes);
  shape.sides.fill(Boundary::neumann);
  return shape;
}

}  // namespace karman::poisson
