// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files that GDAL writes.
#pragma once

#include "gdal_library.hpp"
#include <karman/io/atomic_file.hpp>

#include <array>
#include <filesystem>
#include <span>

namespace karman::detail {

/// Throws FileError with the last message of GDAL.
[[noreturn]] void fail_to_write(std::filesystem::path const& path);

/// Loads GDAL for the writing of a file. Throws FileError where it cannot be loaded.
void load_gdal_to_write(std::filesystem::path const& path);

/// State of GDAL while it writes: local settings, and silence. Warnings are no errors.
class GdalWriting {
 public:
  explicit GdalWriting(std::span<LocalSetting const> more = {});
  GdalWriting(GdalWriting const&) = delete;
  GdalWriting& operator=(GdalWriting const&) = delete;
  ~GdalWriting();

 private:
  LocalGdalSettings settings_;
};

/// A dataset that GDAL writes, after load_gdal_to_write().
class GdalOutput {
 public:
  /// Creates the temporary file; messages name the final one. Throws FileError, also for a missing driver.
  GdalOutput(StagedPath const& staged, char const* driver, std::array<int, 2> const& cells, GDALDataType type,
             std::span<char const* const> options, std::span<LocalSetting const> settings = {});
  GdalOutput(GdalOutput const&) = delete;
  GdalOutput& operator=(GdalOutput const&) = delete;
  ~GdalOutput();

  GDALDatasetH get() const { return file_; }
  /// Throws FileError unless a call succeeded.
  void check(bool succeeded) const {
    if (!succeeded) fail_to_write(path_);
  }
  /// Closes the file; only that writes the last bytes.
  void close();

 private:
  std::filesystem::path path_;
  GdalWriting writing_;
  GDALDatasetH file_ = nullptr;
};

}  // namespace karman::detail
