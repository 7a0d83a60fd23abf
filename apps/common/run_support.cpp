// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_support.hpp"

#include "cannot_run.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/progress.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
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

void require_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                    BackendInfo const& host) {
  auto const check = [](std::int64_t needed, BackendInfo const& where, char const* what) {
    if (where.free_memory_bytes <= 0 || needed <= where.free_memory_bytes) return;
    throw CannotRun("this case needs " + bytes_text(static_cast<double>(needed)) + " of " + what + " memory; " +
                    bytes_text(static_cast<double>(where.free_memory_bytes)) + " are free on " + where.device +
                    "; reduce the case");
  };
  if (backend.backend == Backend::cuda) {
    check(device_bytes, backend, "device");
    check(host_bytes, host, "host");
  } else {
    check(device_bytes + host_bytes, host, "host");
  }
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
