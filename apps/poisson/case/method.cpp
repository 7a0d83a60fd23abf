// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "method.hpp"

#include "poisson/model/linear_system.hpp"
#include "poisson/model/solid_cells.hpp"
#include "poisson/model/solver.hpp"

namespace karman::poisson {
std::string_view name(Method method) {
  switch (method) {
    case Method::jacobi: return "jacobi";
    case Method::gauss_seidel: return "gauss_seidel";
    case Method::red_black_gs: return "red_black_gs";
    case Method::sor: return "sor";
    case Method::sor_optimal: return "sor_optimal";
    case Method::adi: return "adi";
    case Method::tridiagonal: return "tridiagonal";
    case Method::direct: return "direct";
    case Method::multigrid: return "multigrid";
    case Method::cg: return "cg";
    case Method::mg_pcg: return "mg_pcg";
  }
  return "unknown";
}

std::string_view description(Method method) {
  switch (method) {
    case Method::jacobi: return "updates all cells from the previous iterate";
    case Method::gauss_seidel: return "updates cell after cell in storage order";
    case Method::red_black_gs: return "updates all red cells, then all black cells";
    case Method::sor: return "red-black over-relaxation with the omega of the case";
    case Method::sor_optimal: return "red-black over-relaxation with the optimal omega of the empty box";
    case Method::adi: return "tridiagonal solves along each axis in turn";
    case Method::tridiagonal: return "elimination in one dimension";
    case Method::direct: return "Fourier transforms and tridiagonal systems";
    case Method::multigrid: return "cycles over successively coarser grids";
    case Method::cg: return "conjugate gradients";
    case Method::mg_pcg: return "conjugate gradients preconditioned by a multigrid cycle";
  }
  return "";
}

bool is_direct(Method method) { return method == Method::direct || method == Method::tridiagonal; }

namespace {

std::string why_not(Method method, int dimensions, bool constant_coefficient, bool has_solid) {
  switch (method) {
    case Method::tridiagonal:
      if (dimensions > 1) return "tridiagonal needs one dimension";
      return {};
    case Method::direct:
      if (!constant_coefficient) return "direct needs a constant coefficient";
      if (has_solid) return "direct needs a box without solid cells";
      return {};
    default: return {};
  }
}

}  // namespace

std::string why_not(Method method, LinearSystem const& system) {
  return why_not(method, system.dimensions, system.constant_coefficient(), system.has_solid());
}

std::string why_not(Method method, PoissonCase const& poisson_case) {
  return why_not(method, poisson_case.dimensions, poisson_case.coefficient.is_constant(), !poisson_case.solid.empty());
}

Method automatic_method(LinearSystem const& system) {
  for (Method method : {Method::tridiagonal, Method::direct, Method::mg_pcg}) {
    if (why_not(method, system).empty()) return method;
  }
  return Method::mg_pcg;
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
  SystemShape shape{system.grid, system.sides, system.constant_coefficient(), system.has_solid()};
  if (method == Method::multigrid || method == Method::mg_pcg) shape.blocked_share = blocked_share(system);
  return shape;
}

SystemShape shape_of(PoissonCase const& poisson_case) {
  SystemShape shape;
  shape.grid = poisson_case.grid;
  shape.sides.fill(Boundary::neumann);
  for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(poisson_case.dimensions); ++side) {
    shape.sides[side] = poisson_case.sides[side].kind;
  }
  shape.constant_coefficient = poisson_case.coefficient.is_constant();
  shape.has_solid = !poisson_case.solid.empty();
  return shape;
}

}  // namespace karman::poisson
