// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_limits.hpp"
#include "quic_project.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace karman::wind {
namespace {

using Corner = std::array<double, 2>;

enum Geometry { rectangle = 1, ellipse, pentagon, rectangular_stadium, elliptical_stadium, polygon };
enum Type { removed = 0, solid, canopy, garage, bridge, relief };

/// A building or a plant of a file.
struct Structure {
  ForeignPlace place;
  int geometry = rectangle;
  int type = solid;
  double attenuation = 0;
  double wall = 0;    ///< thickness of a stadium, m
  double height = 0;  ///< above the base, m
  double base = 0;    ///< m
  Corner center{0, 0};
  double along = 0, across = 0;  ///< m
  double rotation = 0;           ///< degrees, counter-clockwise
  std::vector<std::vector<Corner>> rings;
};

std::vector<Corner> ellipse_ring(Structure const& structure, double along, double across) {
  constexpr int corners = 64;
  // A polygon with the area of the ellipse.
  constexpr double angle = 2 * std::numbers::pi / corners;
  double const scale = std::sqrt(angle / std::sin(angle));
  double const turned = structure.rotation * std::numbers::pi / 180;
  std::vector<Corner> ring;
  for (int n = 0; n < corners; ++n) {
    double const x = 0.5 * along * scale * std::cos(n * angle), y = 0.5 * across * scale * std::sin(n * angle);
    ring.push_back({structure.center[0] + x * std::cos(turned) - y * std::sin(turned),
                    structure.center[1] + x * std::sin(turned) + y * std::cos(turned)});
  }
  return ring;
}

class StructureReader {
 public:
  StructureReader(QuicLines& lines, BuildingMethods& methods, CaseDraft& draft)
      : lines_(lines), methods_(methods), draft_(draft) {}

  void read() {
    double const version = lines_.version();
    QuicLine const first = lines_.peek("wall roughness length");
    if (version < first_quic_with_elements && first.labelled("subdomain")) read_table();
    else read_elements();
    if (reliefs_ > 0) {
      draft_.remark({lines_.source(), 0, ""},
                    std::to_string(reliefs_) + " structures of relief are left out: /terrain needs a file of heights");
    }
    if (draft_.buildings.size() > limits::most_buildings || draft_.vegetation.size() > limits::most_plants) {
      refuse(
          {lines_.source(), 0, ""},
          std::to_string(draft_.buildings.size()) + " buildings, " + std::to_string(draft_.vegetation.size()) +
              " plants",
          "expected at most " + std::to_string(limits::most_buildings) + " and " + std::to_string(limits::most_plants));
    }
  }

 private:
  void read_elements() {
    methods_.wall_roughness = lines_.next("wall roughness length").number(limits::roughness);
    int const count = lines_.next("number of buildings").integer(0, 1000000);
    lines_.next("number of polygon nodes");
    for (int n = 0; n < count; ++n) read_element();
  }

  void read_mark(char const* name) {
    QuicLine const mark = lines_.next(name);
    if (!mark.value.empty()) refuse(mark.place, mark.value, "expected a line that begins with !");
  }

  void read_element() {
    Structure found;
    read_mark("start of a building");
    found.place = lines_.next("group").place;
    found.place.name = "building";
    found.geometry = lines_.next("geometry").integer(rectangle, polygon);
    found.type = lines_.next("building type").integer(removed, 100);
    if (found.type == canopy) found.attenuation = lines_.next("attenuation coefficient").number(limits::attenuation);
    if (found.geometry == rectangular_stadium || found.geometry == elliptical_stadium) {
      found.wall = lines_.next("wall thickness").number(limits::length);
      QuicLine const roof = lines_.next("roof flag");
      if (roof.integer(0, 1) == 1) draft_.remark(roof.place, "roofs over seats have no counterpart");
    }
    found.height = lines_.next("height").number(limits::length);
    found.base = lines_.next("base height").number(limits::base_height);
    found.center[0] = lines_.next("centroid x").number(limits::coordinate);
    found.center[1] = lines_.next("centroid y").number(limits::coordinate);
    if (found.geometry == polygon) {
      read_rings(found);
    } else {
      double const x = lines_.next("x of the left side").number(limits::coordinate);
      double const y = lines_.next("y of the left side").number(limits::coordinate);
      found.along = lines_.next("length").number(limits::length);
      found.across = lines_.next("width").number(limits::length);
      found.rotation = lines_.next("rotation").number(limits::turn);
      place_by_left_side(found, x, y);
    }
    read_mark("end of a building");
    add(found);
  }

  void read_rings(Structure& found) {
    constexpr int most_rings = 1000, most_nodes = 100000;
    int const rings = lines_.next("number of polygons").integer(1, most_rings);
    for (int r = 0; r < rings; ++r) {
      read_mark("start of a polygon");
      int const nodes = lines_.next("number of nodes").integer(3, most_nodes);
      read_mark("head of the nodes");
      std::vector<Corner> ring;
      for (int n = 0; n < nodes; ++n) {
        QuicLine const line = lines_.next("node");
        auto const words = words_of(line.value);
        if (words.size() < 2) refuse(line.place, line.value, "expected x and y");
        ring.push_back(
            {number_in(line.place, words[0], limits::coordinate), number_in(line.place, words[1], limits::coordinate)});
      }
      read_mark("end of a polygon");
      if (ring.size() > 3 && ring.front() == ring.back()) ring.pop_back();
      found.rings.push_back(std::move(ring));
    }
  }

  /// The program places a building by the middle of its left side, a pentagon by its own middle.
  static void place_by_left_side(Structure& found, double x, double y) {
    found.center = {x, y};
    if (found.geometry == pentagon) return;
    double const angle = found.rotation * std::numbers::pi / 180;
    found.center = {x + 0.5 * found.along * std::cos(angle), y + 0.5 * found.along * std::sin(angle)};
  }

  /// QUIC 5.7 and before: one row per building.
  void read_table() {
    for (int n = 0; n < 4; ++n) lines_.next("subdomain");
    methods_.wall_roughness = lines_.next("wall roughness length").number(limits::roughness);
    int const count = lines_.next("number of structures").integer(0, 1000000);
    QuicLine const head = lines_.next("head of the buildings");
    if (count > 0 && !head.labelled("height(m)"))
      refuse(head.place, head.label,
             "expected columns in metres, with Height(m) as of QUIC 5.7; open and save the project there");
    for (int n = 0; n < count; ++n) read_row();
  }

  void read_row() {
    QuicLine const line = lines_.next("row of a building");
    auto const words = words_of(line.value);
    constexpr std::size_t columns = 10;
    if (words.size() < columns) {
      refuse(line.place, line.value, "expected number, group, type, height, width, length, x, y, base and rotation");
    }
    Structure found;
    found.place = line.place;
    int const type = integer_in(line.place, words[2], 0, 100);
    constexpr int plant = 9, old_rectangle = 6;
    found.type = type == plant ? canopy : solid;
    if (type > pentagon && type != plant && type != old_rectangle) {
      draft_.remark(line.place, "building type " + std::to_string(type) + " has no counterpart: left out");
      return;
    }
    found.geometry = type >= ellipse && type <= pentagon ? type : rectangle;
    found.height = number_in(line.place, words[3], limits::length);
    found.across = number_in(line.place, words[4], limits::length);
    found.along = number_in(line.place, words[5], limits::length);
    found.base = number_in(line.place, words[8], limits::base_height);
    found.rotation = number_in(line.place, words[9], limits::turn);
    double const x = number_in(line.place, words[6], limits::coordinate),
                 y = number_in(line.place, words[7], limits::coordinate);
    place_by_left_side(found, x, y);
    if (found.type == canopy) {
      if (words.size() == columns) refuse(line.place, line.value, "expected an attenuation in the last column");
      found.attenuation = number_in(line.place, words[columns], limits::attenuation);
    }
    add(found);
  }

  void add(Structure const& found) {
    switch (found.type) {
      case removed: draft_.remark(found.place, "building type 0 has no counterpart: left out"); return;
      case canopy: add_plant(found); return;
      case relief: ++reliefs_; return;
      case garage:
        draft_.remark(found.place, "a garage without its storeys has no counterpart: written as a solid building");
        break;
      default: break;
    }
    add_building(found);
  }

  static OrderedJson box(char const* kind, Structure const& found) {
    OrderedJson json{{"kind", kind}, {"position", found.center}, {"size", {found.along, found.across, found.height}}};
    if (found.rotation != 0) json["rotation"] = found.rotation;
    return json;
  }

  static OrderedJson ring_building(std::vector<std::vector<Corner>> rings, double height) {
    OrderedJson json{{"kind", "polygon"}, {"corners", rings.front()}};
    rings.erase(rings.begin());
    if (!rings.empty()) json["holes"] = rings;
    json["height"] = height;
    return json;
  }

  void add_building(Structure const& found) {
    OrderedJson json;
    switch (found.geometry) {
      case ellipse: json = box("ellipse", found); break;
      case pentagon: json = pentagon_building(found); break;
      case rectangular_stadium:
      case elliptical_stadium: json = stadium(found); break;
      case polygon:
        json = ring_building(found.rings, found.height);
        if (found.rings.size() > 1) draft_.parameterisations["courtyard"] = true;
        break;
      default: json = box(found.type == bridge && found.base > 0 ? "bridge" : "block", found);
    }
    if (found.type == bridge) {
      draft_.parameterisations["bridge"] = true;
      if (json["kind"] != "bridge")
        draft_.remark(found.place, "a bridge that is no raised rectangle has no counterpart: written as a building");
    }
    if (found.base > 0) json["base"] = found.base;
    draft_.buildings.push_back(std::move(json));
  }

  /// A stadium has sloped seats in QUIC; here its walls are upright.
  OrderedJson stadium(Structure const& found) {
    double const court_along = found.along - 2 * found.wall, court_across = found.across - 2 * found.wall;
    draft_.remark(found.place, "sloped seats have no counterpart: upright walls around an open court");
    if (court_along <= 0 || court_across <= 0)
      return box(found.geometry == elliptical_stadium ? "ellipse" : "block", found);
    draft_.parameterisations["courtyard"] = true;
    if (found.geometry == elliptical_stadium) {
      return ring_building(
          {ellipse_ring(found, found.along, found.across), ellipse_ring(found, court_along, court_across)},
          found.height);
    }
    OrderedJson json = box("courtyard", found);
    json["court"] = {court_along, court_across};
    return json;
  }

  /// The width is the diameter of the circle around the outer corners, the first of which points along +y.
  OrderedJson pentagon_building(Structure const& found) {
    double const walls = found.across * std::cos(std::numbers::pi / 5);  // twice the distance of the walls
    constexpr double court = 0.4;                                        // of the outer size
    constexpr double first_wall = 54;                                    // degrees, of its normal
    draft_.parameterisations["courtyard"] = true;
    return {{"kind", "courtyard"},
            {"position", found.center},
            {"size", {walls, walls, found.height}},
            {"court", {court * walls, court * walls}},
            {"sides", 5},
            {"rotation", std::fmod(found.rotation + first_wall, 360)}};
  }

  void add_plant(Structure const& found) {
    OrderedJson footprint;
    switch (found.geometry) {
      case rectangle:
      case ellipse:
        footprint = {{"kind", found.geometry == rectangle ? "rectangle" : "ellipse"},
                     {"position", found.center},
                     {"size", {found.along, found.across}}};
        if (found.rotation != 0) footprint["rotation"] = found.rotation;
        break;
      case polygon: {
        footprint = ring_building(found.rings, 0);
        footprint.erase("height");
        break;
      }
      default: draft_.remark(found.place, "a plant with this footprint has no counterpart: left out"); return;
    }
    double const top = found.base + found.height;
    if (!limits::plant_height.contains(top))
      refuse(found.place, std::to_string(top), limits::plant_height.expected("a top of plants"));
    OrderedJson json{{"kind", found.base > 0 ? "tree" : "canopy"}, {"footprint", footprint}, {"height", top}};
    if (found.base > 0) json["base"] = found.base;
    json["attenuation"] = found.attenuation;
    draft_.vegetation.push_back(std::move(json));
  }

  QuicLines& lines_;
  BuildingMethods& methods_;
  CaseDraft& draft_;
  std::size_t reliefs_ = 0;
};

}  // namespace

void read_quic_buildings(QuicLines& lines, BuildingMethods& methods, CaseDraft& draft) {
  StructureReader(lines, methods, draft).read();
}

}  // namespace karman::wind
