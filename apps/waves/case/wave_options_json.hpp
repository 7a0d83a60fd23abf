// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a waves case, for read_options().
#pragma once

#include "case_mesh.hpp"
#include "common/case/options_json.hpp"
#include "wave_case.hpp"
#include <karman/solvers/options_json.hpp>

#include <variant>

namespace karman::waves {

NLOHMANN_JSON_SERIALIZE_ENUM(CoordinateMap::Kind, {{CoordinateMap::Kind::plane, "plane"},
                                                   {CoordinateMap::Kind::geographic, "geographic"},
                                                   {CoordinateMap::Kind::mercator, "mercator"}})

NLOHMANN_JSON_SERIALIZE_ENUM(BoundaryKind, {{BoundaryKind::incident, "incident"},
                                            {BoundaryKind::open, "open"},
                                            {BoundaryKind::reflecting, "reflecting"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(WaveBoundary, kind, reflection, radius)

NLOHMANN_JSON_SERIALIZE_ENUM(FrictionLaw, {{FrictionLaw::none, "none"},
                                           {FrictionLaw::linear, "linear"},
                                           {FrictionLaw::quadratic, "quadratic"},
                                           {FrictionLaw::rough, "rough"}})
NLOHMANN_JSON_SERIALIZE_ENUM(BreakingLaw, {{BreakingLaw::none, "none"},
                                           {BreakingLaw::battjes_janssen, "battjes_janssen"},
                                           {BreakingLaw::dally, "dally"}})

NLOHMANN_JSON_SERIALIZE_ENUM(WaveSet, {{WaveSet::regular, "regular"},
                                       {WaveSet::list, "list"},
                                       {WaveSet::spectrum, "spectrum"},
                                       {WaveSet::period_scan, "period_scan"},
                                       {WaveSet::spectrum_file, "spectrum_file"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Spectrum, significant_height, peak_period, peak_enhancement, spreading,
                                                periods, directions)

/// "direct", or the name of a Krylov method.
inline void to_json(nlohmann::json& target, LinearMethod const& method) {
  if (auto const* krylov = std::get_if<KrylovMethod>(&method)) target = *krylov;
  else target = "direct";
}
inline void from_json(nlohmann::json const& source, LinearMethod& method) {
  if (source == "direct") method = DirectMethod();
  else method = source.get<KrylovMethod>();
}
NLOHMANN_JSON_SERIALIZE_ENUM(Preconditioning, {{Preconditioning::none, "none"},
                                               {Preconditioning::jacobi, "jacobi"},
                                               {Preconditioning::ssor, "ssor"},
                                               {Preconditioning::ilu, "ilu"},
                                               {Preconditioning::ilu_fill, "ilu_fill"},
                                               {Preconditioning::shifted_laplacian, "shifted_laplacian"},
                                               {Preconditioning::amg, "amg"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LinearSettings, method, preconditioner, tolerance, max_iterations,
                                                restart, fill_level, library, fall_back)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PicardSettings, max_iterations, tolerance, relaxation)

NLOHMANN_JSON_SERIALIZE_ENUM(KeptComponents, {{KeptComponents::automatic, "auto"},
                                              {KeptComponents::all, "all"},
                                              {KeptComponents::largest, "largest"},
                                              {KeptComponents::none, "none"}})

}  // namespace karman::waves
