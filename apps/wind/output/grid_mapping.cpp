// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid_mapping.hpp"

#include <karman/io/map_system.hpp>

#include <cstdint>

namespace karman::wind {

void write_grid_mapping(Hdf5File& file, DomainPlace const& place) {
  if (place.empty()) return;
  MapSystem const map = describe_map_system(place.system);
  constexpr std::uint8_t nothing = 0;
  file.write("/crs", &nothing, ArrayExtents{});
  file.write_attribute("/crs", "long_name", map.name + (map.code.empty() ? "" : " (" + map.code + ')'));
  // The first is the name of the conventions, the second an older one of GDAL.
  file.write_attribute("/crs", "crs_wkt", map.wkt);
  file.write_attribute("/crs", "spatial_ref", map.wkt);
}

void map_variable(Hdf5File& file, std::string const& dataset, DomainPlace const& place) {
  if (!place.empty()) file.write_attribute(dataset, "grid_mapping", "crs");
}

}  // namespace karman::wind
