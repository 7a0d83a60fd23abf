// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Heights of a raster file at positions of the case.
#pragma once

#include "city_layers.hpp"
#include "domain_place.hpp"
#include <karman/io/map_system.hpp>
#include <karman/io/raster.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace karman::wind {

/// A raster of heights in metres, read part by part. Heights that no place on Earth has are gaps.
class PlacedRaster {
 public:
  /// \param origin position in the file of the case's (0, 0). Empty: by the coordinate systems of file and domain where
  /// both are known, else (0, 0). Ignored with /domain/crs.
  /// \throws CaseError and FileError for a file that cannot be read
  /// \throws std::runtime_error for a system that cannot be transformed to
  PlacedRaster(std::filesystem::path file, std::optional<Point> const& origin, DomainPlace const& place);

  /// Name of the file in messages.
  std::string name() const { return file_.filename().string(); }
  /// True if the domain has a system, and the file names none and has no origin: positions are taken as they are.
  bool lacks_system() const { return lacks_system_; }
  /// A position of the case in the file. NaN outside of its projection.
  Point in_file(Point const& position) const;
  /// Box of the whole file, in its coordinates.
  PlanBounds box() const { return {outline_.corner, outline_.end()}; }
  std::array<double, 2> spacing() const { return outline_.spacing; }
  /// The part of the file with a box in its coordinates, and a margin of a cell. Empty for a box outside. It is valid
  /// until the next call, and read again only where the last part does not hold it. A text file is read whole, once.
  Raster const* part(PlanBounds const& needed);

 private:
  std::filesystem::path file_;
  Raster outline_;  ///< without values
  std::optional<MapTransform> transform_;
  Point shift_{0, 0};
  bool lacks_system_ = false;
  Raster part_;
  bool is_read_ = false;
};

}  // namespace karman::wind
