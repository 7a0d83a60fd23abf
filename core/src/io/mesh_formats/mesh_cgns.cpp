// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CGNS Standard Interface Data Structures, and the CGNS HDF5 file mapping: a node is a group with an attribute "label"
// and a dataset " data".
#include "io/files/plain_text.hpp"
#include "mesh_text.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace karman::detail {
namespace {

constexpr std::int64_t mixed = 20;  ///< ElementType_t of a section whose elements have types of their own

/// Element of the plane: its type in CGNS, and its numbers of corners and nodes.
struct CgnsElement {
  std::int64_t type;
  std::size_t corners, nodes;
};
constexpr std::array<CgnsElement, 7> elements{
    {{3, 2, 2}, {4, 2, 3}, {5, 3, 3}, {6, 3, 6}, {7, 4, 4}, {8, 4, 8}, {9, 4, 9}}};
constexpr std::int64_t point = 2;  ///< NODE, which bounds nothing in the plane

/// Length units of the standard in metres.
std::map<std::string, double> const metres{
    {"Meter", 1}, {"Centimeter", 0.01}, {"Millimeter", 0.001}, {"Foot", 0.3048}, {"Inch", 0.0254}};

/// State of reading one zone.
class CgnsReading {
 public:
  CgnsReading(std::filesystem::path const& path, MeshReadOptions const& options)
      : file_(Hdf5File::open(path)), text_(path.string(), ""), options_(options) {}

  MeshData read() {
    std::vector<std::string> const bases = children("", "CGNSBase_t");
    if (bases.empty()) text_.fail(0, "no base", "a base of CGNS, a group with the label CGNSBase_t");
    base_ = bases.front();
    if (std::vector<std::int64_t> const sizes = integers(base_); sizes.size() != 2 || sizes[0] != 2)
      text_.fail(0, "cells of " + (sizes.empty() ? "unknown" : std::to_string(sizes[0])) + " dimensions in " + base_,
                 "cells of 2 dimensions");
    choose_zone();
    std::vector<std::int64_t> const sizes = integers(zone_);
    std::string const kind = words(child(zone_, "ZoneType_t"));
    if (kind != "Unstructured" || sizes.size() != 3)
      text_.fail(0, "a zone of type \"" + kind + "\", " + zone_, "an unstructured zone");
    coordinates(sizes[0]);
    for (std::string const& section : children(zone_, "Elements_t")) read_section(section);
    std::sort(bars_.begin(), bars_.end(), [](Bar const& a, Bar const& b) { return a.number < b.number; });
    boundaries();
    for (Bar const& bar : bars_) add_edge(bar.nodes, bar.label != 0 ? bar.label : label_of(bar.section));
    return finished(std::move(found_), text_, options_);
  }

 private:
  struct Bar {
    std::int64_t number;  ///< of the element in its zone
    std::array<int, 2> nodes;
    std::string const* section;  ///< its name, of a boundary without another
    int label = 0;
  };

  /// Groups inside of one that have a label, in alphabetical order.
  std::vector<std::string> children(std::string const& group, std::string_view label) const {
    std::vector<std::string> found;
    for (Hdf5Entry const& entry : file_.list(group.empty() ? "/" : group)) {
      std::string const path = group + '/' + entry.name;
      if (entry.kind == Hdf5Entry::Kind::group && file_.has_attribute(path, "label") &&
          file_.read_string(path, "label") == label)
        found.push_back(path);
    }
    return found;
  }

  /// The only group with a label inside of another.
  std::string child(std::string const& group, std::string_view label) const {
    std::vector<std::string> const found = children(group, label);
    if (found.empty()) text_.fail(0, "no " + std::string(label) + " in " + group, "one");
    return found.front();
  }

  static std::string name_of(std::string const& path) { return path.substr(path.rfind('/') + 1); }

  std::vector<std::int64_t> integers(std::string const& group) const {
    std::string const data = group + "/ data";
    if (file_.info(data).type == ScalarType::int64) return file_.read_vector<std::int64_t>(data);
    auto const values = file_.read_vector<std::int32_t>(data);
    return {values.begin(), values.end()};
  }

  std::vector<double> reals(std::string const& group) const {
    std::string const data = group + "/ data";
    if (file_.info(data).type == ScalarType::float64) return file_.read_vector<double>(data);
    auto const values = file_.read_vector<float>(data);
    return {values.begin(), values.end()};
  }

  std::string words(std::string const& group) const {
    constexpr std::size_t most_bytes = 4096;
    auto const letters = file_.read_vector<std::int8_t>(group + "/ data", most_bytes);
    std::string const all(letters.begin(), letters.end());
    return all.substr(0, all.find('\0'));
  }

  void choose_zone() {
    std::vector<std::string> const zones = children(base_, "Zone_t");
    if (options_.zone < 1 || static_cast<std::size_t>(options_.zone) > zones.size())
      text_.fail(0, "zone " + std::to_string(options_.zone),
                 "a zone of the file, which has " + std::to_string(zones.size()));
    zone_ = zones[static_cast<std::size_t>(options_.zone) - 1];
    if (zones.size() > 1)
      remark(options_, "zone " + std::to_string(options_.zone) + " of " + std::to_string(zones.size()) +
                           " by name, \"" + name_of(zone_) + "\"; the option zone reads another");
  }

  /// Metres per unit of the coordinates: the innermost statement holds.
  double unit(std::string const& grid) const {
    for (std::string const& group : {grid + "/CoordinateX", grid, zone_, base_}) {
      std::vector<std::string> const stated = children(group, "DimensionalUnits_t");
      if (stated.empty()) continue;
      constexpr std::size_t width = 32;
      std::string const all = words(stated.front());
      std::string const length(without_blanks(std::string_view(all).substr(std::min(width, all.size()), width)));
      auto const known = metres.find(length);
      if (known == metres.end()) return 1;
      if (known->second != 1) remark(options_, "coordinates in the unit " + length + " converted to metres");
      return known->second;
    }
    return 1;
  }

  void coordinates(std::int64_t nodes) {
    std::string const original = zone_ + "/GridCoordinates";  // grids at other times have other names
    std::string const grid = file_.exists(original) ? original : child(zone_, "GridCoordinates_t");
    double const factor = unit(grid);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::string const group = grid + "/Coordinate" + "XYZ"[axis];
      if (axis == 2 && !file_.exists(group)) continue;
      std::vector<double> values = reals(group);
      if (values.size() != static_cast<std::size_t>(nodes) || nodes > most_numbers)
        text_.fail(0, std::to_string(values.size()) + " numbers in " + group,
                   std::to_string(nodes) + ", the nodes of the zone");
      for (double& value : values) value *= factor;
      if (axis == 2) found_.z = std::move(values);
      else if (axis == 0) found_.mesh.nodes.resize(values.size());
      if (axis < 2)
        for (std::size_t n = 0; n < values.size(); ++n) found_.mesh.nodes[n][axis] = values[n];
    }
  }

  /// A section: elements of one type, or each with its type before its nodes.
  void read_section(std::string const& section) {
    std::vector<std::int64_t> const head = integers(section), range = integers(section + "/ElementRange");
    if (head.empty() || range.size() != 2 || range[0] < 1 || range[1] < range[0] || range[1] > most_numbers)
      text_.fail(0, "the element numbers of " + section, "a type, and a range from 1 to 2^31 - 1");
    std::vector<std::int64_t> const nodes = integers(section + "/ElementConnectivity");
    sections_.push_back(std::make_unique<std::string>(name_of(section)));
    std::size_t place = 0;
    for (std::int64_t number = range[0]; number <= range[1]; ++number) {
      if (head[0] == mixed && place == nodes.size()) text_.fail(0, "the end of " + section, "an element more");
      std::int64_t const type = head[0] == mixed ? nodes[place++] : head[0];
      auto const* const element =
          std::find_if(elements.begin(), elements.end(), [&](CgnsElement const& one) { return one.type == type; });
      if (element == elements.end() && type != point)
        text_.fail(0, "elements of type " + std::to_string(type) + " in " + section,
                   "BAR_2, BAR_3, TRI_3, TRI_6, QUAD_4, QUAD_8 or QUAD_9 (3 to 9), or MIXED (20)");
      std::size_t const count = type == point ? 1 : element->nodes;
      if (nodes.size() - place < count)
        text_.fail(0, std::to_string(nodes.size()) + " numbers in " + section, "nodes for all elements of its range");
      if (type != point) add_element(number, *element, nodes, place);
      place += count;
    }
    if (place != nodes.size())
      text_.fail(0, std::to_string(nodes.size()) + " numbers in " + section,
                 "nodes for the elements of its range alone");
  }

  void add_element(std::int64_t number, CgnsElement const& element, std::vector<std::int64_t> const& nodes,
                   std::size_t place) {
    std::array<int, 4> corners{};
    for (std::size_t n = 0; n < element.nodes; ++n) {
      std::int64_t const node = nodes[place + n];
      if (node < 1 || static_cast<std::size_t>(node) > found_.mesh.nodes.size())
        text_.fail(0, "node " + std::to_string(node) + " of element " + std::to_string(number),
                   "a node of the zone, 1 to " + std::to_string(found_.mesh.nodes.size()));
      if (n < element.corners) corners[n] = static_cast<int>(node - 1);
      else found_.middle_nodes.push_back(static_cast<int>(node - 1));
    }
    if (element.corners == 2) {
      bars_.push_back({number, {corners[0], corners[1]}, sections_.back().get()});
    } else if (element.corners == 3) {
      found_.mesh.triangles.push_back({corners[0], corners[1], corners[2]});
      found_.mesh.regions.push_back(1);
    } else {
      add_quadrilateral(found_, corners, 1, 0);
    }
  }

  /// The label of a name; a new one takes the next number from 1.
  int label_of(std::string const* name) {
    auto const [place, is_new] = labels_.emplace(*name, static_cast<int>(labels_.size()) + 1);
    if (is_new) found_.mesh.boundary_names[place->second] = *name;
    return place->second;
  }

  void add_edge(std::array<int, 2> const& nodes, int label) {
    found_.mesh.edges.push_back(nodes);
    found_.mesh.edge_labels.push_back(label);
  }

  /// Boundary conditions: lists or ranges of lines, or of nodes. A line belongs to the first that has it.
  void boundaries() {
    for (std::string const& all : children(zone_, "ZoneBC_t")) {
      for (std::string const& boundary : children(all, "BC_t")) read_boundary(boundary);
    }
  }

  void read_boundary(std::string const& boundary) {
    std::vector<std::string> const places = children(boundary, "GridLocation_t");
    bool lines = !places.empty() && words(places.front()) != "Vertex";
    for (char const* kind : {"PointRange", "PointList", "ElementRange", "ElementList"}) {
      std::string const group = boundary + '/' + kind;
      if (!file_.exists(group)) continue;
      std::vector<std::int64_t> numbers = integers(group);
      lines = lines || kind[0] == 'E';
      std::string const name = name_of(boundary);
      bool const is_range = std::string_view(kind).find("Range") != std::string_view::npos;
      if (is_range && numbers.size() != 2) text_.fail(0, "the range " + group, "two numbers");
      std::sort(numbers.begin(), numbers.end());
      auto const has = [&](std::int64_t number) {
        return is_range ? number >= numbers[0] && number <= numbers[1]
                        : std::binary_search(numbers.begin(), numbers.end(), number);
      };
      int const label = label_of(&name);
      for (Bar& bar : bars_) {
        bool const listed = lines ? has(bar.number) : has(bar.nodes[0] + 1) && has(bar.nodes[1] + 1);
        if (listed && bar.label == 0) bar.label = label;
      }
      if (!lines) add_sides(has, label);
    }
  }

  /// Sides of single triangles between two nodes of a list that are no lines of the file.
  template <class Has>
  void add_sides(Has const& has, int label) {
    if (!sides_) find_sides();
    for (auto const& side : *sides_) {
      if (has(side[0] + 1) && has(side[1] + 1)) add_edge(side, label);
    }
  }

  void find_sides() {
    sides_.emplace();
    std::vector<std::array<int, 2>> all;
    for (auto const& triangle : found_.mesh.triangles) {
      for (std::size_t n = 0; n < 3; ++n) {
        auto const [low, high] = std::minmax(triangle[n], triangle[(n + 1) % 3]);
        all.push_back({low, high});
      }
    }
    std::sort(all.begin(), all.end());
    std::vector<std::array<int, 2>> lines;
    for (Bar const& bar : bars_) {
      auto const [low, high] = std::minmax(bar.nodes[0], bar.nodes[1]);
      lines.push_back({low, high});
    }
    std::sort(lines.begin(), lines.end());
    for (auto first = all.begin(); first != all.end();) {
      auto const next = std::find_if(first, all.end(), [&](auto const& side) { return side != *first; });
      if (next - first == 1 && !std::binary_search(lines.begin(), lines.end(), *first)) sides_->push_back(*first);
      first = next;
    }
  }

  Hdf5File file_;
  MeshText text_;
  MeshReadOptions const& options_;
  FoundMesh found_;
  std::string base_, zone_;
  std::vector<std::unique_ptr<std::string>> sections_;
  std::vector<Bar> bars_;
  std::optional<std::vector<std::array<int, 2>>> sides_;  ///< once they are found
  std::map<std::string, int> labels_;
};

}  // namespace

MeshData read_cgns(std::filesystem::path const& path, MeshReadOptions const& options) {
  constexpr std::string_view mark = "ADF Database Version";
  std::array<char, 64> head{};
  if (std::error_code ignored; std::filesystem::is_regular_file(path, ignored)) {
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    if (std::string_view(head.data(), head.size()).find(mark) != std::string_view::npos)
      MeshText(path.string(), "")
          .fail(0, "a CGNS file of the old kind ADF", "one of HDF5: convert it with adf2hdf of CGNS");
  }
  return CgnsReading(path, options).read();
}

}  // namespace karman::detail
