// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_support.hpp"

#include "cannot_run.hpp"
#include <karman/core/host_memory.hpp>
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/progress.hpp>

#include <malloc.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace karman::app {

std::string measured_time_text(double seconds) {
  constexpr double minute = 60;
  if (!(seconds < minute)) return duration_text(seconds);
  if (seconds < 1e-3) return formatted("%.3g us", 1e6 * seconds);
  if (seconds < 1) return formatted("%.3g ms", 1e3 * seconds);
  return formatted("%.3g s", seconds);
}

std::string reason_of(std::exception const& error) {
  std::string text = error.what();
  text.erase(std::min(text.find('\n'), text.size()));
  // "file:line: message"
  std::size_t const end = text.find(": ");
  if (end == std::string::npos) return text;
  std::size_t const colon = text.rfind(':', end - 1);
  bool const place = colon != std::string::npos && colon + 1 < end && text.find(' ') > end &&
                     text.find_first_not_of("0123456789", colon + 1) == end;
  return place ? text.substr(end + 2) : text;
}

void write_provenance(Hdf5File& file, Provenance const& provenance) {
  BuildInfo const build = build_info();
  file.write_attribute("/", "format", provenance.format);
  file.write_attribute("/", "format_version", provenance.format_version);
  file.write_attribute("/", "title", provenance.title);
  file.write_attribute("/", "karman_version", build.karman_version);
  file.write_attribute("/", "commit", build.commit);
  file.write_attribute("/", "kokkos_version", build.kokkos_version);
  file.write_attribute("/", "compiler", build.compiler);
  file.write_attribute("/", "hdf5_version", hdf5_library_version());
  file.write_attribute("/", "backend", name(provenance.backend.backend));
  file.write_attribute("/", "device", provenance.backend.device);
  file.write_attribute("/", "concurrency", provenance.backend.concurrency);
  file.write_attribute("/", "precision", name(provenance.precision));
  file.write_text("/case", provenance.case_text);
}

void write_grid_lines(Hdf5File& file, UniformGrid const& grid, char const* units) {
  auto const write = [&](char const* dataset, std::vector<double> const& values) {
    file.write(dataset, values.data(), {values.size()});
    if (*units != '\0') file.write_attribute(dataset, "units", units);
  };
  auto const line = [](int count, double origin, double spacing) {
    std::vector<double> faces;
    for (int i = 0; i <= count; ++i) faces.push_back(origin + i * spacing);
    return faces;
  };
  write("/grid/x", line(grid.nx(), grid.origin()[0], grid.dx()));
  write("/grid/y", line(grid.ny(), grid.origin()[1], grid.dy()));
  std::vector<double> z;
  for (int k = 0; k <= grid.nz(); ++k) z.push_back(grid.z_face(k));
  write("/grid/z", z);
}

void require_no_files(std::filesystem::path const& folder, std::span<char const* const> names, Overwrite overwrite) {
  if (overwrite == Overwrite::yes) return;
  for (char const* file : names) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / file, ignored)) {
      throw FileError((folder / file).string(), "", "already exists: add --overwrite or choose another --output");
    }
  }
}

namespace {

/// Refuses a need of host memory that exceeds a limit of the address space of this process.
void require_address_space(std::int64_t bytes) {
  std::int64_t const free = free_address_space();
  if (free == std::numeric_limits<std::int64_t>::max() || bytes <= free - library_address_space) return;
  throw std::runtime_error("out of memory: this case needs " + bytes_text(static_cast<double>(bytes)) +
                           "; the limit of the address space (ulimit -v) leaves " +
                           bytes_text(std::max(0.0, static_cast<double>(free - library_address_space))) + " for it");
}

}  // namespace

void require_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                    BackendInfo const& host) {
  auto const check = [](std::int64_t needed, BackendInfo const& where, char const* what) {
    if (where.free_memory_bytes <= 0 || needed <= where.free_memory_bytes) return;
    throw CannotRun("this case needs " + bytes_text(static_cast<double>(needed)) + " of " + what + " memory; " +
                    bytes_text(static_cast<double>(where.free_memory_bytes)) + " are free on " + where.device +
                    "; reduce the case");
  };
  bool const device = backend.backend == Backend::cuda;
  if (device) check(device_bytes, backend, "device");
  std::int64_t const on_host = device ? host_bytes : device_bytes + host_bytes;
  require_address_space(on_host);
  check(on_host, host, "host");
}

bool fits_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                 BackendInfo const& host) {
  try {
    require_memory(device_bytes, host_bytes, backend, host);
    return true;
  } catch (std::runtime_error const&) {
    return false;
  }
}

void require_host_memory(double bytes, std::string const& of_what) {
  constexpr double most = 0x1p62;
  require_address_space(static_cast<std::int64_t>(std::min(bytes, most)));
  auto const free = static_cast<double>(free_host_memory());
  if (bytes <= free) return;
  throw CannotRun("this case needs at least " + bytes_text(bytes) + " of host memory for " + of_what + "; " +
                  bytes_text(free) + " are free; reduce the case");
}

void require_program_memory() {
  std::int64_t const free = free_address_space();
  if (free == std::numeric_limits<std::int64_t>::max()) return;
#if defined(M_ARENA_MAX)
  // The allocator of the C library would reserve 64 MB for each thread.
  ::mallopt(M_ARENA_MAX, 1);
#endif
  if (free >= library_address_space + least_case_bytes) return;
  throw std::runtime_error("out of memory: the limit of the address space (ulimit -v) leaves " +
                           bytes_text(static_cast<double>(free)) + "; a run needs at least " +
                           bytes_text(static_cast<double>(library_address_space + least_case_bytes)));
}

std::string need_text(std::int64_t bytes) {
  // Three digits: the unit of the last one, in powers of ten.
  double unit = 1;
  for (auto rest = static_cast<double>(bytes); rest >= 1000; rest /= 10) unit *= 10;
  return bytes_text(unit * std::ceil(static_cast<double>(bytes) / unit));
}

std::int64_t hdf5_table_bytes(double rows, std::size_t columns) {
  constexpr double block = 1 << 16, of_index = 64, of_column = 64, of_description = 1024;
  auto const width = static_cast<double>(columns * sizeof(double));
  double const rows_a_block = std::fmax(1, std::floor(block / width)), blocks = std::ceil(rows / rows_a_block);
  return static_cast<std::int64_t>(blocks * (rows_a_block * width + of_index) +
                                   of_column * static_cast<double>(columns) + of_description);
}

std::int64_t csv_bytes(double rows, std::size_t columns) {
  // Up to 24 digits with sign, point and exponent, and a comma; most numbers take fewer.
  constexpr double of_number = 22, of_name = 32;
  return static_cast<std::int64_t>((of_number * rows + of_name) * static_cast<double>(columns));
}

void require_same_case(nlohmann::json const& then, nlohmann::json const& now, Case const& input,
                       std::filesystem::path const& file) {
  using nlohmann::json;
  json const difference = json::diff(now, then);
  if (difference.empty()) return;
  std::string const pointer = difference.front().at("path").get<std::string>();
  json::json_pointer const at(pointer);
  std::string const value = then.contains(at) ? then.at(at).dump() : "no value";
  throw input.error(pointer, "expected " + value.substr(0, 60) + " as in the checkpoint " + file.string());
}

}  // namespace karman::app
