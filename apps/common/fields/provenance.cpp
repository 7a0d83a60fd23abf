// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "provenance.hpp"

#include <karman/core/uniform_grid.hpp>

#include <vector>

namespace karman::app {

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

}  // namespace karman::app
