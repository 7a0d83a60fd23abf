// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"
#include "gdal_library.hpp"
#include "io/files/input_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace karman::detail {
namespace {

void check_units(std::filesystem::path const& path, GDALDatasetH dataset, GDALRasterBandH band, bool any_system) {
  Gdal const& library = gdal();
  OGRSpatialReferenceH const system = library.raster_system(dataset);
  if (std::string const unit = unit_of(system); !unit.empty() && !any_system) {
    char const* const name = library.system_name(system);
    refuse_file(path, "a projected coordinate system in metres, found " + unit + " (" +
                          (name != nullptr ? name : "unnamed") +
                          "); give /domain/crs, or project it, for example with gdalwarp "
                          "-t_srs");
  }
  std::string const unit = library.value_unit(band) != nullptr ? library.value_unit(band) : "";
  constexpr std::array metres{"", "m", "metre", "meter", "metres", "meters"};
  if (std::find(metres.begin(), metres.end(), unit) == metres.end())
    refuse_file(path, "heights in metres, found the unit " + unit);
}

/// The library holds whole blocks in memory, of a compressed file decompressed. A small file may claim a huge block.
void check_blocks(std::filesystem::path const& path, GDALRasterBandH band) {
  constexpr std::uint64_t most_block_bytes = std::uint64_t{1} << 30;
  int columns = 0, rows = 0;
  gdal().block_size(band, &columns, &rows);
  auto const bytes = static_cast<std::uint64_t>(std::max(0, columns)) * static_cast<std::uint64_t>(std::max(0, rows)) *
                     static_cast<std::uint64_t>(std::max(0, gdal().type_bytes(gdal().data_type(band))));
  if (bytes > most_block_bytes) {
    refuse_file(path, "blocks of at most " + bytes_text(most_block_bytes) + ", found " + std::to_string(columns) +
                          " x " + std::to_string(rows) + " cells of " + bytes_text(bytes) +
                          "; write it with tiles, for example with gdal_translate -co TILED=YES");
  }
}

/// Cells of a file that are read: the first column and row, and their numbers.
struct Part {
  int column = 0, row = 0, columns = 0, rows = 0;
};

/// The first cell along one axis that interpolation between `low` and `high` uses, and the number of cells. Both are in
/// cells from the outline. All cells where they reach beyond it.
std::array<int, 2> cells_between(double low, double high, int count) {
  if (!(low >= 0 && high <= count)) return {0, count};
  int const first = std::max(0, static_cast<int>(low - 0.5) - 1);
  int const last = std::min(count - 1, static_cast<int>(high + 0.5) + 1);
  return {first, last - first + 1};
}

/// The part of a file for a window, rows from the south.
Part part_of(Raster const& whole, std::optional<RasterWindow> const& window) {
  Part part{0, 0, whole.columns, whole.rows};
  if (!window) return part;
  std::array<std::array<int, 2>, 2> ranges{};
  std::array const counts{whole.columns, whole.rows};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    ranges[axis] = cells_between((window->low[axis] - whole.corner[axis]) / whole.spacing[axis],
                                 (window->high[axis] - whole.corner[axis]) / whole.spacing[axis], counts[axis]);
  }
  return {ranges[0][0], ranges[1][0], ranges[0][1], ranges[1][1]};
}

/// A file of one band with its place.
struct OpenRaster {
  GdalDataset file;
  GDALRasterBandH band = nullptr;
  Raster outline;  ///< without values
  bool from_north = true;

  OpenRaster(std::filesystem::path const& path, bool any_system) : file(path, GDAL_OF_RASTER, "a raster") {
    Gdal const& library = gdal();
    GDALDatasetH const dataset = file.get();
    outline.columns = library.raster_columns(dataset);
    outline.rows = library.raster_rows(dataset);
    if (int const bands = library.raster_bands(dataset); bands != 1)
      refuse_file(path, "a raster of one band, found " + std::to_string(bands));
    band = library.raster_band(dataset, 1);
    check_blocks(path, band);
    check_units(path, dataset, band, any_system);
    outline.system = text_of(library.raster_system(dataset));
    // x = transform[0] + column transform[1] + row transform[2], y likewise.
    std::array<double, 6> transform{};
    if (library.geo_transform(dataset, transform.data()) != CE_None)
      refuse_file(path, "a raster with a position (a geotransform), found none");
    if (transform[2] != 0 || transform[4] != 0 || !(transform[1] > 0) || transform[5] == 0)
      refuse_file(path,
                  "rows along x and columns along y, found a rotated raster; resample it, for example with gdalwarp");
    if (!std::all_of(transform.begin(), transform.end(), [](double value) { return std::abs(value) < 1e12; }))
      refuse_file(path, "a position within 1e12, found another");
    outline.spacing = {transform[1], std::abs(transform[5])};
    from_north = transform[5] < 0;
    outline.corner = {transform[0], from_north ? transform[3] + outline.rows * transform[5] : transform[3]};
  }
};

}  // namespace

Raster read_gdal_raster(std::filesystem::path const& path, RasterOptions const& options) {
  OpenRaster const open(path, options.any_system);
  Gdal const& library = gdal();
  GDALRasterBandH const band = open.band;
  bool const from_north = open.from_north;
  Raster raster = open.outline;
  Part const part = part_of(raster, options.window);
  std::size_t const cells = static_cast<std::size_t>(part.columns) * static_cast<std::size_t>(part.rows);
  if (cells > options.most_cells) {
    refuse_file(path, "at most " + std::to_string(options.most_cells) + " cells, found " +
                          std::to_string(part.columns) + " x " + std::to_string(part.rows));
  }
  int const first_line = from_north ? raster.rows - part.row - part.rows : part.row;
  raster.corner[0] += part.column * raster.spacing[0];
  raster.corner[1] += part.row * raster.spacing[1];
  raster.columns = part.columns;
  raster.rows = part.rows;
  raster.values.resize(cells);
  if (library.raster_io(band, GF_Read, part.column, first_line, part.columns, part.rows, raster.values.data(),
                        part.columns, part.rows, GDT_Float64, 0, 0) != CE_None) {
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
    value = missing || !(std::abs(value) < 1e100) ? std::numeric_limits<double>::quiet_NaN() : value * scale + offset;
  }
  if (!from_north) return raster;
  auto const row = [&](int r) { return raster.values.begin() + static_cast<std::ptrdiff_t>(r) * raster.columns; };
  for (int r = 0; r < raster.rows / 2; ++r) std::swap_ranges(row(r), row(r + 1), row(raster.rows - 1 - r));
  return raster;
}

Raster gdal_raster_outline(std::filesystem::path const& path) { return OpenRaster(path, true).outline; }

std::string gdal_raster_system(std::filesystem::path const& path) {
  GdalDataset const file(path, GDAL_OF_RASTER, "a raster");
  return text_of(gdal().raster_system(file.get()));
}

}  // namespace karman::detail
