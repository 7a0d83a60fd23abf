// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "method.hpp"

#include "poisson_case.hpp"

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

bool has_two_colors(Method method) {
  return method == Method::red_black_gs || method == Method::sor || method == Method::sor_optimal;
}

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

std::string why_not_in_parts(Method method) {
  auto const runs = [](Method m) { return m != Method::gauss_seidel && m != Method::tridiagonal; };
  if (runs(method)) return "";
  std::string others;
  for (Method other : all_methods) {
    if (runs(other)) others += (others.empty() ? "" : ", ") + std::string(name(other));
  }
  return std::string(name(method)) + " runs as one process; as several run " + others;
}

std::string why_not(Method method, PoissonCase const& poisson_case) {
  return why_not(method, poisson_case.dimensions, poisson_case.coefficient.is_constant(), !poisson_case.solid.empty());
}

}  // namespace karman::poisson
