// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conventions.hpp"

#include "comfort.hpp"

#include <array>
#include <limits>
#include <span>

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

void mark_missing(Hdf5File& file, std::string const& dataset, ScalarType type) {
  // Programs for netCDF-4 ignore a value of another type.
  constexpr char const* name = "_FillValue";
  if (type == ScalarType::uint8) {
    file.write_attribute(dataset, name, std::span(&no_class, 1));
  } else if (type == ScalarType::float32) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    file.write_attribute(dataset, name, std::span(&none, 1));
  } else {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    file.write_attribute(dataset, name, std::span(&none, 1));
  }
}

void follow_conventions(Hdf5File& file) {
  file.write_attribute("/", "Conventions", "CF-1.10");
  for (char const* name : {"x", "y", "z", "x_center", "y_center", "z_center"})
    file.link(std::string("/grid/") + name, std::string("/") + name);
}

}  // namespace karman::wind
