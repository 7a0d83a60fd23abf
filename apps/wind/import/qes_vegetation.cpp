// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "qes_project.hpp"
#include <karman/io/vector_layer.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace karman::wind {
namespace {

using Outline = std::vector<std::array<double, 2>>;

/// The middle of the box around an outline, and that box.
struct PlanBox {
  std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};

  explicit PlanBox(Outline const& outline) {
    for (auto const& point : outline) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = std::min(low[axis], point[axis]);
        high[axis] = std::max(high[axis], point[axis]);
      }
    }
  }
  std::array<double, 2> middle() const { return {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])}; }
};

/// Even-odd rule.
bool is_inside(std::array<double, 2> const& point, Outline const& outline) {
  bool inside = false;
  for (std::size_t n = 0; n < outline.size(); ++n) {
    auto const& a = outline[n];
    auto const& b = outline[(n + 1) % outline.size()];
    if ((a[1] > point[1]) == (b[1] > point[1])) continue;
    if (point[0] < a[0] + (point[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1])) inside = !inside;
  }
  return inside;
}

class VegetationReader {
 public:
  // Values that may be refused are read outside of braces: g++ 12 destroys JSON in braces twice when one throws.
  VegetationReader(QesElement const& element, QesFrame const& frame, CaseDraft& draft)
      : element_(element), frame_(frame), draft_(draft) {}

  void read() {
    draft_.parameterisations["vegetation_wake"] = element_.integer("wakeFlag", 0, 1, 1) == 1;
    for (QesElement const& plant : element_.children()) {
      std::string const name = plant.name();
      if (name == "Homogeneous" || name == "CanopyHomogeneous") read_canopy(plant);
      else if (name == "IsolatedTree") read_tree(plant);
      else if (name == "Windbreak") read_windbreak(plant);
      else if (name == "ROC")
        draft_.remark(plant.place(), "rows by leaf area have no counterpart: rows of Karman need an attenuation");
    }
    read_shapefile();
    if (draft_.vegetation.size() > limits::most_plants) {
      refuse(element_.place(), std::to_string(draft_.vegetation.size()) + " plants",
             "expected at most " + std::to_string(limits::most_plants));
    }
    remark_unused(
        element_,
        {"wakeFlag", "Homogeneous", "CanopyHomogeneous", "IsolatedTree", "Windbreak", "ROC", "SHPFile", "SHPTreeLayer"},
        {{"num_canopies", ""}, {"numCanopies", ""}}, draft_.remarks);
  }

 private:
  /// A rectangle of two sides, the first along the rotation.
  static OrderedJson rectangle(QesElement const& plant, char const* along, char const* across) {
    QesRectangle rectangle;
    rectangle.corner = {plant.number("xStart", limits::coordinate, 0), plant.number("yStart", limits::coordinate, 0)};
    rectangle.along = plant.number(along, limits::length);
    rectangle.across = plant.number(across, limits::length);
    rectangle.rotation = plant.number("canopyRotation", limits::turn, 0);
    OrderedJson json{
        {"kind", "rectangle"}, {"position", rectangle.center()}, {"size", {rectangle.along, rectangle.across}}};
    if (rectangle.rotation != 0) json["rotation"] = rectangle.rotation;
    return json;
  }

  void read_canopy(QesElement const& plant) {
    bool const is_rectangle =
        plant.number("length", limits::any_number, 0) > 0 && plant.number("width", limits::any_number, 0) > 0;
    OrderedJson json;
    json["kind"] = "canopy";
    if (is_rectangle) {
      json["footprint"] = rectangle(plant, "length", "width");
    } else {
      json["footprint"]["kind"] = "polygon";
      json["footprint"]["corners"] = qes_corners(plant);
    }
    json["height"] = plant.number("height", limits::plant_height);
    json["attenuation"] = plant.number("attenuationCoefficient", limits::attenuation);
    draft_.vegetation.push_back(std::move(json));
    if (plant.number("baseHeight", limits::plant_base, 0) > 0)
      draft_.remark(plant.child({"baseHeight"}).place(), "a canopy of Karman begins on the ground");
  }

  void read_tree(QesElement const& plant) {
    double const x = plant.number("xCenter", limits::coordinate), y = plant.number("yCenter", limits::coordinate);
    OrderedJson json;
    json["kind"] = "trees";
    json["positions"].push_back(std::array{x, y});
    json["diameter"] = plant.number("width", limits::plant_height);
    json["height"] = plant.number("height", limits::plant_height);
    json["attenuation"] = plant.number("attenuationCoefficient", limits::attenuation);
    if (double const base = plant.number("baseHeight", limits::plant_base, 0); base > 0) json["base"] = base;
    draft_.vegetation.push_back(std::move(json));
    if (QesElement const shape = plant.child({"zMaxLAI"}); shape && shapes_++ == 0)
      draft_.remark(shape.place(), "crowns whose leaf area changes with height have no counterpart");
  }

  void read_windbreak(QesElement const& plant) {
    constexpr Range share{0, 1};
    OrderedJson json;
    json["kind"] = "windbreak";
    json["footprint"] = rectangle(plant, "width", "length");
    json["height"] = plant.number("height", limits::plant_height);
    json["porosity"] = plant.number("opticalPorosity", share);
    double const base = std::max(plant.number("understroyHeight", limits::plant_base, 0),
                                 plant.number("understoryHeight", limits::plant_base, 0));
    if (base > 0) json["base"] = base;
    draft_.vegetation.push_back(std::move(json));
    // Model 1 of the program takes the porosity itself, the others its power 0.4.
    double const exponent = plant.integer("fenceModel", 0, 1000, 2) == 1 ? 1 : 0.4;
    OrderedJson& switches = draft_.parameterisations;
    if (switches.contains("windbreak_exponent") && switches["windbreak_exponent"] != exponent) {
      draft_.remark(plant.place(), "windbreaks of several models have no counterpart: the first model is used");
    } else {
      switches["windbreak_exponent"] = exponent;
    }
  }

  void read_shapefile() {
    QesElement const element = element_.child({"SHPFile"});
    if (!element || element.text().empty()) return;
    std::filesystem::path const path = file_of_project(element.place(), element.text());
    QesElement const layer_name = element_.child({"SHPTreeLayer"});
    VectorLayer const layer = read_vector_layer(path, {.layer = layer_name ? layer_name.text() : "trees"});
    require_metres(layer, element);
    note_other_geometries(layer, element, draft_);
    std::array<double, 2> const origin = map_origin(frame_, layer);
    std::size_t left_out = 0;
    for (GeoFeature const& feature : layer.features) {
      if (feature.polygons.empty()) continue;
      double const height = attribute(feature, "H", layer, element, limits::plant_height);
      constexpr Range leaf_area{0, 40, true};
      double const leaves = attribute(feature, "LAI", layer, element, leaf_area);
      for (GeoPolygon const& polygon : feature.polygons) {
        Outline const corners = moved(polygon.rings.front(), origin);
        if (is_left_out(corners)) {
          ++left_out;
          continue;
        }
        // The program gives an isolated tree a leaf area index of twice its attenuation.
        draft_.vegetation.push_back({{"kind", "tree"},
                                     {"footprint", {{"kind", "polygon"}, {"corners", corners}}},
                                     {"height", height},
                                     {"attenuation", leaves / 2}});
      }
    }
    if (left_out > 0) {
      draft_.remark(element.place(), std::to_string(left_out) + (left_out == 1 ? " tree is" : " trees are") +
                                         " left out, in a building or not wholly in the domain");
    }
  }

  /// Karman refuses trees that reach outside of the domain or have their middle in a building.
  bool is_left_out(Outline const& corners) const {
    PlanBox const box(corners);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (box.low[axis] < draft_.domain.origin[axis] || box.high[axis] > draft_.domain.end(axis)) return true;
    }
    return std::any_of(frame_.outlines.begin(), frame_.outlines.end(),
                       [&](Outline const& building) { return is_inside(box.middle(), building); });
  }

  static double attribute(GeoFeature const& feature, char const* name, VectorLayer const& layer,
                          QesElement const& element, Range const& range) {
    auto const found = feature.numbers.find(name);
    if (found == feature.numbers.end() || !range.contains(found->second)) {
      refuse(element.place(), element.text(),
             range.expected("an attribute " + std::string(name)) + " in feature " + std::to_string(feature.number) +
                 "; the layer has " + layer.attributes);
    }
    return found->second;
  }

  QesElement const& element_;
  QesFrame const& frame_;
  CaseDraft& draft_;
  int shapes_ = 0;  ///< trees with a profile of leaf area
};

}  // namespace

void read_qes_vegetation(QesElement const& element, QesFrame const& frame, CaseDraft& draft) {
  VegetationReader(element, frame, draft).read();
}

}  // namespace karman::wind
