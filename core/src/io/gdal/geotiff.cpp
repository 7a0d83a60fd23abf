// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_library.hpp"
#include <karman/core/error.hpp>
#include <karman/io/error.hpp>
#include <karman/io/geotiff.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace karman {
namespace {

using detail::Gdal;
using detail::gdal;

[[noreturn]] void fail_to_write(std::filesystem::path const& path) {
  std::string const reason = gdal().last_error();
  throw FileError(path.string(), "write", reason.empty() ? "GDAL gives no reason" : reason);
}

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

/// A file of GDAL that is being written. Messages of GDAL stay silent while it exists.
class TiffBeingWritten {
 public:
  TiffBeingWritten(std::filesystem::path const& path, GeoTiff const& map) : path_(path) {
    library_.push_error_handler(library_.quiet);
    library_.reset_error();
    GDALDriverH const driver = library_.driver("GTiff");
    std::array<char const*, 2> const options{"COMPRESS=DEFLATE", nullptr};
    GDALDataType const type = map.classes.empty() ? GDT_Float32 : GDT_Byte;
    if (driver != nullptr) {
      file_ = library_.create(driver, path.c_str(), map.columns, map.rows, 1, type,
                              const_cast<char**>(options.data()));  // GDAL only reads them
    }
    if (file_ == nullptr) {
      library_.pop_error_handler();
      fail_to_write(path);
    }
  }
  TiffBeingWritten(TiffBeingWritten const&) = delete;
  TiffBeingWritten& operator=(TiffBeingWritten const&) = delete;
  ~TiffBeingWritten() {
    if (file_ != nullptr) library_.close(file_);
    library_.pop_error_handler();
  }

  void place(GeoTiff const& map) {
    std::array<double, 6> transform{map.corner[0],  map.spacing[0], 0, map.corner[1] + map.rows * map.spacing[1], 0,
                                    -map.spacing[1]};
    check(library_.set_geo_transform(file_, transform.data()));
    if (!map.system.empty()) check(library_.set_system(file_, map.system.c_str()));
  }

  void fill(GeoTiff const& map) {
    GDALRasterBandH const band = library_.raster_band(file_, 1);
    library_.set_description(band, map.name.c_str());
    if (map.classes.empty()) {
      std::vector<float> values = northern_first(map.values, map.columns);
      check(library_.set_no_data(band, std::numeric_limits<double>::quiet_NaN()));
      check(library_.raster_io(band, GF_Write, 0, 0, map.columns, map.rows, values.data(), map.columns, map.rows,
                               GDT_Float32, 0, 0));
      return;
    }
    std::vector<std::uint8_t> classes = northern_first(map.classes, map.columns);
    constexpr double none = 255;
    check(library_.set_no_data(band, none));
    GDALColorTableH const table = library_.create_colors(GPI_RGB);
    for (MapClass const& one : map.legend) {
      GDALColorEntry const color{one.color[0], one.color[1], one.color[2], 255};
      library_.set_color(table, one.value, &color);
    }
    CPLErr const colored = library_.set_colors(band, table);
    library_.destroy_colors(table);
    check(colored);
    // Category names would go to a file beside it; these stay in the file.
    for (MapClass const& one : map.legend)
      check(library_.set_metadata(band, ("class_" + std::to_string(one.value)).c_str(), one.name.c_str(), nullptr));
    check(library_.raster_io(band, GF_Write, 0, 0, map.columns, map.rows, classes.data(), map.columns, map.rows,
                             GDT_Byte, 0, 0));
  }

  /// Closes the file; only that writes the last bytes.
  void close() {
    library_.reset_error();
    library_.close(file_);
    file_ = nullptr;
    if (std::string const error = library_.last_error(); !error.empty()) fail_to_write(path_);
  }

 private:
  void check(CPLErr result) const {
    if (result != CE_None) fail_to_write(path_);
  }

  std::filesystem::path path_;
  Gdal const& library_ = gdal();
  detail::LocalGdalSettings settings_;
  GDALDatasetH file_ = nullptr;
};

}  // namespace

void write_geotiff(std::filesystem::path const& path, Overwrite overwrite, GeoTiff const& map) {
  std::size_t const cells = static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows);
  require((map.classes.empty() ? map.values.size() : map.classes.size()) == cells && cells > 0,
          "write_geotiff: expected a value for each cell");
  try {
    gdal();
  } catch (std::runtime_error const& error) {
    throw FileError(path.string(), "write", error.what());
  }
  StagedPath staged(path, overwrite);
  TiffBeingWritten file(staged.temporary(), map);
  file.place(map);
  file.fill(map);
  file.close();
  staged.commit();
}

}  // namespace karman
