// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conventions.hpp"

#include <array>

namespace karman::wind {

void describe(Hdf5File& file, std::string const& dataset, Description const& description) {
  auto const write = [&](char const* name, char const* value) {
    if (*value != '\0') file.write_attribute(dataset, name, value);
  };
  write("units", description.units);
  write("long_name", description.long_name);
  write("standard_name", description.standard_name);
}

void describe_coordinate(Hdf5File& file, std::string const& dataset, std::size_t axis, bool has_terrain) {
  constexpr std::array<Description, 3> coordinates{{{"m", "x, eastward", "projection_x_coordinate"},
                                                    {"m", "y, northward", "projection_y_coordinate"},
                                                    {"m", "height above the ground", "height"}}};
  constexpr std::array<char const*, 3> names{"X", "Y", "Z"};
  describe(file, dataset, axis == 2 && has_terrain ? Description{"m", "height above z = 0", ""} : coordinates[axis]);
  file.write_attribute(dataset, "axis", names[axis]);
  if (axis == 2) file.write_attribute(dataset, "positive", "up");
}

void follow_conventions(Hdf5File& file) {
  file.write_attribute("/", "Conventions", "CF-1.10");
  for (char const* name : {"x", "y", "z", "x_center", "y_center", "z_center"})
    file.link(std::string("/grid/") + name, std::string("/") + name);
}

}  // namespace karman::wind
