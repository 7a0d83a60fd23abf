// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_file.hpp"

#include "check_buildings.hpp"
#include "common/case/texts.hpp"
#include "feature_length.hpp"
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
        skips_outside_(input.get<std::string>(at_ + "/outside") == "skip"),
        skips_small_(input.get<std::string>(at_ + "/small") != "error"),
        height_(input, at_ + "/height", FeatureLength::Range::positive),
        base_(input, at_ + "/base", FeatureLength::Range::not_negative) {
    if (input.has(at_ + "/levels"))
      height_.set_storeys(input.get<std::string>(at_ + "/levels"), input.get<double>(at_ + "/level_height"));
    if (input.has(at_ + "/default_height")) height_.set_default(input.get<double>(at_ + "/default_height"));
  }

  void read(std::vector<std::string>& warnings) {
    VectorLayer const layer = read_layer();
    box_ = box_of(layer.features);
    if (!agrees_with(layer) || !set_projection(box_)) return;
    for (GeoFeature const& feature : layer.features) {
      if (refused_ >= CaseError::max_reported) break;
      read_feature(feature);
    }
    for (auto const& [key, length] : {std::pair{"/height", &height_}, std::pair{"/base", &base_}}) {
      if (std::string const fault = length->fault(file_, layer.attributes); !fault.empty()) refuse(key, fault);
    }
    if (flat_ > 0) warnings.push_back(name_of_file() + ": " + counted(flat_) + " without area left out");
    report_outside(warnings);
  }

 private:
  VectorLayer read_layer() const {
    if (input_.get<std::string>(at_ + "/kind") == "shapefile")
      return read_vector_layer(file_, {.layer = input_.get<std::string>(at_ + "/layer")});
    VectorLayer layer;
    GeoCollection collection = read_geojson(file_);
    layer.features = std::move(collection.features);
    layer.attributes = std::move(collection.attributes);
    return layer;
  }

  /// False with a problem where the file itself names the other unit.
  bool agrees_with(VectorLayer const& layer) {
    bool const in_metres = input_.get<std::string>(at_ + "/coordinates") == "metres";
    if (layer.unit == MapUnit::unknown || in_metres == (layer.unit == MapUnit::metres)) return true;
    refuse("/coordinates", in_metres ? "expected degrees: " + name_of_file() + " has longitudes and latitudes"
                                     : "expected metres: " + name_of_file() + " has a projected coordinate system");
    return false;
  }

  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem(at_ + key, why));
    ++refused_;
  }

  std::string name_of_file() const { return file_.filename().string(); }

  static std::string counted(std::size_t buildings) {
    return std::to_string(buildings) + (buildings == 1 ? " building" : " buildings");
  }

  std::string name(GeoFeature const& feature) const {
    return "feature " + std::to_string(feature.number) + " of " + name_of_file();
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
      refuse("/coordinates", "expected degrees: all buildings of " + name_of_file() + " lie within " + number(extent) +
                                 " m, less than a cell");
      return false;
    }
    if (!empty && !could_be_degrees) {
      refuse("/coordinates", "expected metres: positions of " + name_of_file() +
                                 " are no longitudes of -180 to 180 and latitudes of -89 to 89");
      return false;
    }
    if (!given && !empty) {
      origin_ = {0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1])};
      place_of_origin_ = middle_of_domain();
    }
    if (std::abs(origin_[0]) > 180 || std::abs(origin_[1]) > most_latitude) {
      refuse("/origin", "expected a longitude of -180 to 180 and a latitude of -89 to 89");
      return false;
    }
    scale_ = metres_per_degree(origin_[1]);
    return true;
  }

  /// Middle of the domain in the coordinates of the case.
  Point middle_of_domain() const {
    return {grid_.origin()[0] + 0.5 * grid_.nx() * grid_.dx(), grid_.origin()[1] + 0.5 * grid_.ny() * grid_.dy()};
  }

  /// Box of the file, and the origin with its middle in the middle of the domain.
  std::string box_and_origin() const {
    using app::formatted;
    Point const center = middle_of_domain();
    Point fitting{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      fitting[axis] = 0.5 * (box_.low[axis] + box_.high[axis]) - center[axis] / scale_[axis];
      if (scale_[axis] == 1) fitting[axis] = std::round(fitting[axis]);
    }
    return "the file reaches from " + formatted("(%.9g, %.9g)", box_.low[0], box_.low[1]) + " to " +
           formatted("(%.9g, %.9g)", box_.high[0], box_.high[1]) + "; its middle is that of the domain with " + at_ +
           formatted("/origin [%.9g, %.9g]", fitting[0], fitting[1]);
  }

  void report_outside(std::vector<std::string>& warnings) {
    if (outside_ == 0) return;
    if (!skips_outside_) {
      refuse("", first_outside_ + (outside_ > 1 ? " (and " + std::to_string(outside_ - 1) + " more)" : "") + "; " +
                     box_and_origin());
    } else if (kept_ == 0) {
      bool const one = outside_ == 1;
      refuse("/outside", "expected buildings in the domain; " +
                             (one ? "the only building" : "all " + counted(outside_)) + " of " + name_of_file() +
                             (one ? " reaches" : " reach") + " outside; " + box_and_origin());
    } else {
      warnings.push_back(name_of_file() + ": " + counted(outside_) + " left out, partly or wholly outside the domain");
    }
  }

  Ring projected(Ring const& ring) const {
    Ring result;
    for (Point const& corner : ring) {
      result.push_back({(corner[0] - origin_[0]) * scale_[0] + place_of_origin_[0] - grid_.origin()[0],
                        (corner[1] - origin_[1]) * scale_[1] + place_of_origin_[1] - grid_.origin()[1]});
    }
    return without_repeats(std::move(result));
  }

  void read_feature(GeoFeature const& feature) {
    if (feature.polygons.empty()) return;
    std::optional<double> const height = height_.of(feature), base = base_.of(feature);
    if (!height || !base) return;
    for (GeoPolygon const& polygon : feature.polygons) {
      std::vector<Ring> rings;
      for (Ring const& ring : polygon.rings) rings.push_back(projected(ring));
      Ring outer = std::move(rings.front());
      if (skips_small_ && !has_area(outer)) {
        ++flat_;
        continue;
      }
      rings.erase(rings.begin());
      if (skips_small_) std::erase_if(rings, [](Ring const& hole) { return !has_area(hole); });
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
      if (std::string const why = why_outside(building); !why.empty()) {
        if (outside_++ == 0)
          first_outside_ =
              "feature " + std::to_string(feature.number) + " of building " + std::to_string(entry_) + ' ' + why;
        continue;
      }
      ++kept_;
      if (buildings_.size() == most_buildings) {
        throw input_.error(at_,
                           "expected at most " + std::to_string(most_buildings) + " blocks in all entries together");
      }
      buildings_.push_back(std::move(building));
    }
  }

  /// In plan; a roof above the domain remains an error.
  std::string why_outside(Building building) const {
    building.height = building.base = 0;
    return outside(building, grid_);
  }

  Case const& input_;
  std::string at_;
  std::size_t entry_;
  UniformGrid const& grid_;
  std::vector<Building>& buildings_;
  std::vector<CaseProblem>& problems_;
  std::filesystem::path file_;
  bool may_overlap_;
  bool skips_outside_;
  bool skips_small_;
  FeatureLength height_;
  FeatureLength base_;
  PlanBounds box_;
  std::array<double, 2> origin_{0, 0};
  std::array<double, 2> place_of_origin_{0, 0};  ///< in the coordinates of the case
  std::array<double, 2> scale_{1, 1};            ///< metres per unit of the file
  std::size_t kept_ = 0;
  std::size_t flat_ = 0;     ///< without area
  std::size_t outside_ = 0;  ///< partly or wholly outside
  std::string first_outside_;
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
