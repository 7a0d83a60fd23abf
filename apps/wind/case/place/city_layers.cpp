// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_layers.hpp"

#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/map_system.hpp>

#include <algorithm>
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

PlanBounds bounds_of(std::vector<GeoFeature> const& features) {
  PlanBounds box;
  for (GeoFeature const& feature : features) {
    for (GeoPolygon const& polygon : feature.polygons) {
      for (Ring const& ring : polygon.rings) {
        for (Point const& corner : ring) box.include(corner);
      }
    }
  }
  return box;
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

VectorLayer const& CityLayers::of(Case const& input, std::size_t entry) { return of(input, entry_pointer(entry)); }

VectorLayer const& CityLayers::of(Case const& input, std::string const& at) {
  if (auto const known = layers_.find(at); known != layers_.end()) return known->second;
  std::filesystem::path const file = file_of_case(input, at + "/file");
  VectorLayer layer;
  if (input.get<std::string>(at + "/kind") == "shapefile") {
    layer = read_vector_layer(file, {.layer = input.get<std::string>(at + "/layer")});
  } else {
    GeoCollection collection = read_geojson(file);
    layer.features = std::move(collection.features);
    layer.attributes = std::move(collection.attributes);
    layer.system = std::move(collection.system);
    layer.other_geometries = collection.other_geometries;
    layer.first_other = std::move(collection.first_other);
    set_unit_of(layer, file);
  }
  return layers_.emplace(at, std::move(layer)).first->second;
}

}  // namespace karman::wind
