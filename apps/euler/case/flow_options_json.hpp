// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of a flow case, for read_options().
#pragma once

#include "common/case/options_json.hpp"
#include "flow_case.hpp"
#include <karman/solvers/options_json.hpp>

namespace karman::euler {

/// Kind of a boundary in a case.
enum class BoundaryWord { wall, symmetry, far_field, inflow, outflow, inlet, outlet };

NLOHMANN_JSON_SERIALIZE_ENUM(BoundaryWord, {{BoundaryWord::wall, "wall"},
                                            {BoundaryWord::symmetry, "symmetry"},
                                            {BoundaryWord::far_field, "far_field"},
                                            {BoundaryWord::inflow, "inflow"},
                                            {BoundaryWord::outflow, "outflow"},
                                            {BoundaryWord::inlet, "inlet"},
                                            {BoundaryWord::outlet, "outlet"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SteadySettings, max_steps, residual, force_change, window, sequencing,
                                                sequencing_residual)

}  // namespace karman::euler
