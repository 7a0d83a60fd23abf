// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "footprint_output.hpp"

#include "wind/case/buildings/building_shapes.hpp"
#include <karman/io/hdf5_file.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace karman::wind {
namespace {

std::vector<std::string> const columns{"x", "y", "length", "width", "height", "rotation", "base"};
std::vector<std::string> const plant_columns{"kind", "x", "y", "base", "height", "attenuation", "porosity"};

/// Rings of all solid parts, one after the other.
struct Rings {
  std::vector<double> corners;
  std::vector<std::int64_t> starts{0};
  std::vector<std::int64_t> building;

  void write(Hdf5File& file, std::string const& group, std::string const& owner) const {
    file.write(group + "/corners", corners.data(), {static_cast<std::int64_t>(corners.size() / 2), 2});
    file.write_attribute(group + "/corners", "units", "m");
    file.write(group + "/starts", starts.data(), {static_cast<std::int64_t>(starts.size())});
    file.write(group + '/' + owner, building.data(), {static_cast<std::int64_t>(building.size())});
  }

  void append(Ring const& ring, std::int64_t row, std::array<double, 3> const& origin) {
    for (auto const& [x, y] : ring) {
      corners.push_back(x + origin[0]);
      corners.push_back(y + origin[1]);
    }
    starts.push_back(static_cast<std::int64_t>(corners.size() / 2));
    building.push_back(row);
  }
};

}  // namespace

void write_buildings(Hdf5File& file, WindCase const& wind_case) {
  file.create_table("/buildings", columns);
  auto const& origin = wind_case.grid.origin();
  Rings rings;
  std::int64_t row = 0;
  for (Building const& b : wind_case.buildings) {
    if (!b.is_solid()) continue;
    file.append_row("/buildings",
                    std::array{b.x + origin[0], b.y + origin[1], b.length, b.width, b.height, b.rotation, b.base});
    rings.append(b.corners(), row, origin);
    for (Ring const& hole : b.holes()) rings.append(hole, row, origin);
    ++row;
  }
  if (row == 0) return;
  rings.write(file, "/footprints", "building");
}

void write_vegetation(Hdf5File& file, WindCase const& wind_case) {
  if (wind_case.vegetation.empty()) return;
  file.create_table("/vegetation", plant_columns);
  auto const& origin = wind_case.grid.origin();
  Rings rings;
  std::int64_t row = 0;
  for (Plant const& plant : wind_case.vegetation) {
    Building const& shape = plant.shape;
    file.append_row("/vegetation", std::array{static_cast<double>(plant.kind), shape.x + origin[0], shape.y + origin[1],
                                              shape.base, shape.height, plant.attenuation, plant.porosity});
    rings.append(plant.corners(), row, origin);
    for (Ring const& hole : shape.holes()) rings.append(hole, row, origin);
    ++row;
  }
  rings.write(file, "/vegetation_footprints", "plant");
}

std::int64_t building_bytes(WindCase const& wind_case) {
  constexpr std::int64_t number = sizeof(double);
  std::int64_t bytes = 0;
  for (Building const& b : wind_case.buildings) {
    std::int64_t corners = 4;
    std::int64_t rings = 1;
    if (!b.is_rectangle()) {
      corners = static_cast<std::int64_t>(b.footprint.corner_count());
      rings += static_cast<std::int64_t>(b.footprint.hole_count());
    }
    bytes += static_cast<std::int64_t>(columns.size()) * number + 2 * number * (corners + rings);
  }
  for (Plant const& plant : wind_case.vegetation) {
    std::int64_t corners = plant.ellipse ? ellipse_corners : 4;
    std::int64_t rings = 1;
    if (!plant.shape.is_rectangle()) {
      corners = static_cast<std::int64_t>(plant.shape.footprint.corner_count());
      rings += static_cast<std::int64_t>(plant.shape.footprint.hole_count());
    }
    bytes += static_cast<std::int64_t>(plant_columns.size()) * number + 2 * number * (corners + rings);
  }
  return bytes + 2 * number;
}

}  // namespace karman::wind
