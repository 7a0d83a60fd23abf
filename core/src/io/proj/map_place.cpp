// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <stdexcept>

namespace karman {
namespace {

/// Position after the end of a node of well-known text that begins at `start`; texts in quotes may hold brackets.
std::size_t end_of_node(std::string const& text, std::size_t start) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = start; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at + 1;
  }
  return text.size();
}

/// Start of a node of the name directly inside of the outermost one; npos without one.
std::size_t node_inside(std::string const& text, std::string const& name) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (depth == 1 && text[at] == ',' && text.compare(at + 1, name.size(), name) == 0) return at + 1;
    depth += text[at] == '[' ? 1 : text[at] == ']' ? -1 : 0;
  }
  return std::string::npos;
}

std::string digits(double value, int count = 17) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.*g", count, value);
  return text.data();
}

/// True if two ways lead to the same longitude and latitude.
bool are_near(std::array<double, 2> const& a, std::array<double, 2> const& b) {
  constexpr double tolerance = 1e-9;  // degrees, 0.1 mm
  return std::abs(std::remainder(a[0] - b[0], 360)) <= tolerance && std::abs(a[1] - b[1]) <= tolerance;
}

/// True if the two systems show the same place at both ends of a way of 1 km from their origins.
bool shows_same_places(std::string const& system, std::array<double, 2> const& origin, double metres_per_unit,
                       std::string const& shifted) {
  MapTransform const first(system, "OGC:CRS84"), second(shifted, "OGC:CRS84");
  for (double const way : {0.0, 1000.0}) {
    auto const expected = first({origin[0] + way / metres_per_unit, origin[1] + way / metres_per_unit});
    if (!are_near(second({way, way}), expected)) return false;
  }
  return true;
}

}  // namespace

std::string shifted_system(std::string const& system, std::array<double, 2> const& origin) {
  MapSystem const map = describe_map_system(system);
  std::string text = map.wkt;
  if (map.degrees || !text.starts_with("PROJCS[\"")) return {};
  std::size_t const name_end = text.find('"', 8);
  if (name_end == std::string::npos) return {};
  text.insert(name_end, " from (" + digits(origin[0], 12) + ", " + digits(origin[1], 12) + ")");
  // The code and a text in PROJ's own form belong to the old origin.
  for (char const* name : {"AUTHORITY[", "EXTENSION["}) {
    if (std::size_t const at = node_inside(text, name); at != std::string::npos)
      text.erase(at - 1, end_of_node(text, at) - at + 1);
  }
  constexpr std::array names{"PARAMETER[\"false_easting\",", "PARAMETER[\"false_northing\","};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::size_t const at = node_inside(text, names[axis]);
    if (at == std::string::npos) return {};
    std::size_t const value = at + std::string(names[axis]).size(), end = end_of_node(text, at) - 1;
    double const old = std::strtod(text.c_str() + value, nullptr);
    text.replace(value, end - value, digits((old - origin[axis]) * map.metres_per_unit));
  }
  if (map.metres_per_unit != 1) {
    std::size_t const unit = node_inside(text, "UNIT[");
    if (unit == std::string::npos) return {};
    text.replace(unit, end_of_node(text, unit) - unit, "UNIT[\"metre\",1]");
  }
  return shows_same_places(system, origin, map.metres_per_unit, text) ? text : std::string();
}

std::string equirectangular_system(std::array<double, 2> const& place, std::array<double, 2> const& metres_per_degree,
                                   std::array<double, 2> const& position) {
  double const cosine = metres_per_degree[0] / metres_per_degree[1];
  if (!(cosine <= 1)) return {};
  constexpr double degrees = 180 / std::numbers::pi;
  std::string const radius = digits(metres_per_degree[1] * degrees), parallel = digits(std::acos(cosine) * degrees);
  std::string const text =
      "PROJCS[\"Equirectangular about (" + digits(place[0], 12) + ", " + digits(place[1], 12) +
      ")\",GEOGCS[\"WGS 84 on a sphere\",DATUM[\"Sphere of the domain\",SPHEROID[\"Sphere\"," + radius +
      ",0]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],PROJECTION[\"Equirectangular\"],"
      "PARAMETER[\"standard_parallel_1\"," +
      parallel + "],PARAMETER[\"latitude_of_origin\"," + digits(place[1]) + "],PARAMETER[\"central_meridian\"," +
      digits(place[0]) + "],PARAMETER[\"false_easting\"," + digits(position[0]) + "],PARAMETER[\"false_northing\"," +
      digits(position[1]) + "],UNIT[\"metre\",1],AXIS[\"Easting\",EAST],AXIS[\"Northing\",NORTH]]";
  try {
    // PROJ decides how positions on a sphere become positions on an ellipsoid.
    MapTransform const back(text, "OGC:CRS84");
    constexpr double way = 0.01;
    auto const corner = back({position[0] + way * metres_per_degree[0], position[1] + way * metres_per_degree[1]});
    bool const holds = are_near(back(position), place) && are_near(corner, {place[0] + way, place[1] + way});
    return holds ? text : std::string();
  } catch (std::runtime_error const&) {
    return {};
  }
}

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
