// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_buildings.hpp"

#include "building_shapes.hpp"
#include "city_file.hpp"
#include "plan_geometry.hpp"
#include "surface_heights.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/wind/angles.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace karman::wind {
namespace {

using Rings = std::vector<Ring>;

/// One entry of the list, and the buildings read so far.
class EntryReader {
 public:
  EntryReader(Case const& input, std::size_t entry, UniformGrid const& grid, std::vector<Building>& buildings,
              std::vector<CaseProblem>& problems)
      : input_(input),
        at_(entry_pointer(entry)),
        entry_(static_cast<std::uint32_t>(entry)),
        origin_{grid.origin()[0], grid.origin()[1]},
        buildings_(buildings),
        problems_(problems) {}

  void read() {
    auto const kind = get<std::string>("kind");
    if (kind == "block") add(block());
    else if (kind == "bridge") add(deck());
    else if (kind == "array") read_array();
    else if (kind == "polygon") read_polygon();
    else if (kind == "ellipse") read_ellipse();
    else if (kind == "courtyard") read_courtyard();
    else if (kind == "stack") read_stack();
    else if (kind == "garage") read_garage();
  }

 private:
  template <class T>
  T get(char const* key) const {
    return input_.get<T>(at_ + '/' + key);
  }

  void refuse(std::string const& key, std::string const& why) { problems_.push_back(input_.problem(at_ + key, why)); }

  /// Memory for `more` prisms, or an error.
  void reserve(std::size_t more) const {
    if (buildings_.size() + more <= most_buildings) return;
    throw too_many_buildings(input_, entry_);
  }

  void add(Building building) {
    reserve(1);
    building.entry = entry_;
    building.member = count_++;
    buildings_.push_back(std::move(building));
  }

  /// A prism over rings about the position of the entry.
  Building prism_at(Point const& position, Ring outer, Rings holes = {}) const {
    Building building = prism(std::move(outer), std::move(holes));
    building.x += position[0];
    building.y += position[1];
    building.base = get<double>("base");
    return building;
  }

  Point position() const {
    auto const position = get<std::array<double, 2>>("position");
    return {position[0] - origin_[0], position[1] - origin_[1]};
  }

  Building block() const {
    auto const size = get<std::array<double, 3>>("size");
    Building building;
    auto const [x, y] = position();
    building.x = x;
    building.y = y;
    building.length = size[0];
    building.width = size[1];
    building.height = size[2];
    building.rotation = get<double>("rotation");
    building.base = get<double>("base");
    return building;
  }

  Building deck() const {
    Building building = block();
    building.deck = true;
    return building;
  }

  void read_array() {
    Building building = block();
    auto const count = get<std::array<int, 2>>("count");
    auto const spacing = get<std::array<double, 2>>("spacing");
    reserve(static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]));
    auto const [c, s] = direction_cosines(building.rotation);
    auto const [x, y] = position();
    for (int b = 0; b < count[1]; ++b) {
      for (int a = 0; a < count[0]; ++a) {
        double const along = (a - 0.5 * (count[0] - 1)) * spacing[0];
        double const across = (b - 0.5 * (count[1] - 1)) * spacing[1];
        building.x = x + along * c - across * s;
        building.y = y + along * s + across * c;
        add(building);
      }
    }
  }

  /// A ring of the case, relative to the domain's corner.
  Ring ring_of(nlohmann::json const& corners) const {
    Ring ring;
    for (nlohmann::json const& corner : corners)
      ring.push_back({corner[0].get<double>() - origin_[0], corner[1].get<double>() - origin_[1]});
    return without_repeats(std::move(ring));
  }

  void read_polygon() {
    nlohmann::json const& entry = input_.json().at("buildings").at(entry_);
    Ring outer = ring_of(entry.at("corners"));
    Rings holes;
    for (nlohmann::json const& hole : entry.at("holes")) holes.push_back(ring_of(hole));
    if (std::string const fault = footprint_fault(outer, holes, origin_); !fault.empty()) {
      refuse("", "building " + std::to_string(entry_) + ": " + fault);
      return;
    }
    Building building = prism_at({0, 0}, std::move(outer), std::move(holes));
    building.height = get<double>("height");
    add(building);
  }

  void read_ellipse() {
    auto const size = get<std::array<double, 3>>("size");
    Building building = prism_at(position(), ellipse_outline(size[0], size[1], get<double>("rotation")));
    building.height = size[2];
    add(building);
  }

  void read_courtyard() {
    auto const size = get<std::array<double, 3>>("size");
    auto const court = get<std::array<double, 2>>("court");
    auto const rotation = get<double>("rotation");
    int const sides = get<int>("sides");
    Ring outer = regular_outline(sides, size[0], size[1], rotation);
    Rings holes{regular_outline(sides, court[0], court[1], rotation)};
    bool const smaller = court[0] < size[0] && court[1] < size[1];
    if (!smaller || !footprint_fault(outer, holes, {0, 0}).empty()) {
      refuse("/court",
             "expected a court inside the building, of less than " + number(size[0]) + " x " + number(size[1]) + " m");
      return;
    }
    Building building = prism_at(position(), std::move(outer), std::move(holes));
    building.height = size[2];
    add(building);
  }

  void read_stack() {
    auto const [x, y] = position();
    auto const rotation = get<double>("rotation");
    auto const [c, s] = direction_cosines(rotation);
    double base = get<double>("base");
    std::size_t const storeys = input_.size(at_ + "/storeys");
    Building below;
    for (std::size_t n = 0; n < storeys; ++n) {
      std::string const storey = at_ + "/storeys/" + std::to_string(n);
      auto const size = input_.get<std::array<double, 3>>(storey + "/size");
      auto const offset = input_.get<std::array<double, 2>>(storey + "/offset");
      Point const center{x + offset[0] * c - offset[1] * s, y + offset[0] * s + offset[1] * c};
      Building building;
      if (input_.get<std::string>(storey + "/shape") == "ellipse") {
        building = prism_at(center, ellipse_outline(size[0], size[1], rotation));
      } else {
        building.x = center[0];
        building.y = center[1];
        building.length = size[0];
        building.width = size[1];
        building.rotation = rotation;
      }
      building.height = size[2];
      building.base = base;
      base = building.top();
      if (n > 0 && covered_area(building, below) < (1 - 1e-6) * building.area()) {
        problems_.push_back(input_.problem(storey, "storey " + std::to_string(n) + " of building " +
                                                       std::to_string(entry_) + " reaches beyond the storey below; " +
                                                       "expected one inside of it"));
        return;
      }
      below = building;
      add(building);
    }
  }

  /// The envelope, then the floor slabs above each storey.
  void read_garage() {
    Building building = block();
    int const storeys = get<int>("storeys");
    auto const thickness = get<double>("slab");
    double const storey_height = building.height / storeys;
    if (!(thickness < storey_height)) {
      refuse("/slab", "expected less than the height of a storey, " + number(storey_height) + " m");
      return;
    }
    reserve(static_cast<std::size_t>(storeys) + 1);
    building.part = Part::envelope;
    add(building);
    double const ground = building.base;
    building.part = Part::solid;
    building.height = thickness;
    for (int n = 1; n <= storeys; ++n) {
      building.base = ground + n * storey_height - thickness;
      add(building);
    }
  }

  Case const& input_;
  std::string at_;
  std::uint32_t entry_;
  Point origin_;
  std::vector<Building>& buildings_;
  std::vector<CaseProblem>& problems_;
  std::uint32_t count_ = 0;
};

}  // namespace

CaseError too_many_buildings(Case const& input, std::size_t entry) {
  return input.error(entry_pointer(entry), "expected at most " + std::to_string(most_buildings) +
                                               " buildings in all entries together; cut the files to the domain");
}

std::string entry_pointer(std::size_t entry) { return "/buildings/" + std::to_string(entry); }

std::string called(Building const& building, Case const& input) {
  std::string const pointer = entry_pointer(building.entry);
  std::string const entry = "building " + std::to_string(building.entry);
  auto const kind = input.get<std::string>(pointer + "/kind");
  std::string const member = std::to_string(building.member) + " of ";
  if (kind == "array") return "block " + member + entry;
  if (kind == "stack") return "storey " + member + entry;
  if (kind == "garage" && building.part == Part::solid) return "slab " + member + entry;
  if (kind == "geojson" || kind == "shapefile")
    return "feature " + member + file_of_case(input, pointer + "/file").filename().string();
  return entry;
}

std::vector<Building> read_buildings(Case const& input, UniformGrid const& grid, BuildingUse use, CityLayers& layers,
                                     DomainPlace& place, std::vector<CaseProblem>& problems,
                                     std::vector<std::string>& warnings) {
  std::vector<Building> buildings;
  for (std::size_t entry = 0; entry < input.size("/buildings"); ++entry) {
    if (CityLayers::is_file(input, entry)) {
      std::size_t const first = buildings.size();
      read_city_file(input, entry, grid, use, layers, place, buildings, problems, warnings);
      take_surface_heights(input, entry, grid, place, first, buildings, problems, warnings);
    } else {
      EntryReader(input, entry, grid, buildings, problems).read();
    }
  }
  return buildings;
}

}  // namespace karman::wind
