// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_output.hpp"

#include <karman/io/error.hpp>
#include <karman/io/geotiff.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace karman {
namespace detail {

void fail_to_write(std::filesystem::path const& path) {
  std::string const reason = gdal().last_error();
  throw FileError(path.string(), "write", reason.empty() ? "GDAL gives no reason; the disk may be full" : reason);
}

void load_gdal_to_write(std::filesystem::path const& path) {
  try {
    gdal();
  } catch (std::runtime_error const& error) {
    throw FileError(path.string(), "write", error.what());
  }
}

GdalWriting::GdalWriting(std::span<LocalSetting const> more) : settings_(more) {
  gdal().push_error_handler(gdal().quiet);
  gdal().reset_error();
}

GdalWriting::~GdalWriting() { gdal().pop_error_handler(); }

GdalOutput::GdalOutput(StagedPath const& staged, char const* driver, std::array<int, 2> const& cells, GDALDataType type,
                       std::span<char const* const> options, std::span<LocalSetting const> settings)
    : path_(staged.path()), writing_(settings) {
  std::vector<char const*> words(options.begin(), options.end());
  words.push_back(nullptr);
  int const bands = cells[0] > 0 ? 1 : 0;
  if (GDALDriverH const handle = gdal().driver(driver)) {
    file_ = gdal().create(handle, staged.temporary().c_str(), cells[0], cells[1], bands, type,
                          const_cast<char**>(words.data()));  // GDAL only reads them
  }
  if (file_ == nullptr) fail_to_write(path_);
}

GdalOutput::~GdalOutput() {
  if (file_ != nullptr) gdal().close(file_);
}

void GdalOutput::close() {
  gdal().reset_error();
  gdal().close(file_);
  file_ = nullptr;
  check(gdal().last_error_type() < CE_Failure);
}

}  // namespace detail

std::string gdal_fault(std::string const& driver) {
  try {
    if (driver.empty() || detail::gdal().driver(driver.c_str()) != nullptr) return {};
    return "the GDAL of this machine has no driver " + driver;
  } catch (std::runtime_error const& error) {
    return error.what();
  }
}

}  // namespace karman
