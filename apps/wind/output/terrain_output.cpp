// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "terrain_output.hpp"

#include "conventions.hpp"
#include "grid_mapping.hpp"
#include <karman/io/hdf5_file.hpp>

#include <vector>

namespace karman::wind {

void write_terrain(Hdf5File& file, WindCase const& wind_case) {
  if (wind_case.terrain.empty()) return;
  UniformGrid const& grid = wind_case.grid;
  file.make_group("/terrain");
  std::string const name = "/terrain/height";
  file.write(name, wind_case.terrain.heights().data(), {grid.ny(), grid.nx()});
  describe(file, name, {.units = "m", .long_name = "height of the ground above z = 0"});
  map_variable(file, name, wind_case.place);
  auto const write_centers = [&](char const* line, std::size_t axis, int count, double spacing) {
    std::vector<double> centers;
    for (int n = 0; n < count; ++n) centers.push_back(grid.origin()[axis] + (n + 0.5) * spacing);
    file.write(line, centers.data(), {centers.size()});
    describe_coordinate(file, line, axis);
    file.attach_scale(name, axis == 0 ? 1 : 0, line);
  };
  write_centers("/terrain/x", 0, grid.nx(), grid.dx());
  write_centers("/terrain/y", 1, grid.ny(), grid.dy());
}

std::int64_t terrain_bytes(WindCase const& wind_case) {
  if (wind_case.terrain.empty()) return 0;
  UniformGrid const& grid = wind_case.grid;
  return static_cast<std::int64_t>(sizeof(double)) * (std::int64_t{grid.nx()} * grid.ny() + grid.nx() + grid.ny());
}

}  // namespace karman::wind
