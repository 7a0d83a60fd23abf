// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The ways to solve a Poisson problem, by name, and which of them a case allows.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace karman::poisson {

struct PoissonCase;

enum class Method {
  jacobi,
  gauss_seidel,
  red_black_gs,
  sor,
  sor_optimal,
  adi,
  tridiagonal,
  direct,
  multigrid,
  cg,
  mg_pcg
};

/// All of them, the simple ones first.
inline constexpr std::array all_methods{Method::jacobi,      Method::gauss_seidel, Method::red_black_gs, Method::sor,
                                        Method::sor_optimal, Method::adi,          Method::tridiagonal,  Method::direct,
                                        Method::multigrid,   Method::cg,           Method::mg_pcg};

/// "jacobi", "red_black_gs", ... as in cases and tables.
std::string_view name(Method method);
/// One-line description.
std::string_view description(Method method);

/// Direct method: the residual is round-off.
bool is_direct(Method method);

/// True for methods that update all red cells, then all black ones.
bool has_two_colors(Method method);

/// The reason why a method cannot solve problems of this kind; empty when it can.
std::string why_not(Method method, int dimensions, bool constant_coefficient, bool has_solid);

/// The reason why a method cannot run as several processes, with the methods that can; empty when it can.
std::string why_not_in_parts(Method method);

/// The same of a case, whose coefficient and solid cells are not evaluated.
std::string why_not(Method method, PoissonCase const& poisson_case);

/// Method of `auto` for a system or a case: the direct ones where they apply, else conjugate gradients with multigrid.
template <class Problem>
Method automatic_method(Problem const& problem) {
  for (Method const method : {Method::tridiagonal, Method::direct}) {
    if (why_not(method, problem).empty()) return method;
  }
  return Method::mg_pcg;
}

}  // namespace karman::poisson
