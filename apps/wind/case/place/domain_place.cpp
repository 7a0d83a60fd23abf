// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_place.hpp"

#include "city_layers.hpp"
#include "common/case/texts.hpp"
#include "wind/case/case_file.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/map_system.hpp>
#include <karman/io/raster.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace karman::wind {
namespace {

constexpr char const* system_key = "/domain/crs";

/// The zone of UTM with the middle of a box in a system; `name` of the things in it for the message.
std::string zone_of(std::string const& system, Point const& middle, std::string const& name) {
  auto const place = MapTransform(system, "OGC:CRS84")(middle);
  if (!std::isfinite(place[0])) throw std::runtime_error(name + " outside of " + system_name(system));
  return utm_system(place[0], place[1]);
}

/// The zone of the first file of polygons that has a system or degrees; empty without one.
std::string zone_of_files(Case const& input, CityLayers& layers) {
  for (std::string const& at : polygon_files(input)) {
    CityLayer const& layer = layers.of(input, at);
    bool const degrees = input.get<std::string>(at + "/coordinates") == "degrees";
    std::string const& given = layer.file().system;
    std::string const system = given.empty() && degrees ? "OGC:CRS84" : given;
    PlanBounds const& box = layer.box();
    if (!system.empty() && !box.empty())
      return zone_of(system, box.middle(), at.starts_with("/buildings") ? "the buildings are" : "the vegetation is");
  }
  return {};
}

/// The zone of the raster of the terrain; empty without one that names its system.
std::string zone_of_terrain(Case const& input) {
  if (!input.has("/terrain")) return {};
  Raster const raster = raster_outline(file_of_case(input, "/terrain/file"));
  if (raster.system.empty()) return {};
  auto const end = raster.end();
  return zone_of(raster.system, {0.5 * (raster.corner[0] + end[0]), 0.5 * (raster.corner[1] + end[1])},
                 "the terrain is");
}

/// Advice for the first file without a system whose positions may be degrees; empty without one.
std::string degrees_hint(Case const& input, CityLayers& layers) {
  for (std::string const& at : polygon_files(input)) {
    CityLayer const& layer = layers.of(input, at);
    if (!layer.file().system.empty() || !could_be_degrees(layer.box())) continue;
    return ", or \"coordinates\": \"degrees\" in " + at + ", whose positions may be longitudes and latitudes";
  }
  return {};
}

std::string zone_of_case(Case const& input, CityLayers& layers) {
  if (std::string zone = zone_of_files(input, layers); !zone.empty()) return zone;
  if (std::string zone = zone_of_terrain(input); !zone.empty()) return zone;
  throw std::runtime_error(
      "expected a file of buildings with a coordinate system or degrees, or a terrain with one, found none; give a "
      "system such as EPSG:25832" +
      degrees_hint(input, layers));
}

/// The first file of buildings in a projection whose lengths are wrong by more than `scale_slack` at its middle; empty
/// without one. None is asked for where a file has an `origin`, which places it in a domain without a map.
std::string distorted_file(Case const& input, CityLayers& layers) {
  std::vector<std::string> const files = polygon_files(input);
  if (std::any_of(files.begin(), files.end(), [&](std::string const& at) { return input.has(at + "/origin"); }))
    return {};
  for (std::string const& at : files) {
    VectorLayer const& layer = layers.of(input, at).file();
    PlanBounds const& box = layers.of(input, at).box();
    bool const projected = layer.unit == MapUnit::metres || layer.unit == MapUnit::other;
    if (!projected || layer.system.empty() || box.empty()) continue;
    if (scale_error(map_place(layer.system, box.middle())) > scale_slack) return at;
  }
  return {};
}

/// A domain around buildings is placed by them alone, so that it can have a system of its own.
void take_own_system(Case const& input, CityLayers& layers, DomainPlace& place, std::vector<std::string>& warnings) {
  if (!input.has("/domain/around") || !built_with_proj()) return;
  std::string file;
  try {
    file = distorted_file(input, layers);
    if (file.empty()) return;
    place.system = zone_of_files(input, layers);
  } catch (CaseError const&) {
    throw;
  } catch (FileError const&) {
    throw;
  } catch (std::runtime_error const&) {
    return;  // read_buildings() reports a file without a place
  }
  place.given = true;
  CityLayer const& layer = layers.of(input, file);
  std::string const& system = layer.file().system;
  warnings.push_back(
      app::formatted(
          "lengths in %s, the coordinate system of %s, are %.4g times those on the ground: the domain is in ",
          system_name(system).c_str(), file_of_case(input, file + "/file").filename().c_str(),
          map_place(system, layer.box().middle()).scale) +
      system_name(place.system) + ", as with \"crs\": \"auto\"");
}

/// The text without blanks at its ends, in lower case.
std::string plain(std::string const& text) {
  auto const first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
  std::string result = first == std::string::npos ? "" : text.substr(first, last - first + 1);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Refuses texts with blanks around a system, and "auto" in capitals.
void check_spelling(std::string const& text) {
  std::string const found = plain(text);
  if (found == "auto" && text != "auto") throw std::runtime_error("expected a coordinate system; did you mean auto?");
  if (found.size() != text.size() && !found.empty())
    throw std::runtime_error("expected a coordinate system without blanks before and after it");
}

}  // namespace

DomainPlace read_place(Case const& input, CityLayers& layers, std::vector<CaseProblem>& problems,
                       std::vector<std::string>& warnings) {
  DomainPlace place;
  if (!input.has(system_key)) {
    take_own_system(input, layers, place, warnings);
    return place;
  }
  auto const text = input.get<std::string>(system_key);
  try {
    check_spelling(text);
    std::string const system = text == "auto" ? zone_of_case(input, layers) : text;
    MapSystem const map = describe_map_system(system);
    if (map.degrees || std::abs(map.metres_per_unit - 1) > 1e-9) {
      throw std::runtime_error("expected a projection in metres, or \"auto\"; " + system_name(system) + " has " +
                               (map.degrees ? "degrees" : "another unit"));
    }
    place.system = system;
    place.given = true;
  } catch (std::runtime_error const& error) {
    // Faults of files keep their own exit code.
    if (dynamic_cast<CaseError const*>(&error) != nullptr || dynamic_cast<FileError const*>(&error) != nullptr) throw;
    CaseProblem problem = input.problem(system_key, error.what());
    // The value once: some messages quote it.
    if (problem.expected.find('"' + text + '"') != std::string::npos) problem.value.clear();
    problems.push_back(std::move(problem));
  }
  return place;
}

void locate(DomainPlace& place, UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems,
            std::vector<std::string>& warnings) {
  if (!place.given) return;
  try {
    MapPlace const middle = map_place(
        place.system, {grid.origin()[0] + 0.5 * grid.nx() * grid.dx(), grid.origin()[1] + 0.5 * grid.ny() * grid.dy()});
    place.north = middle.north;
    // Maps of the poles may have any direction of north.
    constexpr double most_north = 90, polar_latitude = 60;
    if (std::abs(middle.north) > most_north && std::abs(middle.latitude) < polar_latitude) {
      problems.push_back(input.problem(
          system_key, app::formatted("grid north of %s is %.0f degrees from true north at the domain, which is at "
                                     "longitude %.4g and latitude %.4g; give another system, such as \"auto\"",
                                     system_name(place.system).c_str(), std::abs(middle.north), middle.longitude,
                                     middle.latitude)));
      return;
    }
    double const error = scale_error(middle);
    if (!(error > scale_slack)) return;
    std::string const text = app::formatted("lengths in %s are %.4g times those on the ground at the domain; ",
                                            system_name(place.system).c_str(), middle.scale) +
                             "give another system, such as \"auto\"";
    if (error > most_scale_error) problems.push_back(input.problem(system_key, text));
    else warnings.push_back(text);
  } catch (std::runtime_error const& error) {
    problems.push_back(input.problem(
        "/domain/origin", std::string(error.what()) + "; expected a position in the coordinates of /domain/crs"));
  }
}

double scale_error(MapPlace const& place) {
  return std::max(std::abs(place.scale - 1), std::abs(place.least_scale - 1));
}

std::string place_text(DomainPlace const& place, bool turns_readings) {
  if (place.empty()) return {};
  std::string result = "map " + system_name(place.system);
  if (!place.given) return result;
  double const degrees = std::abs(place.north);
  if (degrees < 0.05) return result + ", grid north is true north";
  result += app::formatted(", grid north is %.2f degrees %s of true north", degrees, place.north > 0 ? "east" : "west");
  return turns_readings ? result + "; readings of sensors are turned by it" : result;
}

std::string system_name(std::string const& system) {
  try {
    MapSystem const map = describe_map_system(system);
    return map.name + (map.code.empty() ? "" : " (" + map.code + ')');
  } catch (std::runtime_error const&) {
    return system;
  }
}

}  // namespace karman::wind
