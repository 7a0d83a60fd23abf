// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "map_files.hpp"

#include "comfort.hpp"
#include "common/case/host_work.hpp"
#include <karman/io/class_polygons.hpp>
#include <karman/io/geotiff.hpp>
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace karman::wind {
namespace {

constexpr std::int64_t least_averaged_cells = 4096;

using Color = std::array<std::uint8_t, 3>;

// Light is calm and dark is windy, as in tools/plot.
constexpr Color sitting{232, 241, 220}, standing{169, 211, 165}, strolling{240, 198, 90}, walking{221, 122, 59},
    uncomfortable{140, 28, 44};

/// Upper limits of the bands of the speed-up; the last band has none. A limit at 1 would divide the undisturbed wind
/// into patches by its last digits.
constexpr std::array<float, 5> speed_up_limits{0.5F, 0.9F, 1.1F, 1.5F, 2};

GridMap placed(WindCase const& wind_case, std::string const& name) {
  UniformGrid const& grid = wind_case.grid;
  GridMap map;
  map.columns = grid.nx();
  map.rows = grid.ny();
  map.corner = {grid.origin()[0], grid.origin()[1]};
  map.spacing = {grid.dx(), grid.dy()};
  if (!wind_case.place.empty()) map.system = describe_map_system(wind_case.place.system).wkt;
  map.name = name;
  return map;
}

GridMap value_map(WindCase const& wind_case, std::string const& name, std::string const& unit,
                  std::vector<float> values) {
  GridMap map = placed(wind_case, name);
  map.unit = unit;
  map.values = std::move(values);
  return map;
}

GridMap class_map(WindCase const& wind_case, std::string const& name, std::vector<MapClass> legend,
                  std::vector<std::uint8_t> classes) {
  GridMap map = placed(wind_case, name);
  map.classes = std::move(classes);
  map.legend = std::move(legend);
  return map;
}

std::vector<MapClass> comfort_legend(bool lawson) {
  return {{0, sitting, lawson ? "sitting" : "A"},
          {1, standing, lawson ? "standing" : "B"},
          {2, strolling, lawson ? "strolling" : "C"},
          {3, walking, lawson ? "business walking" : "D"},
          {4, uncomfortable, lawson ? "uncomfortable" : "E"}};
}

std::vector<MapClass> danger_legend() {
  return {{0, {241, 243, 244}, "no danger"}, {1, {240, 168, 96}, "limited risk"}, {2, uncomfortable, "dangerous"}};
}

std::vector<MapClass> speed_up_legend() {
  return {{0, sitting, "below 0.5"},    {1, standing, "0.5 to 0.9"}, {2, {239, 230, 178}, "0.9 to 1.1"},
          {3, strolling, "1.1 to 1.5"}, {4, walking, "1.5 to 2"},    {5, uncomfortable, "2 and more"}};
}

std::vector<std::uint8_t> bands_of(std::vector<float> const& speed_up) {
  std::vector<std::uint8_t> bands;
  bands.reserve(speed_up.size());
  for (float const value : speed_up) {
    auto const above = std::upper_bound(speed_up_limits.begin(), speed_up_limits.end(), value);
    bands.push_back(std::isfinite(value) ? static_cast<std::uint8_t>(above - speed_up_limits.begin()) : no_class);
  }
  return bands;
}

void write_tiff(std::filesystem::path const& folder, Overwrite overwrite, GridMap const& map) {
  write_geotiff(folder / (map.name + ".tif"), overwrite, map);
}

void write_polygons(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                    std::string const& name, std::vector<GridMap> const& maps) {
  if (wind_case.outputs.geopackage) write_geopackage(folder / (name + ".gpkg"), overwrite, maps);
  if (wind_case.outputs.kmz)
    write_kmz(folder / (name + ".kmz"), overwrite, wind_case.title.empty() ? name : wind_case.title, maps);
}

/// Number of GeoTIFF files of values, of GeoTIFF files of classes, and of maps whose polygons a case writes.
struct MapCounts {
  int values = 0, classes = 0, polygons = 0;
};

MapCounts counts_of(WindCase const& wind_case) {
  OutputSettings const& outputs = wind_case.outputs;
  bool const polygons = outputs.geopackage || outputs.kmz;
  if (wind_case.series) return {outputs.geotiff ? 2 : 0, 0, 0};
  if (wind_case.sweep)
    return wind_case.sweep->has_statistics ? MapCounts{0, outputs.geotiff ? 3 : 0, polygons ? 3 : 0} : MapCounts{};
  return outputs.pedestrian_height ? MapCounts{outputs.geotiff ? 2 : 0, 0, polygons ? 1 : 0} : MapCounts{};
}

std::int64_t columns_of(WindCase const& wind_case) { return std::int64_t{wind_case.grid.nx()} * wind_case.grid.ny(); }

}  // namespace

std::vector<std::string> map_files(WindCase const& wind_case) {
  OutputSettings const& outputs = wind_case.outputs;
  MapCounts const counts = counts_of(wind_case);
  std::vector<std::string> names;
  if (wind_case.series) {
    if (counts.values > 0) names = {"series_mean_speed.tif", "series_max_speed.tif"};
    return names;
  }
  if (counts.values > 0) names = {"pedestrian_speed.tif", "pedestrian_speed_up.tif"};
  if (counts.classes > 0) names = {"comfort_lawson.tif", "comfort_nen8100.tif", "comfort_danger.tif"};
  std::string const stem = wind_case.sweep ? "comfort" : "pedestrian";
  if (counts.polygons > 0 && outputs.geopackage) names.push_back(stem + ".gpkg");
  if (counts.polygons > 0 && outputs.kmz) names.push_back(stem + ".kmz");
  return names;
}

std::int64_t map_file_bytes(WindCase const& wind_case) {
  // A corner has two numbers of 8 bytes, or about 30 characters that deflate halves. An empty GeoPackage has tables.
  constexpr std::int64_t corner = 16, of_tiff = 8192, empty_package = std::int64_t{1} << 17;
  MapCounts const counts = counts_of(wind_case);
  int const formats = (wind_case.outputs.geopackage ? 1 : 0) + (wind_case.outputs.kmz ? 1 : 0);
  std::int64_t const per_cell = 4 * counts.values + counts.classes + corner * counts.polygons * formats;
  return per_cell * columns_of(wind_case) + of_tiff * (counts.values + counts.classes) +
         (counts.polygons > 0 ? empty_package : 0);
}

std::int64_t map_host_bytes(WindCase const& wind_case) {
  if (map_files(wind_case).empty()) return 0;
  MapCounts const counts = counts_of(wind_case);
  // Two maps of values and one with its rows turned, or one of classes.
  std::int64_t per_cell = wind_case.sweep ? 1 : 3 * std::int64_t{sizeof(float)};
  // Labels and corners of the polygons of one map; the classes of a sweep are counted with its maps.
  if (counts.polygons > 0) per_cell += 5 + 8 + (wind_case.sweep ? 0 : 1);
  return per_cell * columns_of(wind_case);
}

void write_pedestrian_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                            PedestrianMaps maps) {
  write_polygons(folder, overwrite, wind_case, "pedestrian",
                 {class_map(wind_case, "speed_up", speed_up_legend(), bands_of(maps.speed_up))});
  if (!wind_case.outputs.geotiff) return;
  write_tiff(folder, overwrite, value_map(wind_case, "pedestrian_speed", "m/s", std::move(maps.speed)));
  write_tiff(folder, overwrite, value_map(wind_case, "pedestrian_speed_up", "", std::move(maps.speed_up)));
}

void write_comfort_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                         ComfortClasses classes) {
  if (map_files(wind_case).empty()) return;
  std::vector<GridMap> const maps{
      class_map(wind_case, "comfort_nen8100", comfort_legend(false), std::move(classes.nen8100)),
      class_map(wind_case, "comfort_lawson", comfort_legend(true), std::move(classes.lawson)),
      class_map(wind_case, "comfort_danger", danger_legend(), std::move(classes.danger))};
  write_polygons(folder, overwrite, wind_case, "comfort", maps);
  if (!wind_case.outputs.geotiff) return;
  for (GridMap const& map : maps) write_tiff(folder, overwrite, map);
}

void write_series_files(std::filesystem::path const& folder, Overwrite overwrite, WindCase const& wind_case,
                        std::vector<std::vector<float> const*> const& speeds) {
  if (!wind_case.outputs.geotiff || speeds.empty()) return;
  std::size_t const size = speeds.front()->size();
  std::vector<float> mean(size), largest(size);
  app::for_parts(static_cast<std::int64_t>(size), least_averaged_cells, [&](std::int64_t begin, std::int64_t end) {
    for (auto cell = static_cast<std::size_t>(begin); cell < static_cast<std::size_t>(end); ++cell) {
      double sum = 0;
      float most = (*speeds.front())[cell];
      for (std::vector<float> const* const speed : speeds) {
        sum += (*speed)[cell];
        most = std::max(most, (*speed)[cell]);
      }
      mean[cell] = static_cast<float>(sum / static_cast<double>(speeds.size()));
      largest[cell] = most;
    }
  });
  write_tiff(folder, overwrite, value_map(wind_case, "series_mean_speed", "m/s", std::move(mean)));
  write_tiff(folder, overwrite, value_map(wind_case, "series_max_speed", "m/s", std::move(largest)));
}

}  // namespace karman::wind
