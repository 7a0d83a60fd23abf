// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of mesh generators, for read_options().
#pragma once

#include <karman/mesh/mesh_generators.hpp>

#include <nlohmann/json.hpp>

namespace karman {

NLOHMANN_JSON_SERIALIZE_ENUM(DiagonalPattern, {{DiagonalPattern::right, "right"},
                                               {DiagonalPattern::left, "left"},
                                               {DiagonalPattern::alternating, "alternating"},
                                               {DiagonalPattern::crossed, "crossed"}})

}  // namespace karman
