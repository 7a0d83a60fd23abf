// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a turbulence case, for read_options().
#pragma once

#include "common/case/options_json.hpp"
#include "turbulence_case.hpp"
#include <karman/solvers/options_json.hpp>

namespace karman::turbulence {

/// Kind of an initial state in a case.
enum class InitialWord { zero, taylor_green, two_mode, kelvin_helmholtz, random, lamb_dipole, formula, file };
/// Kind of a forcing in a case.
enum class ForcingWord { none, kolmogorov, ring, single, formula };
/// Choice of the time steps in a case.
enum class StepWord { adaptive, fixed };

NLOHMANN_JSON_SERIALIZE_ENUM(InitialWord, {{InitialWord::zero, "zero"},
                                           {InitialWord::taylor_green, "taylor_green"},
                                           {InitialWord::two_mode, "two_mode"},
                                           {InitialWord::kelvin_helmholtz, "kelvin_helmholtz"},
                                           {InitialWord::random, "random"},
                                           {InitialWord::lamb_dipole, "lamb_dipole"},
                                           {InitialWord::formula, "formula"},
                                           {InitialWord::file, "file"}})
NLOHMANN_JSON_SERIALIZE_ENUM(ForcingWord, {{ForcingWord::none, "none"},
                                           {ForcingWord::kolmogorov, "kolmogorov"},
                                           {ForcingWord::ring, "ring"},
                                           {ForcingWord::single, "single"},
                                           {ForcingWord::formula, "formula"}})
NLOHMANN_JSON_SERIALIZE_ENUM(StepWord, {{StepWord::adaptive, "adaptive"}, {StepWord::fixed, "fixed"}})

}  // namespace karman::turbulence
