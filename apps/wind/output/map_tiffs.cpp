// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "map_tiffs.hpp"

#include <karman/io/geotiff.hpp>
#include <karman/io/map_system.hpp>

#include <utility>

namespace karman::wind {
namespace {

GeoTiff placed(WindCase const& wind_case, std::string const& name) {
  UniformGrid const& grid = wind_case.grid;
  GeoTiff map;
  map.columns = grid.nx();
  map.rows = grid.ny();
  map.corner = {grid.origin()[0], grid.origin()[1]};
  map.spacing = {grid.dx(), grid.dy()};
  if (!wind_case.place.empty()) map.system = describe_map_system(wind_case.place.system).wkt;
  map.name = name;
  return map;
}

std::vector<MapClass> legend_of(ComfortScale scale) {
  if (scale == ComfortScale::danger)
    return {{0, {241, 243, 244}, "no danger"}, {1, {240, 168, 96}, "limited risk"}, {2, {140, 28, 44}, "dangerous"}};
  bool const lawson = scale == ComfortScale::lawson;
  return {{0, {232, 241, 220}, lawson ? "sitting" : "A"},
          {1, {169, 211, 165}, lawson ? "standing" : "B"},
          {2, {240, 198, 90}, lawson ? "strolling" : "C"},
          {3, {221, 122, 59}, lawson ? "business walking" : "D"},
          {4, {140, 28, 44}, lawson ? "uncomfortable" : "E"}};
}

std::string file_of(ComfortScale scale) {
  return scale == ComfortScale::lawson    ? "comfort_lawson"
         : scale == ComfortScale::nen8100 ? "comfort_nen8100"
                                          : "comfort_danger";
}

}  // namespace

std::vector<std::string> tiff_files(WindCase const& wind_case) {
  if (!wind_case.outputs.geotiff || wind_case.series) return {};
  if (!wind_case.sweep)
    return wind_case.outputs.pedestrian_height
               ? std::vector<std::string>{"pedestrian_speed.tif", "pedestrian_speed_up.tif"}
               : std::vector<std::string>{};
  if (!wind_case.sweep->has_statistics) return {};
  return {"comfort_lawson.tif", "comfort_nen8100.tif", "comfort_danger.tif"};
}

void write_value_tiff(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                      std::string const& name, std::vector<float> values) {
  GeoTiff map = placed(wind_case, name);
  map.values = std::move(values);
  write_geotiff(folder / (name + ".tif"), overwrite, map);
}

void write_class_tiff(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                      ComfortScale scale, std::vector<std::uint8_t> classes) {
  std::string const name = file_of(scale);
  GeoTiff map = placed(wind_case, name);
  map.classes = std::move(classes);
  map.legend = legend_of(scale);
  write_geotiff(folder / (name + ".tif"), overwrite, map);
}

}  // namespace karman::wind
