// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"
#include "gdal_library.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace karman::detail {
namespace {

void check_units(std::filesystem::path const& path, GDALDatasetH dataset, GDALRasterBandH band) {
  Gdal const& library = gdal();
  OGRSpatialReferenceH const system = library.raster_system(dataset);
  if (std::string const unit = unit_of(system); !unit.empty()) {
    char const* const name = library.system_name(system);
    refuse_file(path, "a projected coordinate system in metres, found " + unit + " (" +
                          (name != nullptr ? name : "unnamed") + "); project it, for example with gdalwarp -t_srs");
  }
  std::string const unit = library.value_unit(band) != nullptr ? library.value_unit(band) : "";
  constexpr std::array metres{"", "m", "metre", "meter", "metres", "meters"};
  if (std::find(metres.begin(), metres.end(), unit) == metres.end())
    refuse_file(path, "heights in metres, found the unit " + unit);
}

}  // namespace

Raster read_gdal_raster(std::filesystem::path const& path, RasterOptions const& options) {
  GdalDataset const file(path, GDAL_OF_RASTER, "a raster");
  Gdal const& library = gdal();
  GDALDatasetH const dataset = file.get();
  Raster raster;
  raster.columns = library.raster_columns(dataset);
  raster.rows = library.raster_rows(dataset);
  if (int const bands = library.raster_bands(dataset); bands != 1)
    refuse_file(path, "a raster of one band, found " + std::to_string(bands));
  std::size_t const cells = static_cast<std::size_t>(raster.columns) * static_cast<std::size_t>(raster.rows);
  if (cells > options.most_cells) {
    refuse_file(path, "at most " + std::to_string(options.most_cells) + " cells, found " +
                          std::to_string(raster.columns) + " x " + std::to_string(raster.rows));
  }
  GDALRasterBandH const band = library.raster_band(dataset, 1);
  check_units(path, dataset, band);
  // x = transform[0] + column transform[1] + row transform[2], y likewise.
  std::array<double, 6> transform{};
  if (library.geo_transform(dataset, transform.data()) != CE_None)
    refuse_file(path, "a raster with a position (a geotransform), found none");
  if (transform[2] != 0 || transform[4] != 0 || !(transform[1] > 0) || transform[5] == 0)
    refuse_file(path,
                "rows along x and columns along y, found a rotated raster; resample it, for example with gdalwarp");
  raster.spacing = {transform[1], std::abs(transform[5])};
  bool const from_north = transform[5] < 0;
  raster.corner = {transform[0], from_north ? transform[3] + raster.rows * transform[5] : transform[3]};

  raster.values.resize(cells);
  if (library.raster_io(band, GF_Read, 0, 0, raster.columns, raster.rows, raster.values.data(), raster.columns,
                        raster.rows, GDT_Float64, 0, 0) != CE_None) {
    refuse_file(path, std::string("readable values: ") + library.last_error());
  }
  int has_no_data = 0;
  double const no_data = library.no_data(band, &has_no_data);
  bool const single = library.data_type(band) == GDT_Float32;
  double const scale = library.scale(band, nullptr);
  double const offset = library.offset(band, nullptr);
  for (double& value : raster.values) {
    bool const missing =
        has_no_data != 0 && (value == no_data || (single && static_cast<float>(value) == static_cast<float>(no_data)));
    value = missing || !std::isfinite(value) ? std::numeric_limits<double>::quiet_NaN() : value * scale + offset;
  }
  if (!from_north) return raster;
  auto const row = [&](int r) { return raster.values.begin() + static_cast<std::ptrdiff_t>(r) * raster.columns; };
  for (int r = 0; r < raster.rows / 2; ++r) std::swap_ranges(row(r), row(r + 1), row(raster.rows - 1 - r));
  return raster;
}

}  // namespace karman::detail
