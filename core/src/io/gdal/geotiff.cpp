// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_output.hpp"
#include <karman/core/error.hpp>
#include <karman/io/geotiff.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace karman {
namespace {

using detail::Gdal;
using detail::gdal;

/// The rows from north to south.
template <class T>
std::vector<T> northern_first(std::vector<T> const& values, int columns) {
  std::vector<T> result;
  result.reserve(values.size());
  for (auto row = values.end(); row != values.begin();) {
    row -= columns;
    result.insert(result.end(), row, row + columns);
  }
  return result;
}

void place(detail::GdalOutput const& file, GridMap const& map) {
  std::array<double, 6> transform{map.corner[0],  map.spacing[0], 0, map.corner[1] + map.rows * map.spacing[1], 0,
                                  -map.spacing[1]};
  file.check(gdal().set_geo_transform(file.get(), transform.data()) == CE_None);
  if (!map.system.empty()) file.check(gdal().set_system(file.get(), map.system.c_str()) == CE_None);
}

void fill(detail::GdalOutput const& file, GridMap const& map) {
  Gdal const& library = gdal();
  GDALRasterBandH const band = library.raster_band(file.get(), 1);
  auto const check = [&](CPLErr result) { file.check(result == CE_None); };
  library.set_description(band, map.name.c_str());
  if (!map.unit.empty()) check(library.set_value_unit(band, map.unit.c_str()));
  if (map.classes.empty()) {
    std::vector<float> values = northern_first(map.values, map.columns);
    check(library.set_no_data(band, std::numeric_limits<double>::quiet_NaN()));
    check(library.raster_io(band, GF_Write, 0, 0, map.columns, map.rows, values.data(), map.columns, map.rows,
                            GDT_Float32, 0, 0));
    return;
  }
  std::vector<std::uint8_t> classes = northern_first(map.classes, map.columns);
  constexpr double none = 255;
  check(library.set_no_data(band, none));
  GDALColorTableH const table = library.create_colors(GPI_RGB);
  for (MapClass const& one : map.legend) {
    GDALColorEntry const color{one.color[0], one.color[1], one.color[2], 255};
    library.set_color(table, one.value, &color);
  }
  CPLErr const colored = library.set_colors(band, table);
  library.destroy_colors(table);
  check(colored);
  // Category names would go to a file beside it; these stay in the file.
  for (MapClass const& one : map.legend)
    check(library.set_metadata(band, ("class_" + std::to_string(one.value)).c_str(), one.name.c_str(), nullptr));
  check(library.raster_io(band, GF_Write, 0, 0, map.columns, map.rows, classes.data(), map.columns, map.rows, GDT_Byte,
                          0, 0));
}

}  // namespace

void write_geotiff(std::filesystem::path const& path, Overwrite overwrite, GridMap const& map) {
  std::size_t const cells = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
  require((map.classes.empty() ? map.values.size() : map.classes.size()) == cells && cells > 0,
          "write_geotiff: expected a value for each cell");
  detail::load_gdal_to_write(path);
  StagedPath staged(path, overwrite);
  constexpr std::array options{"COMPRESS=DEFLATE"};
  detail::GdalOutput file(staged, "GTiff", {map.columns, map.rows}, map.classes.empty() ? GDT_Float32 : GDT_Byte,
                          options);
  place(file, map);
  fill(file, map);
  file.close();
  staged.commit();
}

}  // namespace karman
