// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_file.hpp"

#include "check_buildings.hpp"
#include "plan_geometry.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/geojson.hpp>
#include <karman/io/vector_layer.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <utility>

namespace karman::wind {
namespace {

constexpr double most_latitude = 89;  // degrees; the projection ends at the poles
constexpr double tallest = 1e5;       // metres, as in the schema

/// The box around all positions of a file.
struct PlanBounds {
  Point low{1e300, 1e300};
  Point high{-1e300, -1e300};
};

PlanBounds box_of(std::vector<GeoFeature> const& features) {
  PlanBounds box;
  for (GeoFeature const& feature : features) {
    for (GeoPolygon const& polygon : feature.polygons) {
      for (Ring const& ring : polygon.rings) {
        for (Point const& corner : ring) {
          for (std::size_t axis = 0; axis < 2; ++axis) {
            box.low[axis] = std::min(box.low[axis], corner[axis]);
            box.high[axis] = std::max(box.high[axis], corner[axis]);
          }
        }
      }
    }
  }
  return box;
}

class CityReader {
 public:
  CityReader(Case const& input, std::size_t entry, UniformGrid const& grid, std::vector<Building>& buildings,
             std::vector<CaseProblem>& problems)
      : input_(input),
        at_(entry_pointer(entry)),
        entry_(entry),
        grid_(grid),
        buildings_(buildings),
        problems_(problems),
        file_(file_of_case(input, at_ + "/file")),
        may_overlap_(input.get<std::string>(at_ + "/overlaps") == "merge"),
        skips_outside_(input.get<std::string>(at_ + "/outside") == "skip") {}

  void read(std::vector<std::string>& warnings) {
    VectorLayer const layer = read_layer();
    attributes_ = layer.attributes;
    if (!agrees_with(layer) || !set_projection(box_of(layer.features))) return;
    for (GeoFeature const& feature : layer.features) {
      if (refused_ >= CaseError::max_reported) break;
      read_feature(feature);
    }
    if (skipped_ > 0) {
      warnings.push_back(file_.filename().string() + ": " + std::to_string(skipped_) +
                         (skipped_ == 1 ? " building" : " buildings") +
                         " left out, partly or wholly outside the domain");
    }
  }

 private:
  VectorLayer read_layer() const {
    if (input_.get<std::string>(at_ + "/kind") == "shapefile")
      return read_vector_layer(file_, {.layer = input_.get<std::string>(at_ + "/layer")});
    VectorLayer layer;
    layer.features = read_geojson(file_);
    return layer;
  }

  /// False with a problem where the file itself names the other unit.
  bool agrees_with(VectorLayer const& layer) {
    bool const in_metres = input_.get<std::string>(at_ + "/coordinates") == "metres";
    if (layer.unit == MapUnit::unknown || in_metres == (layer.unit == MapUnit::metres)) return true;
    refuse("/coordinates",
           in_metres ? "expected degrees: " + file_.filename().string() + " has longitudes and latitudes"
                     : "expected metres: " + file_.filename().string() + " has a projected coordinate system");
    return false;
  }

  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem(at_ + key, why));
    ++refused_;
  }

  std::string name(GeoFeature const& feature) const {
    return "feature " + std::to_string(feature.number) + " of " + file_.filename().string();
  }

  /// Sets origin and scale; false with a problem for coordinates of the other kind.
  bool set_projection(PlanBounds const& box) {
    bool const given = input_.has(at_ + "/origin");
    if (given) origin_ = input_.get<std::array<double, 2>>(at_ + "/origin");
    bool const empty = box.low[0] > box.high[0];
    bool const could_be_degrees =
        box.low[0] >= -180 && box.high[0] <= 180 && box.low[1] >= -most_latitude && box.high[1] <= most_latitude;
    if (input_.get<std::string>(at_ + "/coordinates") == "metres") {
      double const extent = std::max(box.high[0] - box.low[0], box.high[1] - box.low[1]);
      double const cell = std::min(grid_.dx(), grid_.dy());
      if (empty || !could_be_degrees || extent >= cell) return true;
      refuse("/coordinates", "expected degrees: all buildings of " + file_.filename().string() + " lie within " +
                                 number(extent) + " m, less than a cell");
      return false;
    }
    if (!empty && !could_be_degrees) {
      refuse("/coordinates", "expected metres: positions of " + file_.filename().string() +
                                 " are no longitudes of -180 to 180 and latitudes of -89 to 89");
      return false;
    }
    if (!given && !empty) origin_ = {0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1])};
    if (std::abs(origin_[0]) > 180 || std::abs(origin_[1]) > most_latitude) {
      refuse("/origin", "expected a longitude of -180 to 180 and a latitude of -89 to 89");
      return false;
    }
    scale_ = metres_per_degree(origin_[1]);
    return true;
  }

  Ring projected(Ring const& ring) const {
    Ring result;
    for (Point const& corner : ring) {
      result.push_back({(corner[0] - origin_[0]) * scale_[0] - grid_.origin()[0],
                        (corner[1] - origin_[1]) * scale_[1] - grid_.origin()[1]});
    }
    return without_repeats(std::move(result));
  }

  /// A number of the case, or a property of the feature. Empty with a problem.
  std::optional<double> value_of(std::string const& key, GeoFeature const& feature) {
    nlohmann::json const& given = input_.json().at("buildings").at(entry_).at(key);
    double value = 0;
    if (given.is_number()) {
      value = given.get<double>();
    } else {
      auto const property = feature.numbers.find(given.get<std::string>());
      if (property == feature.numbers.end()) {
        refuse('/' + key, "expected a property of every feature that is a number; " + name(feature) +
                              " has none of this name" + (attributes_.empty() ? "" : "; its layer has " + attributes_));
        return std::nullopt;
      }
      value = property->second;
    }
    bool const is_height = key == "height";
    if (!(is_height ? value > 0 : value >= 0) || value > tallest) {
      refuse('/' + key, "expected a number " + std::string(is_height ? "> 0" : ">= 0") + " and <= " + number(tallest) +
                            "; " + name(feature) + " has " + number(value));
      return std::nullopt;
    }
    return value;
  }

  void read_feature(GeoFeature const& feature) {
    if (feature.polygons.empty()) return;
    std::optional<double> const height = value_of("height", feature);
    if (!height) return;
    std::optional<double> const base = value_of("base", feature);
    if (!base) return;
    for (GeoPolygon const& polygon : feature.polygons) {
      std::vector<Ring> rings;
      for (Ring const& ring : polygon.rings) rings.push_back(projected(ring));
      Ring outer = std::move(rings.front());
      rings.erase(rings.begin());
      Point const shown{grid_.origin()[0], grid_.origin()[1]};
      if (std::string const fault = footprint_fault(outer, rings, shown); !fault.empty()) {
        refuse("", name(feature) + ": " + fault);
        return;
      }
      Building building = prism(std::move(outer), std::move(rings));
      building.height = *height;
      building.base = *base;
      building.entry = entry_;
      building.member = feature.number;
      building.may_overlap = may_overlap_;
      if (skips_outside_ && reaches_outside(building)) {
        ++skipped_;
        continue;
      }
      if (buildings_.size() == most_buildings) {
        throw input_.error(at_,
                           "expected at most " + std::to_string(most_buildings) + " blocks in all entries together");
      }
      buildings_.push_back(std::move(building));
    }
  }

  /// In plan; a roof above the domain remains an error.
  bool reaches_outside(Building building) const {
    building.height = building.base = 0;
    return !outside(building, grid_).empty();
  }

  Case const& input_;
  std::string at_;
  std::size_t entry_;
  UniformGrid const& grid_;
  std::vector<Building>& buildings_;
  std::vector<CaseProblem>& problems_;
  std::filesystem::path file_;
  std::string attributes_;  ///< of a shapefile
  bool may_overlap_;
  bool skips_outside_;
  std::array<double, 2> origin_{0, 0};
  std::array<double, 2> scale_{1, 1};  ///< metres per unit of the file
  std::size_t skipped_ = 0;
  std::size_t refused_ = 0;
};

}  // namespace

std::array<double, 2> metres_per_degree(double latitude) {
  constexpr double equator = 6378137;                // semi-major axis, metres
  constexpr double eccentricity = 0.00669437999014;  // squared
  double const phi = latitude * std::numbers::pi / 180;
  double const q = 1 - eccentricity * std::sin(phi) * std::sin(phi);
  double const degree = std::numbers::pi / 180;
  return {equator / std::sqrt(q) * std::cos(phi) * degree, equator * (1 - eccentricity) / (q * std::sqrt(q)) * degree};
}

void read_city_file(Case const& input, std::size_t entry, UniformGrid const& grid, std::vector<Building>& buildings,
                    std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
  CityReader(input, entry, grid, buildings, problems).read(warnings);
}

}  // namespace karman::wind
