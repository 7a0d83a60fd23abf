// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "method.hpp"

#include "linear_system.hpp"
#include "solver.hpp"

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
    case Method::jacobi: return "every cell at once from the last iterate";
    case Method::gauss_seidel: return "cell after cell in storage order";
    case Method::red_black_gs: return "all red cells, then all black ones";
    case Method::sor: return "red-black over-relaxation, the factor of the case";
    case Method::sor_optimal: return "red-black over-relaxation, the best factor of the open box";
    case Method::adi: return "tridiagonal solves along every axis in turn";
    case Method::tridiagonal: return "elimination, in one dimension";
    case Method::direct: return "Fourier transforms and tridiagonal systems";
    case Method::multigrid: return "cycles over grids of growing cells";
    case Method::cg: return "conjugate gradients";
    case Method::mg_pcg: return "conjugate gradients with a multigrid cycle";
  }
  return "";
}

std::optional<Method> parse_method(std::string_view word) {
  for (Method method : all_methods) {
    if (name(method) == word) return method;
  }
  return std::nullopt;
}

bool is_direct(Method method) { return method == Method::direct || method == Method::tridiagonal; }

std::string why_not(Method method, LinearSystem const& system) {
  switch (method) {
    case Method::tridiagonal:
      if (system.dimensions > 1) return "the matrix is tridiagonal in one dimension only";
      return {};
    case Method::direct:
      if (!system.constant_coefficient()) return "sines and cosines need a constant coefficient";
      if (system.has_solid()) return "sines and cosines need a box without solid cells";
      return {};
    default: return {};
  }
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
  // Seldom enough to cost conjugate gradients little of the directions that they have gathered.
  constexpr int seldom = 1000, cycles = 20;
  switch (method) {
    case Method::cg: return seldom;
    case Method::multigrid:
    case Method::mg_pcg: return cycles;
    // Where p is settled up to a constant the end of a solve takes its mean away.
    default: return system.singular ? seldom : 1;
  }
}

std::int64_t plan_bytes(Method method, SolverSettings const& settings, bool constant_coefficient, bool has_solid,
                        std::int64_t cells) {
  std::int64_t const real = app::real_size(settings.precision);
  // Solution, right-hand side, and walls or the six coefficients.
  std::int64_t a_cell = 2 * real + (constant_coefficient ? 2 : 6 * real) + (has_solid ? 1 : 0);
  switch (method) {
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: a_cell += 2 * real + (constant_coefficient ? 2 : 7 * real); break;
    case Method::jacobi:
    case Method::gauss_seidel: a_cell += real; break;
    case Method::adi: a_cell += 3 * real; break;
    case Method::tridiagonal: a_cell += 8 * real; break;
    case Method::direct: a_cell += 4 * real; break;
    case Method::cg: a_cell += 4 * real; break;
    // Cycles run in single precision; the coarse grids add a seventh in three dimensions, a third in two.
    case Method::multigrid: a_cell += 2 * real + (constant_coefficient ? 16 : 48); break;
    case Method::mg_pcg: a_cell += 5 * real + (constant_coefficient ? 16 : 48); break;
  }
  return a_cell * cells;
}

}  // namespace karman::poisson
