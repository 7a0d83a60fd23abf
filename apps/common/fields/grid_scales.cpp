// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_scales.hpp"

#include <array>
#include <vector>

namespace karman::app {

void write_cell_centers(Hdf5File& file, UniformGrid const& grid, char const* units) {
  auto const write = [&](char const* dataset, std::vector<double> const& values) {
    file.write(dataset, values.data(), {values.size()});
    if (*units != '\0') file.write_attribute(dataset, "units", units);
  };
  auto const line = [](int count, double origin, double spacing) {
    std::vector<double> centers;
    for (int i = 0; i < count; ++i) centers.push_back(origin + (i + 0.5) * spacing);
    return centers;
  };
  write("/grid/x_center", line(grid.nx(), grid.origin()[0], grid.dx()));
  write("/grid/y_center", line(grid.ny(), grid.origin()[1], grid.dy()));
  std::vector<double> z;
  for (int k = 0; k < grid.nz(); ++k) z.push_back(grid.z_center(k));
  write("/grid/z_center", z);
}

void attach_coordinates(Hdf5File& file, UniformGrid const& grid, std::string const& field) {
  ArrayExtents const extents = file.info(field).extents;
  std::array const cells{grid.nz(), grid.ny(), grid.nx()};
  std::array<char const*, 3> const lines{"/grid/z", "/grid/y", "/grid/x"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bool const faces = extents[axis] == static_cast<std::size_t>(cells[axis]) + 1;
    file.attach_scale(field, axis, std::string(lines[axis]) + (faces ? "" : "_center"));
  }
}

}  // namespace karman::app
