// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options of mesh generators and files, for read_options().
#pragma once

#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <nlohmann/json.hpp>

namespace karman {

NLOHMANN_JSON_SERIALIZE_ENUM(DiagonalPattern, {{DiagonalPattern::right, "right"},
                                               {DiagonalPattern::left, "left"},
                                               {DiagonalPattern::alternating, "alternating"},
                                               {DiagonalPattern::crossed, "crossed"}})

NLOHMANN_JSON_SERIALIZE_ENUM(MeshPlane, {{MeshPlane::xy, "xy"}, {MeshPlane::xz, "xz"}, {MeshPlane::yz, "yz"}})

}  // namespace karman
