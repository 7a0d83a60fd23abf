// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files of buildings of a case, each read once.
#pragma once

#include "wind/case/buildings/footprint.hpp"
#include <karman/io/vector_layer.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// A box in plan.
struct PlanBounds {
  Point low{1e300, 1e300};
  Point high{-1e300, -1e300};

  bool empty() const { return low[0] > high[0]; }
  Point middle() const { return {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])}; }
  void include(Point const& point);
};

constexpr double most_latitude = 89;  ///< degrees; the projection ends at the poles

/// True for a box of longitudes and latitudes. A box of metres near (0, 0) may be one, too; an empty box is none.
bool could_be_degrees(PlanBounds const& box);

/// The box around all positions of features.
PlanBounds bounds_of(std::vector<GeoFeature> const& features);

/// JSON pointers of all entries of /buildings, then of /vegetation, that name files of polygons.
std::vector<std::string> polygon_files(Case const& input);

/// Layers of the entries of /buildings and /vegetation that name files.
class CityLayers {
 public:
  /// True for an entry of /buildings with a file.
  static bool is_file(Case const& input, std::size_t entry);
  /// True for an entry with a file by its JSON pointer.
  static bool is_file(Case const& input, std::string const& at);

  /// The layer of an entry, read on the first call. The unit of a GeoJSON file is that of its member crs, where this
  /// Karman was built with PROJ; without it only longitude and latitude on WGS 84 are recognised.
  /// \throws CaseError for a malformed file and a member crs that is no coordinate system
  /// \throws FileError for a file that cannot be read
  VectorLayer const& of(Case const& input, std::size_t entry);
  /// The same for an entry by its JSON pointer.
  VectorLayer const& of(Case const& input, std::string const& at);

 private:
  std::map<std::string, VectorLayer> layers_;  ///< by the JSON pointer of the entry
};

}  // namespace karman::wind
