// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plant_file.hpp"

#include "buildings_along_x.hpp"
#include "read_vegetation.hpp"
#include "wind/case/buildings/check_buildings.hpp"
#include "wind/case/buildings/plan_geometry.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/place/city_layers.hpp"
#include "wind/case/place/file_placement.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>
#include <karman/io/vector_layer.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

namespace karman::wind {
namespace {

std::string counted(std::size_t plants) { return std::to_string(plants) + (plants == 1 ? " plant" : " plants"); }

class PlantFileReader {
 public:
  PlantFileReader(Case const& input, std::size_t entry, UniformGrid const& grid, CityLayer const& layer,
                  DomainPlace& place, std::vector<Plant>& plants, std::vector<CaseProblem>& problems)
      : input_(input),
        at_(plant_pointer(entry)),
        entry_(static_cast<std::uint32_t>(entry)),
        grid_(grid),
        plants_(plants),
        problems_(problems),
        layer_(layer),
        file_(file_of_case(input, at_ + "/file")),
        has_map_(place.given),
        placement_(input, at_, name_of_file(), grid, layer, place),
        outside_rule_(get("/outside")) {}

  void read(std::vector<std::string>& warnings) {
    if (!read_kind()) return;
    if (get("/coordinates") == "degrees" && !has_map_ && !input_.has(at_ + "/origin")) {
      problems_.push_back(input_.problem(
          at_ + "/coordinates",
          "expected an origin of " + name_of_file() + ", the one of the buildings, or /domain/crs; found neither"));
      return;
    }
    if (auto const& fault = placement_.fault()) {
      refuse(fault->first, fault->second);
      return;
    }
    warnings.insert(warnings.end(), placement_.remarks().begin(), placement_.remarks().end());
    layer_.for_each_feature([this](CityLayer::Feature const& feature, std::array<std::uint32_t, 2> const& polygons) {
      if (refused_ >= CaseError::max_reported) return false;
      read_feature(feature, polygons);
      return true;
    });
    VectorLayer const& layer = layer_.file();
    for (auto const& [key, length] : {std::pair{"/height", &layer_.height()}, std::pair{"/base", &layer_.base()}}) {
      if (std::string const fault = length->fault(file_, layer.attributes); !fault.empty()) {
        refuse(key, fault);
        continue;
      }
      for (std::string const& remark : length->remarks(name_of_file(), layer.attributes)) warnings.push_back(remark);
    }
    if (bare_ > 0) {
      refuse("/base", "expected less than the height of each plant; feature " + std::to_string(first_bare_) + " of " +
                          name_of_file() + " has no leaves between them" +
                          (bare_ > 1 ? " (and " + std::to_string(bare_ - 1) + " more)" : ""));
    }
    if (std::size_t const others = layer.other_geometries; others > 0) {
      warnings.push_back(name_of_file() + ": " + std::to_string(others) +
                         (others == 1 ? " feature that is no polygon left out, a "
                                      : " features that are no polygons left out, first a ") +
                         layer.first_other);
    }
    if (flat_ > 0) warnings.push_back(name_of_file() + ": " + counted(flat_) + " without area left out");
    report_outside(warnings);
    if (kept_ + outside_ == 0 && refused_ == 0)
      refuse("/file",
             "expected plants, found none" + (flat_ > 0 ? " with an area" : std::string()) + " in " + name_of_file());
  }

 private:
  std::string get(char const* key) const { return input_.get<std::string>(at_ + key); }
  std::string name_of_file() const { return file_.filename().string(); }

  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem(at_ + key, why));
    ++refused_;
  }

  /// Kind and constants of all plants; false with a problem.
  bool read_kind() {
    std::string const plant = get("/plant");
    bool const porous = plant == "windbreak";
    pattern_.kind = porous ? PlantKind::windbreak : plant == "tree" ? PlantKind::tree : PlantKind::canopy;
    std::string const needed = porous ? "/porosity" : "/attenuation", other = porous ? "/attenuation" : "/porosity";
    if (!input_.has(at_ + needed)) refuse(needed, "missing, expected a number for the plant \"" + plant + '"');
    if (input_.has(at_ + other)) refuse(other, "expected none for the plant \"" + plant + '"');
    if (plant == "canopy" && has_base())
      refuse("/base", "expected 0 for the plant \"canopy\", which begins at the ground");
    if (refused_ > 0) return false;
    (porous ? pattern_.porosity : pattern_.attenuation) = input_.get<double>(at_ + needed);
    return true;
  }

  bool has_base() const {
    auto const& base = input_.json().at("vegetation").at(entry_).at("base");
    return !base.is_number() || base.get<double>() != 0;
  }

  void report_outside(std::vector<std::string>& warnings) {
    if (outside_ == 0) return;
    if (outside_rule_ == "error" || kept_ == 0) {
      refuse("/outside", "expected plants in the domain; " + counted(outside_) + " of " + name_of_file() +
                             (outside_ == 1 ? " reaches" : " reach") + " outside; " + placement_.box_and_origin());
      return;
    }
    warnings.push_back(name_of_file() + ": " + counted(outside_) + " left out, " +
                       (outside_rule_ == "cut" ? "" : "partly or ") + "wholly outside the domain");
  }

  Point projected(Point const& corner) const {
    Point const place = placement_(corner);
    return {place[0] - grid_.origin()[0], place[1] - grid_.origin()[1]};
  }

  /// True for a plant that the rule of the entry leaves out or refuses.
  bool is_outside(Building shape) const {
    if (outside_rule_ != "cut") {
      shape.height = shape.base = 0;  // a top above the domain is the matter of another check
      return !outside(shape, grid_).empty();
    }
    auto const [ex, ey] = shape.half_extents();
    return shape.x + ex <= 0 || shape.x - ex >= grid_.nx() * grid_.dx() || shape.y + ey <= 0 ||
           shape.y - ey >= grid_.ny() * grid_.dy();
  }

  void read_feature(CityLayer::Feature const& feature, std::array<std::uint32_t, 2> const& polygons) {
    if (std::isnan(feature.height) || std::isnan(feature.base)) return;
    if (!(feature.base < feature.height)) {
      if (bare_++ == 0) first_bare_ = feature.number;
      return;
    }
    for (std::uint32_t n = polygons[0]; n < polygons[1]; ++n) {
      std::vector<Ring> rings = layer_.rings_of(n, [this](Point const& corner) { return projected(corner); });
      if (!all_finite(rings)) {
        refuse("", "feature " + std::to_string(feature.number) + " of " + name_of_file() + ": " +
                       placement_.outside_of_map(layer_, n));
        return;
      }
      for (Ring& ring : rings) ring = without_repeats(std::move(ring));
      Ring outer = std::move(rings.front());
      rings.erase(rings.begin());
      if (!has_area(outer)) {
        ++flat_;
        continue;
      }
      std::erase_if(rings, [](Ring const& hole) { return !has_area(hole); });
      if (std::string const fault = footprint_fault(outer, rings, {grid_.origin()[0], grid_.origin()[1]});
          !fault.empty()) {
        refuse("", "feature " + std::to_string(feature.number) + " of " + name_of_file() + ": " + fault);
        return;
      }
      Plant plant = pattern_;
      plant.shape = prism(std::move(outer), std::move(rings));
      plant.shape.base = feature.base;
      plant.shape.height = feature.height - feature.base;
      plant.shape.entry = entry_;
      plant.shape.member = feature.number;
      plant.may_reach_out = outside_rule_ == "cut";
      if (is_outside(plant.shape)) {
        ++outside_;
        continue;
      }
      ++kept_;
      if (plants_.size() == most_plants)
        throw input_.error(at_, "expected at most " + std::to_string(most_plants) + " plants in all entries together");
      plants_.push_back(std::move(plant));
    }
  }

  Case const& input_;
  std::string at_;
  std::uint32_t entry_;
  UniformGrid const& grid_;
  std::vector<Plant>& plants_;
  std::vector<CaseProblem>& problems_;
  CityLayer const& layer_;
  std::filesystem::path file_;
  bool has_map_;
  FilePlacement placement_;
  std::string outside_rule_;
  Plant pattern_;
  std::size_t kept_ = 0;
  std::size_t flat_ = 0;     ///< without area
  std::size_t outside_ = 0;  ///< by the rule of the entry
  std::size_t bare_ = 0;     ///< with an underside above the top
  std::size_t first_bare_ = 0;
  std::size_t refused_ = 0;
};

/// Plants of one file that are left out.
struct LeftOut {
  std::size_t plants = 0;  ///< of the file, before
  std::size_t small = 0;
  double area = 0;              ///< of these
  std::size_t first_small = 0;  ///< number of the feature of the first
  std::size_t in_buildings = 0;
};

}  // namespace

void read_plant_file(Case const& input, std::size_t entry, UniformGrid const& grid, CityLayers& layers,
                     DomainPlace& place, std::vector<Plant>& plants, std::vector<CaseProblem>& problems,
                     std::vector<std::string>& warnings) {
  CityLayer const& layer = layers.of(input, plant_pointer(entry));
  PlantFileReader(input, entry, grid, layer, place, plants, problems).read(warnings);
}

void take_small_plants(std::vector<Plant>& plants, std::vector<Building> const& buildings, double roughness,
                       UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems,
                       std::vector<std::string>& warnings) {
  struct Rules {
    bool small = false, overlaps = false;
  };
  std::map<std::size_t, Rules> rules;
  for (std::size_t entry = 0; entry < input.size("/vegetation"); ++entry) {
    std::string const at = plant_pointer(entry);
    if (!CityLayers::is_file(input, at)) continue;
    rules[entry] = {input.get<std::string>(at + "/small") == "skip",
                    input.get<std::string>(at + "/overlaps") == "skip"};
  }
  if (rules.empty()) return;
  BuildingsAlongX const solid(buildings);
  std::map<std::size_t, LeftOut> files;
  std::erase_if(plants, [&](Plant const& plant) {
    auto const rule = rules.find(plant.shape.entry);
    if (rule == rules.end()) return false;
    LeftOut& file = files[plant.shape.entry];
    ++file.plants;
    if (!(plant.top_height() > roughness) || !holds_a_cell_center(prism_of(plant), grid)) {
      if (file.small++ == 0) file.first_small = plant.shape.member;
      file.area += plant.shape.area();
      return true;
    }
    if (rule->second.overlaps && plant.kind == PlantKind::tree && solid.around(plant) != nullptr) {
      ++file.in_buildings;
      return true;
    }
    return false;
  });
  for (auto const& [entry, file] : files) {
    std::string const name = file_of_case(input, plant_pointer(entry) + "/file").filename().string();
    std::string const small =
        "smaller than a cell, or not higher than the roughness of the ground, " + number(roughness) + " m";
    if (file.small > 0 && !rules.at(entry).small) {
      problems.push_back(
          input.problem(plant_pointer(entry) + "/small",
                        "feature " + std::to_string(file.first_small) + " of " + name + " is " + small +
                            (file.small > 1 ? " (and " + std::to_string(file.small - 1) + " more)" : "") +
                            "; refine /domain/spacing"));
      continue;
    }
    if (file.small == file.plants) {
      problems.push_back(input.problem(plant_pointer(entry) + "/small",
                                       "all plants of " + name + " are " + small + "; refine /domain/spacing"));
      continue;
    }
    if (file.small > 0) {
      warnings.push_back(name + ": " + counted(file.small) + " left out, " + small + "; " + number(file.area) +
                         " m2 in all");
    }
    if (file.in_buildings > 0)
      warnings.push_back(name + ": " + counted(file.in_buildings) + " left out, with the middle in a building");
  }
}

}  // namespace karman::wind
