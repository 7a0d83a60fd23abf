// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mesh of a case: made by a generator or read from a file, in metres.
#pragma once

#include "common/mesh/mesh_refinements.hpp"
#include <karman/mesh/mesh_data.hpp>

#include <array>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::waves {

/// Coordinates of a file to metres in the plane.
struct CoordinateMap {
  enum class Kind { plane, geographic, mercator };
  Kind kind = Kind::plane;
  double unit = 1;                 ///< m, of plane coordinates
  std::array<double, 2> middle{};  ///< longitude and latitude in degrees that become (0, 0)

  /// Geographic: x = R cos(latitude of the middle) (longitude - longitude of the middle), y = R (latitude - latitude of
  /// the middle), R = 6371009 m. Mercator coordinates are converted to geographic ones first (R = 6378137 m).
  std::array<double, 2> operator()(std::array<double, 2> const& point) const;
};

struct CaseMesh {
  MeshData mesh;
  MeshData unrefined;  ///< the mesh before `/mesh/refine`, where that is not 0
  app::MeshParents parents;
  CoordinateMap map;
  bool from_file = false;
  std::vector<std::string> remarks;  ///< on ignored parts of a file
};

/// Made or read, then refined. Throws CaseError for parameters that make no mesh, invalid content of a file, and a mesh
/// that solvers cannot take. Also for coordinates that are no longitudes and latitudes or extend too far for one plane.
/// Throws FileError. Throws like require_host_memory() before a mesh is made that needs too much memory, at least
/// `bytes_per_node`.
CaseMesh make_case_mesh(Case const& input, double bytes_per_node);

}  // namespace karman::waves
