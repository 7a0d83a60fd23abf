// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "method.hpp"

#include "poisson/model/linear_system.hpp"
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

std::string why_not(Method method, LinearSystem const& system) {
  switch (method) {
    case Method::tridiagonal:
      if (system.dimensions > 1) return "tridiagonal needs one dimension";
      return {};
    case Method::direct:
      if (!system.constant_coefficient()) return "direct needs a constant coefficient";
      if (system.has_solid()) return "direct needs a box without solid cells";
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

namespace {

/// Bytes per cell of the grids, walls and coefficients of a hierarchy, as measured. Cycles run in single precision,
/// with a double-precision copy of given coefficients. One dimension halves its cells only once per level.
std::int64_t hierarchy_bytes(SolverSettings const& settings, int dimensions, bool constant_coefficient,
                             bool has_solid) {
  struct Bytes {
    std::int64_t open, walls, coefficients;
  };
  constexpr Bytes single[] = {{120, 154, 176}, {31, 44, 66}, {46, 56, 85}};
  constexpr Bytes twice[] = {{164, 198, 280}, {48, 61, 131}, {74, 84, 177}};
  Bytes const bytes = (settings.precision == Precision::f32 ? single : twice)[dimensions - 1];
  if (!constant_coefficient) return bytes.coefficients;
  return has_solid ? bytes.walls : bytes.open;
}

}  // namespace

std::int64_t plan_bytes(Method method, SolverSettings const& settings, int dimensions, bool constant_coefficient,
                        bool has_solid, std::int64_t cells) {
  std::int64_t const real = app::real_size(settings.precision);
  // Solution, right-hand side, and walls or the six coefficients.
  std::int64_t per_cell = 2 * real + (constant_coefficient ? 2 : 6 * real);
  // Ghosts lie beside each cell of a line.
  std::int64_t const ghosts = dimensions == 1 ? real : 0;
  switch (method) {
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: per_cell += 2 * real + 2 * ghosts + (constant_coefficient ? 2 : 7 * real); break;
    case Method::jacobi: per_cell += 2 * real + ghosts; break;
    case Method::gauss_seidel: per_cell += real + ghosts; break;
    case Method::adi: per_cell += (dimensions == 1 ? 3 : 2) * real; break;
    case Method::tridiagonal: per_cell += 5 * real; break;
    case Method::direct: per_cell += (dimensions == 1 ? 5 : 3) * real; break;
    case Method::cg: per_cell += 4 * real + ghosts; break;
    case Method::multigrid:
    case Method::mg_pcg: per_cell += hierarchy_bytes(settings, dimensions, constant_coefficient, has_solid); break;
  }
  return per_cell * cells;
}

}  // namespace karman::poisson
