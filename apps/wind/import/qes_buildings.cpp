// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "building_methods.hpp"
#include "qes_project.hpp"
#include <karman/io/vector_layer.hpp>

#include <algorithm>
#include <array>

namespace karman::wind {
namespace {

class BuildingReader {
 public:
  BuildingReader(QesElement const& element, QesElement const& simulation, QesFrame& frame, CaseDraft& draft)
      : element_(element), simulation_(simulation), frame_(frame), draft_(draft) {}

  void read() {
    std::size_t count = 0;
    for (QesElement const& building : element_.children({"rectangularBuilding", "QUICBuilding"})) {
      building.name() == "QUICBuilding" ? read_polygon(building) : read_block(building);
      ++count;
    }
    int const announced = element_.integer("numBuildings", 0, 1000000000, static_cast<int>(count));
    if (announced != static_cast<int>(count)) {
      draft_.remark(element_.child({"numBuildings"}).place(),
                    std::to_string(announced) + " buildings announced, " + std::to_string(count) + " found");
    }
    read_shapefile();
    if (!draft_.buildings.empty()) read_methods();
    if (draft_.buildings.size() > limits::most_buildings) {
      refuse(element_.place(), std::to_string(draft_.buildings.size()) + " buildings",
             "expected at most " + std::to_string(limits::most_buildings));
    }
    remark_unused(element_,
                  {"wallRoughness", "rooftopFlag", "upwindCavityFlag", "streetCanyonFlag", "streetIntersectionFlag",
                   "wakeFlag", "highRiseFlag", "sidewallFlag", "numBuildings", "rectangularBuilding", "QUICBuilding",
                   "SHPFile", "SHPBuildingLayer", "SHPHeightField", "heightFactor"},
                  {{"numPolygonNodes", ""}}, draft_.remarks);
  }

 private:
  ForeignFlag method(char const* name, int high, int otherwise) const {
    bool const is_older = !element_.child({name}) && simulation_.child({name});
    return (is_older ? simulation_ : element_).flag(name, high, otherwise);
  }

  void read_methods() {
    BuildingMethods methods;
    // Defaults of QES-Winds.
    methods.rooftop = method("rooftopFlag", most_rooftop, 1);
    methods.upwind = method("upwindCavityFlag", most_upwind, 2);
    methods.canyon = method("streetCanyonFlag", most_canyon, 1);
    methods.intersection = method("streetIntersectionFlag", 1, 0);
    methods.wake = method("wakeFlag", most_wake, 2);
    methods.sidewall = method("sidewallFlag", 1, 1);
    methods.high_rise = method("highRiseFlag", 1, 0).value == 1;
    methods.wall_roughness = element_.number("wallRoughness", limits::roughness, 0.001);
    put_methods(methods, draft_);
  }

  /// The program counts from the ground: with a terrain it replaces the base by the height of the ground.
  double base_of(QesElement const& building) {
    double const base = building.number("baseHeight", limits::base_height, 0);
    if (!frame_.has_terrain || base == 0) return base;
    draft_.remark(building.child({"baseHeight"}).place(), "left out, as in QES-Winds: the building is on the terrain");
    return 0;
  }

  void read_block(QesElement const& building) {
    QesRectangle rectangle;
    rectangle.corner = {building.number("xStart", limits::coordinate), building.number("yStart", limits::coordinate)};
    rectangle.along = building.number("length", limits::length);
    rectangle.across = building.number("width", limits::length);
    rectangle.rotation = building.number("buildingRotation", limits::turn, 0);
    OrderedJson block;
    block["kind"] = "block";
    block["position"] = rectangle.center();
    block["size"] = std::array{rectangle.along, rectangle.across, building.number("height", limits::length)};
    if (rectangle.rotation != 0) block["rotation"] = rectangle.rotation;
    add(std::move(block), building);
  }

  void read_polygon(QesElement const& building) {
    OrderedJson polygon;
    polygon["kind"] = "polygon";
    polygon["corners"] = qes_corners(building);
    polygon["height"] = building.number("height", limits::length);
    add(std::move(polygon), building);
  }

  void add(OrderedJson json, QesElement const& building) {
    if (double const base = base_of(building); base > 0) json["base"] = base;
    draft_.buildings.push_back(std::move(json));
  }

  void read_shapefile() {
    QesElement const element = element_.child({"SHPFile"});
    if (!element || element.text().empty()) return;
    std::filesystem::path const path = file_of_project(element.place(), element.text());
    QesElement const layer_name = element_.child({"SHPBuildingLayer"});
    std::string const name = layer_name ? layer_name.text() : "buildings";
    QesElement const height_name = element_.child({"SHPHeightField"});
    std::string const height = height_name ? height_name.text() : "H";
    constexpr Range factor_range{0, 1000, true};
    double const factor = element_.number("heightFactor", factor_range, 1);
    VectorLayer const layer = read_vector_layer(path, {.layer = name});
    require_metres(layer, element);
    note_other_geometries(layer, element, draft_);
    std::array<double, 2> const origin = map_origin(frame_, layer);
    for (GeoFeature const& feature : layer.features) {
      for (GeoPolygon const& polygon : feature.polygons)
        frame_.outlines.push_back(moved(polygon.rings.front(), origin));
    }
    if (factor != 1) {
      write_polygons(layer, height, factor, origin, element);
      return;
    }
    draft_.buildings.push_back({{"kind", "shapefile"},
                                {"file", path.string()},
                                {"layer", layer.name},
                                {"height", height},
                                {"origin", origin},
                                {"outside", "skip"},
                                {"overlaps", "merge"}});
  }

  /// The case has no factor for the heights of a file.
  void write_polygons(VectorLayer const& layer, std::string const& height, double factor,
                      std::array<double, 2> const& origin, QesElement const& element) {
    for (GeoFeature const& feature : layer.features) {
      if (feature.polygons.empty()) continue;
      auto const found = feature.numbers.find(height);
      if (found == feature.numbers.end()) {
        refuse(element.place(), element.text(),
               "expected an attribute " + height + " of every building; the layer has " + layer.attributes);
      }
      for (GeoPolygon const& polygon : feature.polygons) {
        std::vector<std::vector<std::array<double, 2>>> rings;
        for (auto const& ring : polygon.rings) rings.push_back(moved(ring, origin));
        OrderedJson json{{"kind", "polygon"}, {"corners", rings.front()}};
        rings.erase(rings.begin());
        if (!rings.empty()) json["holes"] = rings;
        json["height"] = found->second * factor;
        draft_.buildings.push_back(std::move(json));
      }
    }
    draft_.remark(element_.child({"heightFactor"}).place(),
                  "the case has no factor for the heights of a file: its buildings are written out");
  }

  QesElement const& element_;
  QesElement const& simulation_;
  QesFrame& frame_;
  CaseDraft& draft_;
};

}  // namespace

void require_metres(VectorLayer const& layer, QesElement const& element) {
  if (layer.unit != MapUnit::metres && layer.unit != MapUnit::unknown)
    refuse(element.place(), element.text(), "expected positions in metres");
}

void note_other_geometries(VectorLayer const& layer, QesElement const& element, CaseDraft& draft) {
  std::size_t const count = layer.other_geometries;
  if (count == 0) return;
  draft.remark(element.place(), std::to_string(count) +
                                    (count == 1 ? " feature is no polygon and left out, a "
                                                : " features are no polygons and left out, first a ") +
                                    layer.first_other);
}

std::vector<std::array<double, 2>> moved(std::vector<std::array<double, 2>> ring, std::array<double, 2> const& origin) {
  for (auto& point : ring) point = {point[0] - origin[0], point[1] - origin[1]};
  return ring;
}

std::array<double, 2> map_origin(QesFrame const& frame, VectorLayer const& layer) {
  if (frame.has_utm()) return frame.utm;
  constexpr double none = 1e300;
  std::array<double, 2> low{none, none};
  for (GeoFeature const& feature : layer.features) {
    for (GeoPolygon const& polygon : feature.polygons) {
      for (auto const& point : polygon.rings.front()) low = {std::min(low[0], point[0]), std::min(low[1], point[1])};
    }
  }
  return low[0] == none ? std::array<double, 2>{0, 0} : low;
}

void read_qes_buildings(QesElement const& element, QesElement const& simulation, QesFrame& frame, CaseDraft& draft) {
  BuildingReader(element, simulation, frame, draft).read();
}

}  // namespace karman::wind
