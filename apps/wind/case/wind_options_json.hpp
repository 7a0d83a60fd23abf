// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a wind case, for read_options().
#pragma once

#include "common/case/options_json.hpp"
#include "wind_case.hpp"
#include <karman/solvers/options_json.hpp>

namespace karman::wind {

NLOHMANN_JSON_SERIALIZE_ENUM(Profile::Kind, {{Profile::Kind::log, "log"},
                                             {Profile::Kind::power, "power"},
                                             {Profile::Kind::canopy, "canopy"},
                                             {Profile::Kind::measured, "measured"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Profile, kind, speed, height, roughness, exponent, canopy_height,
                                                attenuation, obukhov_length, heights, speeds, turning)
NLOHMANN_JSON_SERIALIZE_ENUM(UpwindModel, {{UpwindModel::roeckle, "roeckle"},
                                           {UpwindModel::mvp, "mvp"},
                                           {UpwindModel::hmvp, "hmvp"}})
NLOHMANN_JSON_SERIALIZE_ENUM(UpwindInner, {{UpwindInner::vortex, "vortex"}, {UpwindInner::still, "still"}})
NLOHMANN_JSON_SERIALIZE_ENUM(RooftopModel,
                             {{RooftopModel::off, "off"}, {RooftopModel::log, "log"}, {RooftopModel::vortex, "vortex"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Parameterisations, upwind_cavity, upwind_model, upwind_inner,
                                                upwind_length, upwind_angle, wake, cavity_decay, wake_offset, high_rise,
                                                street_canyon, canyon_angle, canyon_least_ratio, canyon_mixing,
                                                intersection, courtyard, bridge, garage, garage_friction, rooftop,
                                                rooftop_length, rooftop_height, rooftop_angle, sidewall,
                                                sidewall_length, sidewall_width, sidewall_angle, wall_roughness,
                                                vegetation, vegetation_wake, canopy_roughness, windbreak_exponent,
                                                windbreak_length, wall_law)
NLOHMANN_JSON_SERIALIZE_ENUM(Method,
                             {{Method::sor, "sor"}, {Method::multigrid, "multigrid"}, {Method::mg_pcg, "mg_pcg"}})
NLOHMANN_JSON_SERIALIZE_ENUM(WallForm, {{WallForm::stairs, "stairs"}, {WallForm::cut, "cut"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SolverSettings, precision, walls, storage, omega, max_iterations,
                                                check_every, alpha, checkpoint_every)
NLOHMANN_JSON_SERIALIZE_ENUM(Probe::Kind, {{Probe::Kind::point, "point"},
                                           {Probe::Kind::vertical, "vertical"},
                                           {Probe::Kind::line, "line"},
                                           {Probe::Kind::plane, "plane"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Watch, axis, index, every)

}  // namespace karman::wind
