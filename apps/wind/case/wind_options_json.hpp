// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a wind case, for read_options().
#pragma once

#include "common/options_json.hpp"
#include "wind_case.hpp"
#include <karman/solvers/options_json.hpp>

namespace karman::wind {

NLOHMANN_JSON_SERIALIZE_ENUM(Profile::Kind, {{Profile::Kind::log, "log"}, {Profile::Kind::power, "power"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Profile, kind, speed, height, roughness, exponent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Parameterisations, upwind_cavity, wake)
NLOHMANN_JSON_SERIALIZE_ENUM(Method,
                             {{Method::sor, "sor"}, {Method::multigrid, "multigrid"}, {Method::mg_pcg, "mg_pcg"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SolverSettings, precision, storage, omega, max_iterations, check_every,
                                                alpha, checkpoint_every)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Watch, axis, index, every)

}  // namespace karman::wind
