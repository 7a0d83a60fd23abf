// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"

#include "io/files/plain_text.hpp"
#include <karman/io/error.hpp>

#include <algorithm>
#include <system_error>

namespace karman {
namespace detail {

void require_file(std::filesystem::path const& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw FileError(path.string(), "read", "No such file or directory");
}

void refuse_file(std::filesystem::path const& path, std::string const& expected) {
  constexpr std::size_t most = 400;
  CaseProblem problem;
  problem.expected = "expected " + shortened(one_line(expected), most);
  throw CaseError(path.string(), {problem});
}

}  // namespace detail

Raster read_raster(std::filesystem::path const& path, RasterOptions const& options) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ending == ".asc") return read_ascii_grid(path, options);
  return detail::read_gdal_raster(path, options);
}

}  // namespace karman
