// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_layers.hpp"

#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace karman::wind {
namespace {

void set_unit_of(VectorLayer& layer, std::filesystem::path const& file) {
  std::string const& name = layer.system;
  if (name.empty()) return;
  bool const is_wgs84 = name.ends_with("CRS84") || name.ends_with(":4326");
  if (is_wgs84 || !built_with_proj()) {
    layer.unit = is_wgs84 ? MapUnit::degrees : MapUnit::unknown;
    return;
  }
  try {
    MapSystem const system = describe_map_system(name);
    layer.metres_per_unit = system.metres_per_unit;
    bool const metres = system.metres_per_unit == 1;
    layer.unit = system.degrees ? MapUnit::degrees : metres ? MapUnit::metres : MapUnit::other;
  } catch (std::runtime_error const& error) {
    throw CaseError(file.string(), {CaseProblem{"/crs/properties/name", "", error.what(), "", 0}});
  }
}

/// Longitudes up to 190 degrees are accepted: some files continue them across the meridian of 180 degrees.
bool holds_degrees(PlanBounds const& box) {
  constexpr double most_longitude = 190;
  return box.low[0] >= -most_longitude && box.high[0] <= most_longitude && box.low[1] >= -most_latitude &&
         box.high[1] <= most_latitude;
}

}  // namespace

void PlanBounds::include(Point const& point) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    low[axis] = std::min(low[axis], point[axis]);
    high[axis] = std::max(high[axis], point[axis]);
  }
}

bool could_be_degrees(PlanBounds const& box) {
  return !box.empty() && box.low[0] >= -180 && box.high[0] <= 180 && box.low[1] >= -most_latitude &&
         box.high[1] <= most_latitude;
}

CityLayer::CityLayer(Case const& input, std::string const& entry)
    : of_raster_(input.has(entry + "/heights")),
      height_(input, entry + "/height", FeatureLength::Range::positive),
      base_(input, entry + "/base", FeatureLength::Range::not_negative) {
  if (input.has(entry + "/levels"))
    height_.set_storeys(input.get<std::string>(entry + "/levels"), input.get<double>(entry + "/level_height"));
  if (input.has(entry + "/default_height")) height_.set_default(input.get<double>(entry + "/default_height"));
  std::filesystem::path const file = file_of_case(input, entry + "/file");
  auto const take_feature = [this](GeoFeature&& feature) { take(feature); };
  if (input.get<std::string>(entry + "/kind") == "shapefile") {
    file_ = read_vector_layer(file, take_feature, {.layer = input.get<std::string>(entry + "/layer")});
  } else {
    GeoCollection collection = read_geojson(file, take_feature);
    file_.attributes = std::move(collection.attributes);
    file_.system = std::move(collection.system);
    file_.other_geometries = collection.other_geometries;
    file_.first_other = std::move(collection.first_other);
    set_unit_of(file_, file);
  }
  bool const given = input.get<std::string>(entry + "/coordinates") == "degrees";
  if (file_.unit == MapUnit::degrees || (file_.unit == MapUnit::unknown && given)) check_degrees();
}

void CityLayer::check_degrees() {
  if (box_.empty()) return;
  if (!holds_degrees(box_)) {
    beyond_degrees_ = first_beyond_degrees();
    return;
  }
  constexpr double half_turn = 180, turn = 360;
  if (box_.high[0] - box_.low[0] <= half_turn) return;
  auto const east = [](double longitude) { return longitude < 0 ? longitude + turn : longitude; };
  PlanBounds across;
  for (auto const& [x, y] : corners_) across.include({east(x), y});
  if (across.high[0] - across.low[0] >= box_.high[0] - box_.low[0]) return;
  for (Point& corner : corners_) corner[0] = east(corner[0]);
  box_ = across;
}

FeatureCorner CityLayer::first_beyond_degrees() const {
  FeatureCorner found;
  for_each_feature([&](Feature const& feature, std::array<std::uint32_t, 2> const& polygons) {
    for (std::uint32_t n = polygons[0]; n < polygons[1]; ++n) {
      for (Ring const& ring : rings_of(n, [](Point const& corner) { return corner; })) {
        for (Point const& corner : ring) {
          PlanBounds alone;
          alone.include(corner);
          if (holds_degrees(alone)) continue;
          found = {feature.number, corner};
          return false;
        }
      }
    }
    return true;
  });
  return found;
}

void CityLayer::take(GeoFeature const& feature) {
  if (feature.polygons.empty()) return;
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (GeoPolygon const& polygon : feature.polygons) {
    for (Ring const& ring : polygon.rings) {
      for (Point const& corner : ring) {
        box_.include(corner);
        corners_.push_back(corner);
      }
      ring_ends_.push_back(static_cast<std::uint32_t>(corners_.size()));
    }
    polygon_ends_.push_back(static_cast<std::uint32_t>(ring_ends_.size()));
  }
  double const height = of_raster_ ? 1 : height_.of(feature).value_or(none);
  features_.push_back({static_cast<std::uint32_t>(feature.number), static_cast<std::uint32_t>(polygon_ends_.size()),
                       height, base_.of(feature).value_or(none)});
}

void CityLayer::release(std::uint32_t end_polygon) {
  while (released_.polygons < end_polygon) {
    std::uint32_t const rings = polygon_ends_.front();
    while (released_.rings < rings) {
      std::uint32_t const corners = ring_ends_.front();
      while (released_.corners < corners) {
        corners_.pop_front();
        ++released_.corners;
      }
      ring_ends_.pop_front();
      ++released_.rings;
    }
    polygon_ends_.pop_front();
    ++released_.polygons;
  }
}

std::vector<std::string> polygon_files(Case const& input) {
  std::vector<std::string> result;
  for (char const* list : {"/buildings", "/vegetation"}) {
    for (std::size_t entry = 0; entry < input.size(list); ++entry) {
      std::string at = std::string(list) + '/' + std::to_string(entry);
      if (CityLayers::is_file(input, at)) result.push_back(std::move(at));
    }
  }
  return result;
}

bool CityLayers::is_file(Case const& input, std::size_t entry) { return is_file(input, entry_pointer(entry)); }

bool CityLayers::is_file(Case const& input, std::string const& at) {
  auto const kind = input.get<std::string>(at + "/kind");
  return kind == "geojson" || kind == "shapefile";
}

CityLayer const& CityLayers::of(Case const& input, std::size_t entry) { return of(input, entry_pointer(entry)); }

CityLayer const& CityLayers::of(Case const& input, std::string const& at) { return layer(input, at); }

CityLayer& CityLayers::releasable(Case const& input, std::size_t entry) { return layer(input, entry_pointer(entry)); }

CityLayer& CityLayers::layer(Case const& input, std::string const& at) {
  return layers_.try_emplace(at, input, at).first->second;
}

}  // namespace karman::wind
