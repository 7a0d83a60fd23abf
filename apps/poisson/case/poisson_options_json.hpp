// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a Poisson case, for read_options().
#pragma once

#include "common/case/options_json.hpp"
#include "poisson_case.hpp"
#include <karman/solvers/options_json.hpp>

namespace karman::poisson {

NLOHMANN_JSON_SERIALIZE_ENUM(Method, {{Method::jacobi, "jacobi"},
                                      {Method::gauss_seidel, "gauss_seidel"},
                                      {Method::red_black_gs, "red_black_gs"},
                                      {Method::sor, "sor"},
                                      {Method::sor_optimal, "sor_optimal"},
                                      {Method::adi, "adi"},
                                      {Method::tridiagonal, "tridiagonal"},
                                      {Method::direct, "direct"},
                                      {Method::multigrid, "multigrid"},
                                      {Method::cg, "cg"},
                                      {Method::mg_pcg, "mg_pcg"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Compatibility, {{Compatibility::project, "project"}, {Compatibility::require, "require"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SolverSettings, method, precision, max_iterations, check_every, omega,
                                                cycle, cycle_precision, checkpoint_every, compatibility)

}  // namespace karman::poisson
