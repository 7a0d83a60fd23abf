// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_vegetation.hpp"

#include "buildings_along_x.hpp"
#include "plant_file.hpp"
#include "wind/case/buildings/check_buildings.hpp"
#include "wind/case/buildings/ground_buildings.hpp"
#include "wind/case/buildings/plan_geometry.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace karman::wind {
namespace {

/// Name of a plant in messages.
std::string called(Plant const& plant, Case const& input) {
  std::string const entry = "vegetation " + std::to_string(plant.shape.entry);
  std::string const at = plant_pointer(plant.shape.entry);
  std::string const member = std::to_string(plant.shape.member) + " of ";
  if (CityLayers::is_file(input, at))
    return "feature " + member + file_of_case(input, at + "/file").filename().string();
  return input.get<std::string>(at + "/kind") == "trees" ? "tree " + member + entry : entry;
}

/// One entry of the list, and the plants read so far.
class PlantReader {
 public:
  PlantReader(Case const& input, std::size_t entry, UniformGrid const& grid, std::vector<Plant>& plants,
              std::vector<CaseProblem>& problems)
      : input_(input),
        at_(plant_pointer(entry)),
        entry_(static_cast<std::uint32_t>(entry)),
        origin_{grid.origin()[0], grid.origin()[1]},
        plants_(plants),
        problems_(problems) {}

  void read() {
    auto const kind = get<std::string>("/kind");
    Plant plant;
    plant.shape.entry = entry_;
    auto const top = get<double>("/height");
    if (kind != "canopy" && kind != "rows") plant.shape.base = get<double>("/base");
    plant.shape.height = top - plant.shape.base;
    if (!(plant.shape.height > 0)) {
      refuse("/base", "expected less than the height of the top, " + number(top) + " m");
      return;
    }
    if (kind == "trees") {
      plant.kind = PlantKind::tree;
      plant.attenuation = get<double>("/attenuation");
      read_trees(plant);
      return;
    }
    if (kind == "canopy") {
      plant.kind = PlantKind::canopy;
      plant.attenuation = get<double>("/attenuation");
    } else if (kind == "tree") {
      plant.kind = PlantKind::tree;
      plant.attenuation = get<double>("/attenuation");
    } else if (kind == "windbreak") {
      plant.kind = PlantKind::windbreak;
      plant.porosity = get<double>("/porosity");
    } else {
      plant.kind = PlantKind::rows;
      if (!read_rows(plant)) return;
    }
    if (read_footprint(plant)) add(std::move(plant));
  }

 private:
  template <class T>
  T get(std::string const& key) const {
    return input_.get<T>(at_ + key);
  }

  void refuse(std::string const& key, std::string const& why) { problems_.push_back(input_.problem(at_ + key, why)); }

  void add(Plant plant) {
    if (plants_.size() == most_plants) {
      throw input_.error(at_, "expected at most " + std::to_string(most_plants) + " plants in all entries together");
    }
    plants_.push_back(std::move(plant));
  }

  Point relative(Point const& position) const { return {position[0] - origin_[0], position[1] - origin_[1]}; }

  bool read_rows(Plant& plant) {
    plant.attenuation = get<double>("/attenuation");
    plant.attenuation_along = get<double>("/attenuation_along");
    plant.spacing = get<double>("/spacing");
    plant.row_width = get<double>("/row_width");
    plant.row_rotation = get<double>("/row_rotation");
    if (plant.row_width > plant.spacing) {
      refuse("/row_width", "expected at most the spacing of the rows, " + number(plant.spacing) + " m");
    } else if (plant.attenuation_along > plant.attenuation) {
      refuse("/attenuation_along",
             "expected at most the attenuation of wind across the rows, " + number(plant.attenuation));
    } else {
      return true;
    }
    return false;
  }

  void read_trees(Plant const& pattern) {
    auto const diameter = get<double>("/diameter");
    std::uint32_t member = 0;
    for (nlohmann::json const& position : input_.json().at("vegetation").at(entry_).at("positions")) {
      Plant tree = pattern;
      auto const [x, y] = relative({position[0].get<double>(), position[1].get<double>()});
      tree.ellipse = true;
      tree.shape.x = x;
      tree.shape.y = y;
      tree.shape.length = tree.shape.width = diameter;
      tree.shape.member = member++;
      add(std::move(tree));
    }
  }

  Ring ring_of(nlohmann::json const& corners) const {
    Ring ring;
    for (nlohmann::json const& corner : corners)
      ring.push_back(relative({corner[0].get<double>(), corner[1].get<double>()}));
    return without_repeats(std::move(ring));
  }

  /// False, with a problem, for a bad polygon.
  bool read_footprint(Plant& plant) {
    auto const kind = get<std::string>("/footprint/kind");
    Building& shape = plant.shape;
    if (kind != "polygon") {
      auto const size = get<std::array<double, 2>>("/footprint/size");
      auto const [x, y] = relative(get<std::array<double, 2>>("/footprint/position"));
      shape.x = x;
      shape.y = y;
      shape.length = size[0];
      shape.width = size[1];
      shape.rotation = get<double>("/footprint/rotation");
      plant.ellipse = kind == "ellipse";
      return true;
    }
    nlohmann::json const& footprint = input_.json().at("vegetation").at(entry_).at("footprint");
    Ring outer = ring_of(footprint.at("corners"));
    std::vector<Ring> holes;
    for (nlohmann::json const& hole : footprint.at("holes")) holes.push_back(ring_of(hole));
    if (std::string const fault = footprint_fault(outer, holes, origin_); !fault.empty()) {
      refuse("/footprint", called(plant, input_) + ": " + fault);
      return false;
    }
    Building polygon = prism(std::move(outer), std::move(holes));
    polygon.base = shape.base;
    polygon.height = shape.height;
    polygon.entry = shape.entry;
    shape = std::move(polygon);
    return true;
  }

  Case const& input_;
  std::string at_;
  std::uint32_t entry_;
  Point origin_;
  std::vector<Plant>& plants_;
  std::vector<CaseProblem>& problems_;
};

/// The upright box of a plant, for outside().
Building box_of(Plant const& plant, UniformGrid const& grid) {
  Building box = plant.shape;
  auto const [ex, ey] = plant.half_extents();
  box.footprint = {};
  box.length = 2 * ex;
  box.width = 2 * ey;
  box.rotation = 0;
  if (plant.may_reach_out) {  // only its height counts
    box.x = 0.5 * grid.nx() * grid.dx();
    box.y = 0.5 * grid.ny() * grid.dy();
    box.length = box.width = 0;
  }
  return box;
}

}  // namespace

std::string plant_pointer(std::size_t entry) { return "/vegetation/" + std::to_string(entry); }

std::vector<Plant> read_vegetation(Case const& input, UniformGrid const& grid, Terrain const& terrain,
                                   CityLayers& layers, DomainPlace& place, std::vector<CaseProblem>& problems,
                                   std::vector<std::string>& warnings) {
  std::vector<Plant> plants;
  for (std::size_t entry = 0; entry < input.size("/vegetation"); ++entry) {
    if (CityLayers::is_file(input, plant_pointer(entry)))
      read_plant_file(input, entry, grid, layers, place, plants, problems, warnings);
    else PlantReader(input, entry, grid, plants, problems).read();
  }
  if (terrain.empty()) return plants;
  for (Plant& plant : plants) {
    plant.shape.ground = ground_under(plant.shape, terrain, grid).lowest;
    plant.shape.base += plant.shape.ground;
  }
  return plants;
}

void check_vegetation(std::vector<Plant> const& plants, std::vector<Building> const& buildings, double roughness,
                      UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems) {
  BuildingsAlongX const solid(buildings);
  std::optional<std::size_t> wrong_entry;  // one line per entry of the list is enough
  for (Plant const& plant : plants) {
    if (plant.shape.entry == wrong_entry) continue;
    std::string why = outside(box_of(plant, grid), grid);
    if (why.empty() && !(plant.top_height() > roughness)) {
      why = "is " + number(plant.top_height()) + " m high; expected more than the roughness of the ground, " +
            number(roughness) + " m";
    }
    // A canopy may have houses inside, and solid cells win.
    if (why.empty() && plant.kind == PlantKind::tree) {
      if (Building const* building = solid.around(plant))
        why = "is inside " + wind::called(*building, input) + "; move one of them";
    }
    if (why.empty()) continue;
    problems.push_back(input.problem(plant_pointer(plant.shape.entry), called(plant, input) + ' ' + why));
    wrong_entry = plant.shape.entry;
  }
}

}  // namespace karman::wind
