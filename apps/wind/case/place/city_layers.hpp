// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files of buildings of a case, each read once.
#pragma once

#include "wind/case/buildings/feature_length.hpp"
#include "wind/case/buildings/footprint.hpp"
#include <karman/io/vector_layer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
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

/// A corner of a feature, in the coordinates of its file.
struct FeatureCorner {
  std::uint32_t feature = 0;  ///< position in the file
  Point corner{};
};

/// True for a box of longitudes and latitudes. A box of metres near (0, 0) may be one, too; an empty box is none.
bool could_be_degrees(PlanBounds const& box);

/// Polygons of one file of buildings or plants, without their attributes: 16 bytes for each corner, and 50 for each
/// feature.
class CityLayer {
 public:
  /// A feature with polygons.
  struct Feature {
    std::uint32_t number = 0;       ///< position in the file
    std::uint32_t end_polygon = 0;  ///< its polygons are those from the end of the feature before it
    double height = 0, base = 0;    ///< metres; NaN without a value, a height of 1 where a raster gives it later
  };

  /// Reads the file of an entry. The unit of a GeoJSON file is that of its member crs, where this Karman was built with
  /// PROJ; without it only longitude and latitude on WGS 84 are recognised. Longitudes on both sides of the meridian of
  /// 180 degrees become those from 0 to 360 degrees.
  /// \throws CaseError for a malformed file and a member crs that is no coordinate system
  /// \throws FileError for a file that cannot be read
  CityLayer(Case const& input, std::string const& entry);

  VectorLayer const& file() const { return file_; }  ///< without its features
  PlanBounds const& box() const { return box_; }     ///< of all corners
  /// The first corner that is no longitude and latitude, in a file of degrees; empty without one.
  std::optional<FeatureCorner> const& beyond_degrees() const { return beyond_degrees_; }
  /// Number of polygons that are in memory.
  std::size_t polygons() const { return polygon_ends_.size(); }
  FeatureLength const& height() const { return height_; }
  FeatureLength const& base() const { return base_; }

  /// Calls action(feature, polygons) for each feature in the order of the file. `polygons` is a range (first, end) of
  /// numbers for rings_of().
  template <class Action>
  void for_each_feature(Action const& action) const {
    std::uint32_t first = 0;
    for (Feature const& feature : features_) {
      if (!action(feature, std::array{first, feature.end_polygon})) return;
      first = feature.end_polygon;
    }
  }

  /// The same for the last reader: the memory of each feature is released after its action.
  template <class Action>
  void release_features(Action const& action) {
    while (!features_.empty()) {
      Feature const feature = features_.front();
      if (!action(feature, std::array{released_.polygons, feature.end_polygon})) return;
      release(feature.end_polygon);
      features_.pop_front();
    }
  }

  /// Rings of a polygon, the outer one first, each corner as placed(corner). Precondition: it is not released.
  template <class Place>
  std::vector<Ring> rings_of(std::uint32_t polygon, Place const& placed) const {
    std::vector<Ring> rings;
    std::uint32_t const end = ring_end(polygon);
    for (std::uint32_t r = polygon == released_.polygons ? released_.rings : ring_end(polygon - 1); r < end; ++r) {
      std::uint32_t const first = r == released_.rings ? released_.corners : corner_end(r - 1);
      std::uint32_t const last = corner_end(r);
      rings.emplace_back().reserve(last - first);
      for (std::uint32_t n = first; n < last; ++n) rings.back().push_back(placed(corners_[n - released_.corners]));
    }
    return rings;
  }

 private:
  /// Numbers of the first things in memory.
  struct Released {
    std::uint32_t polygons = 0, rings = 0, corners = 0;
  };

  void take(GeoFeature const& feature);
  void check_degrees();
  FeatureCorner first_beyond_degrees() const;
  /// Releases the polygons before `end_polygon`.
  void release(std::uint32_t end_polygon);
  std::uint32_t ring_end(std::uint32_t polygon) const { return polygon_ends_[polygon - released_.polygons]; }
  std::uint32_t corner_end(std::uint32_t ring) const { return ring_ends_[ring - released_.rings]; }

  VectorLayer file_;
  PlanBounds box_;
  std::optional<FeatureCorner> beyond_degrees_;
  bool of_raster_;  ///< heights come when all outlines are known
  FeatureLength height_, base_;
  // Blocks of memory: no copy as they grow, and they can be released one by one.
  std::deque<Point> corners_;
  std::deque<std::uint32_t> ring_ends_;     ///< in the corners
  std::deque<std::uint32_t> polygon_ends_;  ///< in the rings
  std::deque<Feature> features_;
  Released released_;
};

/// JSON pointers of all entries of /buildings, then of /vegetation, that name files of polygons.
std::vector<std::string> polygon_files(Case const& input);

/// Layers of the entries of /buildings and /vegetation that name files.
class CityLayers {
 public:
  /// True for an entry of /buildings with a file.
  static bool is_file(Case const& input, std::size_t entry);
  /// True for an entry with a file by its JSON pointer.
  static bool is_file(Case const& input, std::string const& at);

  /// The layer of an entry of /buildings, read on the first call. Throws as CityLayer does.
  CityLayer const& of(Case const& input, std::size_t entry);
  /// The same for an entry by its JSON pointer.
  CityLayer const& of(Case const& input, std::string const& at);
  /// The same for a reader that may release features.
  CityLayer& releasable(Case const& input, std::size_t entry);

 private:
  CityLayer& layer(Case const& input, std::string const& at);

  std::map<std::string, CityLayer> layers_;  ///< by the JSON pointer of the entry
};

}  // namespace karman::wind
