// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gdal_files.hpp"

#include "io/files/input_file.hpp"
#include "io/files/plain_text.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <system_error>

namespace karman {
namespace detail {

void require_files(std::filesystem::path const& path, std::uint64_t most_bytes) {
  // The library takes such a name for a web address or an archive, whatever lies there.
  if (path.string().starts_with("/vsi")) {
    refuse_file(path, "a file of this machine, found a name of GDAL's virtual file systems: /vsi...");
  }
  regular_file_size(path, "read", most_bytes);
  std::string const name = path.filename().string(), stem = path.stem().string();
  std::filesystem::path const folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::filesystem::path const& beside = entry->path();
    bool const belongs = beside.stem() == stem || beside.filename().string().starts_with(name + '.');
    std::error_code ignored;
    // A folder of that name is another thing, and is not opened.
    if (belongs && !std::filesystem::is_directory(beside, ignored) && std::filesystem::exists(beside, ignored))
      regular_file_size(beside, "read");
  }
}

void refuse_file(std::filesystem::path const& path, std::string const& expected) {
  constexpr std::size_t most = 400;
  CaseProblem problem;
  problem.expected = "expected " + shortened(one_line(expected), most);
  throw CaseError(path.string(), {problem});
}

}  // namespace detail

namespace {

bool is_ascii_grid(std::filesystem::path const& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending == ".asc";
}

}  // namespace

Raster read_raster(std::filesystem::path const& path, RasterOptions const& options) {
  if (!is_ascii_grid(path)) return detail::read_gdal_raster(path, options);
  Raster raster = read_ascii_grid(path, options);
  raster.system = raster_system(path);
  return raster;
}

Raster raster_outline(std::filesystem::path const& path) {
  if (!is_ascii_grid(path)) return detail::gdal_raster_outline(path);
  Raster raster = read_raster(path);
  raster.values = {};
  return raster;
}

std::string raster_system(std::filesystem::path const& path) {
  if (!is_ascii_grid(path)) return detail::gdal_raster_system(path);
  constexpr std::size_t most_bytes = 65536;
  for (char const* ending : {".prj", ".PRJ"}) {
    std::filesystem::path const beside = std::filesystem::path(path).replace_extension(ending);
    std::error_code ignored;
    if (!std::filesystem::exists(beside, ignored)) continue;
    std::string const text(detail::without_blanks(read_text_file(beside, most_bytes)));
    // Older files of ArcInfo have lines of keys, which leave out the datum.
    return text.find('[') != std::string::npos ? text : std::string();
  }
  return {};
}

}  // namespace karman
