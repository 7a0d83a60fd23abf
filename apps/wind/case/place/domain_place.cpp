// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_place.hpp"

#include "city_layers.hpp"
#include "common/case/texts.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/map_system.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace karman::wind {
namespace {

constexpr char const* system_key = "/domain/crs";

/// The zone of UTM with the middle of the first file of buildings that has a system or degrees.
std::string system_of_buildings(Case const& input, CityLayers& layers) {
  std::string hint;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    if (!CityLayers::is_file(input, entry)) continue;
    VectorLayer const& layer = layers.of(input, entry);
    bool const degrees = input.get<std::string>(entry_pointer(entry) + "/coordinates") == "degrees";
    std::string const system = layer.system.empty() && degrees ? "OGC:CRS84" : layer.system;
    PlanBounds const box = bounds_of(layer.features);
    if (hint.empty() && system.empty() && could_be_degrees(box)) {
      hint = ", or \"coordinates\": \"degrees\" in " + entry_pointer(entry) +
             ", whose positions may be longitudes and latitudes";
    }
    if (system.empty() || box.empty()) continue;
    auto const middle = MapTransform(system, "OGC:CRS84")(box.middle());
    if (!std::isfinite(middle[0])) throw std::runtime_error("the buildings are outside of " + system_name(system));
    return utm_system(middle[0], middle[1]);
  }
  throw std::runtime_error(
      "expected a file of buildings with a coordinate system or degrees, found none; give a system such as EPSG:25832" +
      hint);
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

DomainPlace read_place(Case const& input, CityLayers& layers, std::vector<CaseProblem>& problems) {
  DomainPlace place;
  if (!input.has(system_key)) return place;
  auto const text = input.get<std::string>(system_key);
  try {
    check_spelling(text);
    std::string const system = text == "auto" ? system_of_buildings(input, layers) : text;
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
    double const error = std::max(std::abs(middle.scale - 1), std::abs(middle.least_scale - 1));
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
