// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file_placement.hpp"

#include "common/case/texts.hpp"
#include "metres_per_degree.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace karman::wind {
namespace {

using app::formatted;

/// Of the case: its grid is one cell while a domain around the buildings is sought.
double smallest_spacing(Case const& input) {
  auto const spacing = input.get<std::array<double, 2>>("/domain/spacing");
  return std::min(spacing[0], spacing[1]);
}

double within_half_turn(double longitude) { return longitude - 360 * std::floor((longitude + 180) / 360); }

}  // namespace

FilePlacement::FilePlacement(Case const& input, std::string at, std::string file, UniformGrid const& grid,
                             CityLayer const& city, DomainPlace& place)
    : at_(std::move(at)),
      file_(std::move(file)),
      grid_(grid),
      degrees_(input.get<std::string>(at_ + "/coordinates") == "degrees"),
      origin_given_(input.has(at_ + "/origin")),
      cell_(smallest_spacing(input)),
      box_(city.box()) {
  VectorLayer const& layer = city.file();
  if (origin_given_) origin_ = input.get<Point>(at_ + "/origin");
  try {
    if (city.beyond_degrees()) {
      refuse_beyond_degrees(*city.beyond_degrees(), !layer.system.empty());
    } else if (place.given) {
      place_in_system(layer, place);
    } else if (layer.unit != MapUnit::unknown && degrees_ != (layer.unit == MapUnit::degrees)) {
      refuse("/coordinates", degrees_ ? "expected metres: " + file_ + " has a projected coordinate system"
                                      : "expected degrees: " + file_ + " has longitudes and latitudes");
    } else if (degrees_) {
      place_degrees(layer, place);
    } else {
      place_metres(layer, place);
    }
  } catch (std::runtime_error const& error) {
    refuse("/file", file_ + ": " + error.what());
  }
}

Point FilePlacement::operator()(Point const& position) const {
  if (transform_) return (*transform_)(position);
  return {(position[0] - origin_[0]) * metres_per_unit_[0] + place_of_origin_[0],
          (position[1] - origin_[1]) * metres_per_unit_[1] + place_of_origin_[1]};
}

std::string FilePlacement::outside_of_map(CityLayer const& city, std::uint32_t polygon) const {
  for (Ring const& ring : city.rings_of(polygon, [](Point const& corner) { return corner; })) {
    for (Point const& corner : ring) {
      Point const found = (*this)(corner);
      if (std::isfinite(found[0]) && std::isfinite(found[1])) continue;
      return formatted("its corner (%.9g, %.9g) is outside of ", corner[0], corner[1]) +
             (target_.empty() ? std::string("every map") : system_name(target_));
    }
  }
  return {};
}

void FilePlacement::transform_to(std::string const& from, std::string const& to) {
  transform_.emplace(from, to);
  target_ = to;
}

void FilePlacement::refuse_beyond_degrees(FeatureCorner const& beyond, bool named) {
  PlanBounds exchanged;
  exchanged.include({beyond.corner[1], beyond.corner[0]});
  refuse("/coordinates", (named ? "expected longitudes of -180 to 180 and latitudes of -89 to 89 in " + file_
                                : "expected metres: positions of " + file_ +
                                      " are no longitudes of -180 to 180 and latitudes of -89 to 89") +
                             formatted("; feature %u has a corner at (%.9g, %.9g)", beyond.feature, beyond.corner[0],
                                       beyond.corner[1]) +
                             (could_be_degrees(exchanged) ? "; the longitude is the first" : ""));
}

Point FilePlacement::middle_of_domain() const {
  return {grid_.origin()[0] + 0.5 * grid_.nx() * grid_.dx(), grid_.origin()[1] + 0.5 * grid_.ny() * grid_.dy()};
}

void FilePlacement::place_in_system(VectorLayer const& layer, DomainPlace const& place) {
  in_system_ = true;
  if (origin_given_) {
    refuse("/origin", "expected none with /domain/crs, in whose coordinates /domain/origin is");
    return;
  }
  std::string const system = layer.system.empty() && degrees_ ? "OGC:CRS84" : layer.system;
  if (system.empty()) {
    if (refuse_degrees()) return;
    remarks_.push_back(file_ + " names no coordinate system: its positions count as positions in /domain/crs");
    return;
  }
  if (system != place.system) transform_to(system, place.system);
}

void FilePlacement::place_degrees(VectorLayer const& layer, DomainPlace& place) {
  if (origin_given_ && (std::abs(origin_[0]) > 180 || std::abs(origin_[1]) > most_latitude)) {
    refuse("/origin", "expected a longitude of -180 to 180 and a latitude of -89 to 89");
    return;
  }
  if (!origin_given_ && !box_.empty()) {
    origin_ = box_.middle();
    place_of_origin_ = middle_of_domain();
  } else if (!box_.empty()) {
    // An origin on the other side of the meridian of 180 degrees is near.
    origin_[0] += 360 * std::round((box_.middle()[0] - origin_[0]) / 360);
  }
  metres_per_unit_ = metres_per_degree(origin_[1]);
  if (!place.empty() || box_.empty() || !built_with_proj()) return;
  // Others may be off by 100 m from WGS 84.
  constexpr std::array near_wgs84{"CRS84", ":4326", ":4258", ":4269"};
  bool const is_near = layer.system.empty() || std::any_of(near_wgs84.begin(), near_wgs84.end(), [&](char const* end) {
                         return layer.system.ends_with(end);
                       });
  if (is_near) {
    place.system =
        equirectangular_system({within_half_turn(origin_[0]), origin_[1]}, metres_per_unit_, place_of_origin_);
  }
}

bool FilePlacement::refuse_degrees() {
  double const extent = std::max(box_.high[0] - box_.low[0], box_.high[1] - box_.low[1]);
  if (!could_be_degrees(box_) || extent >= cell_) return false;
  refuse("/coordinates",
         "expected degrees: all of " + file_ + " lies within " + number(extent) + " m, less than a cell");
  return true;
}

void FilePlacement::place_metres(VectorLayer const& layer, DomainPlace& place) {
  if (refuse_degrees()) return;
  metres_per_unit_ = {layer.metres_per_unit, layer.metres_per_unit};
  if (layer.system.empty() || box_.empty()) return;
  if (built_with_proj()) {
    place_projection(layer, place);
  } else if (layer.unit == MapUnit::unknown) {
    remarks_.push_back(file_ + " names the coordinate system " + layer.system +
                       ": without PROJ its positions count as metres (Debian: libproj-dev, -DKARMAN_PROJ=ON)");
  }
}

void FilePlacement::place_projection(VectorLayer const& layer, DomainPlace& place) {
  MapPlace const middle = map_place(layer.system, box_.middle());
  double const error = scale_error(middle);
  if (error > scale_slack && origin_given_) {
    auto const origin = MapTransform(layer.system, "OGC:CRS84")(origin_);
    if (!std::isfinite(origin[0])) {
      refuse("/origin", "expected a position in " + system_name(layer.system) + ", found one outside");
      return;
    }
    std::string const local = local_system(origin[0], origin[1]);
    transform_to(layer.system, local);
    remarks_.push_back(
        formatted("lengths in %s, the coordinate system of %s, are %.4g times those on the ground: its "
                  "positions are projected about /origin",
                  system_name(layer.system).c_str(), file_.c_str(), middle.scale));
    if (place.empty()) place.system = local;
    return;
  }
  std::string const text = formatted(
                               "lengths in %s, the coordinate system of %s, are %.4g times those on the ground; "
                               "give \"crs\": \"auto\" in /domain, or the position of (0, 0) as ",
                               system_name(layer.system).c_str(), file_.c_str(), middle.scale) +
                           at_ + "/origin";
  if (error > most_scale_error) {
    refuse("/file", text);
    return;
  }
  if (error > scale_slack) remarks_.push_back(text);
  if (!place.empty()) return;
  bool const same = origin_ == Point{0, 0} && layer.metres_per_unit == 1;
  place.system = same ? layer.system : shifted_system(layer.system, origin_);
}

std::string FilePlacement::box_and_origin() const {
  std::string result = "the file reaches from " + formatted("(%.9g, %.9g)", box_.low[0], box_.low[1]) + " to " +
                       formatted("(%.9g, %.9g)", box_.high[0], box_.high[1]);
  Point const center = middle_of_domain();
  Point const middle = (*this)(box_.middle());
  if (in_system_) {
    return result + "; its middle is that of the domain with /domain/origin " +
           formatted("[%.9g, %.9g], or give \"around\": \"buildings\" there",
                     std::round(middle[0] - center[0] + grid_.origin()[0]),
                     std::round(middle[1] - center[1] + grid_.origin()[1]));
  }
  if (transform_) return result;
  Point fitting = box_.middle();
  // Degrees have their length at the latitude of the fitting origin, whatever the given one is.
  constexpr int most_passes = 3;
  for (int pass = 0; pass < most_passes; ++pass) {
    auto const length = degrees_ ? metres_per_degree(fitting[1]) : metres_per_unit_;
    for (std::size_t axis = 0; axis < 2; ++axis) fitting[axis] = box_.middle()[axis] - center[axis] / length[axis];
  }
  if (degrees_) fitting[0] = within_half_turn(fitting[0]);
  else fitting = {std::round(fitting[0]), std::round(fitting[1])};
  return result + "; its middle is that of the domain with " + at_ +
         formatted("/origin [%.9g, %.9g]", fitting[0], fitting[1]);
}

bool lies_outside_of_files(Case const& input, CityLayers& files, UniformGrid const& grid, DomainPlace const& place) {
  Point const low{grid.origin()[0], grid.origin()[1]};
  Point const high{low[0] + grid.nx() * grid.dx(), low[1] + grid.ny() * grid.dy()};
  bool has_file = false;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    if (!CityLayers::is_file(input, entry)) continue;
    std::string const at = entry_pointer(entry);
    CityLayer const& layer = files.of(input, entry);
    PlanBounds const& box = layer.box();
    if (box.empty()) continue;
    DomainPlace copy = place;
    FilePlacement const placement(input, at, at, grid, layer, copy);
    if (placement.fault()) return false;
    PlanBounds placed;
    for (double const x : {box.low[0], box.high[0]}) {
      for (double const y : {box.low[1], box.high[1]}) placed.include(placement({x, y}));
    }
    bool const apart = placed.empty() || placed.high[0] < low[0] || placed.low[0] > high[0] ||
                       placed.high[1] < low[1] || placed.low[1] > high[1];
    if (!apart) return false;
    has_file = true;
  }
  return has_file;
}

}  // namespace karman::wind
