// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "city_file.hpp"

#include "check_buildings.hpp"
#include "feature_length.hpp"
#include "plan_geometry.hpp"
#include "read_buildings.hpp"
#include "surface_heights.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/place/file_placement.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/vector_layer.hpp>

#include <filesystem>
#include <optional>
#include <utility>

namespace karman::wind {
namespace {

class CityReader {
 public:
  CityReader(Case const& input, std::size_t entry, UniformGrid const& grid, VectorLayer const& layer,
             DomainPlace& place, std::vector<Building>& buildings, std::vector<CaseProblem>& problems)
      : input_(input),
        at_(entry_pointer(entry)),
        entry_(entry),
        grid_(grid),
        buildings_(buildings),
        problems_(problems),
        layer_(layer),
        file_(file_of_case(input, at_ + "/file")),
        placement_(input, at_, file_.filename().string(), grid, layer, place),
        may_overlap_(input.get<std::string>(at_ + "/overlaps") == "merge"),
        skips_outside_(input.get<std::string>(at_ + "/outside") == "skip"),
        skips_small_(input.get<std::string>(at_ + "/small") != "error"),
        of_raster_(has_surface_heights(input, entry)),
        height_(input, at_ + "/height", FeatureLength::Range::positive),
        base_(input, at_ + "/base", FeatureLength::Range::not_negative) {
    if (input.has(at_ + "/levels"))
      height_.set_storeys(input.get<std::string>(at_ + "/levels"), input.get<double>(at_ + "/level_height"));
    if (input.has(at_ + "/default_height")) height_.set_default(input.get<double>(at_ + "/default_height"));
  }

  void read(std::vector<std::string>& warnings) {
    if (auto const& fault = placement_.fault()) {
      refuse(fault->first, fault->second);
      return;
    }
    warnings.insert(warnings.end(), placement_.remarks().begin(), placement_.remarks().end());
    for (GeoFeature const& feature : layer_.features) {
      if (refused_ >= CaseError::max_reported) break;
      read_feature(feature);
    }
    for (auto const& [key, length] : {std::pair{"/height", &height_}, std::pair{"/base", &base_}}) {
      std::size_t const before = refused_;
      if (std::string const fault = length->fault(file_, layer_.attributes); !fault.empty()) refuse(key, fault);
      if (std::string const fault = length->fault_of_storeys(file_, layer_.attributes); !fault.empty())
        refuse("/levels", fault);
      if (refused_ > before) continue;
      for (std::string const& remark : length->remarks(name_of_file(), layer_.attributes)) warnings.push_back(remark);
    }
    if (std::size_t const others = layer_.other_geometries; others > 0) {
      warnings.push_back(name_of_file() + ": " + std::to_string(others) +
                         (others == 1 ? " feature that is no polygon left out, a "
                                      : " features that are no polygons left out, first a ") +
                         layer_.first_other);
    }
    if (flat_ > 0) warnings.push_back(name_of_file() + ": " + counted(flat_) + " without area left out");
    report_outside(warnings);
  }

 private:
  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem(at_ + key, why));
    if (key == "/height" && !input_.has(at_ + key)) problems_.back().value = std::string("\"") + usual_height + '"';
    ++refused_;
  }

  std::string name_of_file() const { return file_.filename().string(); }

  static std::string counted(std::size_t buildings) {
    return std::to_string(buildings) + (buildings == 1 ? " building" : " buildings");
  }

  std::string name(GeoFeature const& feature) const {
    return "feature " + std::to_string(feature.number) + " of " + name_of_file();
  }

  void report_outside(std::vector<std::string>& warnings) {
    if (outside_ == 0) return;
    if (!skips_outside_) {
      refuse("", first_outside_ + (outside_ > 1 ? " (and " + std::to_string(outside_ - 1) + " more)" : "") + "; " +
                     placement_.box_and_origin());
    } else if (kept_ == 0) {
      bool const one = outside_ == 1;
      refuse("/outside", "expected buildings in the domain; " +
                             (one ? "the only building" : "all " + counted(outside_)) + " of " + name_of_file() +
                             (one ? " reaches" : " reach") + " outside; " + placement_.box_and_origin());
    } else {
      warnings.push_back(name_of_file() + ": " + counted(outside_) + " left out, partly or wholly outside the domain");
    }
  }

  Ring projected(Ring const& ring) const {
    Ring result;
    for (Point const& corner : ring) {
      Point const place = placement_(corner);
      result.push_back({place[0] - grid_.origin()[0], place[1] - grid_.origin()[1]});
    }
    return without_repeats(std::move(result));
  }

  void read_feature(GeoFeature const& feature) {
    if (feature.polygons.empty()) return;
    // Heights of a raster come when all outlines are known.
    std::optional<double> const height = of_raster_ ? 1.0 : height_.of(feature), base = base_.of(feature);
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
  VectorLayer const& layer_;
  std::filesystem::path file_;
  FilePlacement placement_;
  bool may_overlap_;
  bool skips_outside_;
  bool skips_small_;
  bool of_raster_;
  FeatureLength height_;
  FeatureLength base_;
  std::size_t kept_ = 0;
  std::size_t flat_ = 0;     ///< without area
  std::size_t outside_ = 0;  ///< partly or wholly outside
  std::string first_outside_;
  std::size_t refused_ = 0;
};

}  // namespace

void read_city_file(Case const& input, std::size_t entry, UniformGrid const& grid, CityLayers& layers,
                    DomainPlace& place, std::vector<Building>& buildings, std::vector<CaseProblem>& problems,
                    std::vector<std::string>& warnings) {
  CityReader(input, entry, grid, layers.of(input, entry), place, buildings, problems).read(warnings);
}

}  // namespace karman::wind
