// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <stdexcept>

namespace karman {

MapPlace map_place(std::string const& system, std::array<double, 2> const& position) {
  MapSystem const map = describe_map_system(system);
  auto const degrees = MapTransform(system, "OGC:CRS84")(position);
  if (!std::isfinite(degrees[0]) || !std::isfinite(degrees[1]))
    throw std::runtime_error("the place is outside of the projection " + map.name);
  MapTransform const ground(system, local_system(degrees[0], degrees[1]));
  MapPlace place;
  place.longitude = degrees[0];
  place.latitude = degrees[1];
  constexpr double step = 50;  // metres to each side
  double const units = step / map.metres_per_unit;
  auto const difference = [&](std::array<double, 2> const& along) {
    auto const low = ground({position[0] - units * along[0], position[1] - units * along[1]});
    auto const high = ground({position[0] + units * along[0], position[1] + units * along[1]});
    return std::array{(high[0] - low[0]) / (2 * step), (high[1] - low[1]) / (2 * step)};
  };
  // Ground vectors of a metre in the map along x and y; the singular values of their matrix are the inverse scales.
  auto const east = difference({1, 0}), north = difference({0, 1});
  double const squares = east[0] * east[0] + east[1] * east[1] + north[0] * north[0] + north[1] * north[1];
  double const area = std::abs(east[0] * north[1] - east[1] * north[0]);
  double const spread = std::sqrt(std::max(0.0, squares * squares - 4 * area * area));
  place.least_scale = 1 / std::sqrt(0.5 * (squares + spread));
  // The lesser one from the area, without a difference of near numbers.
  place.scale = 1 / (area * place.least_scale);
  place.north = std::atan2(north[0], north[1]) * 180 / std::numbers::pi;
  if (!std::isfinite(place.scale) || !std::isfinite(place.least_scale))
    throw std::runtime_error("the place is at an edge of the projection " + map.name);
  return place;
}

std::string utm_system(double longitude, double latitude) {
  double const turned = longitude - 360 * std::floor((longitude + 180) / 360);
  int const zone = std::clamp(static_cast<int>((turned + 180) / 6) + 1, 1, 60);
  return "EPSG:" + std::to_string((latitude >= 0 ? 32600 : 32700) + zone);
}

std::string local_system(double longitude, double latitude) {
  char text[1024];
  std::snprintf(text, sizeof text,
                "PROJCS[\"Transverse Mercator of the domain\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS "
                "84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION["
                "\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",%.12f],PARAMETER[\"central_meridian\",%.12f]"
                ",PARAMETER[\"scale_factor\",1],PARAMETER[\"false_easting\",0],PARAMETER[\"false_northing\",0],UNIT["
                "\"metre\",1],AXIS[\"Easting\",EAST],AXIS[\"Northing\",NORTH]]",
                latitude, longitude);
  return text;
}

}  // namespace karman
