// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_shapes.hpp"

#include "common/case/expression.hpp"
#include "common/case/memory_check.hpp"
#include "common/case/texts.hpp"
#include "mesh_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>
#include <karman/mesh/plane_box.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <mesh_texts.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <stdexcept>

namespace karman::app {
namespace {

/// Members of `/mesh`, one after the other.
class MeshOfCase {
 public:
  MeshOfCase(Case const& input, MeshNeed const& need)
      : input_(input), need_(need), kind_(input.get<std::string>("/mesh/kind")) {}

  MeshData make() const {
    if (kind_ == "rectangle") return rectangle();
    if (kind_ == "channel") return channel();
    if (kind_ == "disc") return disc();
    if (kind_ == "annulus") return annulus();
    if (kind_ == "rectangular_harbour") return harbour();
    if (kind_ == "island") return island();
    if (kind_ == "airfoil") return airfoil();
    if (kind_ == "bow_shock") return bow_shock();
    if (kind_ == "wedge") return wedge();
    if (kind_ == "step") return step();
    return polygon();
  }

 private:
  double number(char const* key) const { return input_.get<double>(std::string("/mesh/") + key); }
  std::array<double, 2> point(char const* key) const {
    return input_.get<std::array<double, 2>>(std::string("/mesh/") + key);
  }
  CaseError error(char const* key, std::string const& expected) const {
    return input_.error(std::string("/mesh/") + key, expected);
  }

  /// Estimated number of nodes of a shape whose sides have `length` in all. An equilateral triangle of edge s takes
  /// 0.433 s^2, and there are half as many nodes as triangles. A slender shape has few nodes beside those on its sides.
  static double nodes_of(double area, double length, double size) {
    return area / (0.866 * size * size) + length / size;
  }

  /// Part of an estimated number of nodes that a mesh has at least.
  static constexpr double certain = 0.4;

  /// Refuses sizes that would exhaust the memory of the machine before an error could be reported. `part`: of the
  /// nodes, which the mesh has at least.
  void require_few_nodes(char const* key, double nodes, double part = certain) const {
    if (!(nodes <= most_mesh_nodes))
      throw error(
          key, formatted("expected at most %.0e nodes, found %.1e; increase the edge length", most_mesh_nodes, nodes));
    double const refined = std::ldexp(part * nodes, 2 * need_.refinements);
    if (refined > most_mesh_nodes)
      throw error("refine", formatted("expected at most %.0e nodes, found more than %.1e; refine less, or increase the "
                                      "edge length",
                                      most_mesh_nodes, refined));
    require_node_memory(part * nodes, need_);
  }

  void require_order(char const* low, char const* high) const {
    if (!(number(low) < number(high)))
      throw error(high, formatted("expected more than /mesh/%s, %g", low, number(low)));
  }

  DiagonalPattern diagonals() const { return read_options<DiagonalPattern>(input_, "/mesh/diagonals"); }

  MeshData rectangle() const {
    RectangleMesh const shape{point("low"), point("high"), number("size"), diagonals()};
    double const width = shape.high[0] - shape.low[0], height = shape.high[1] - shape.low[1];
    if (!(width > 0) || !(height > 0)) throw error("high", "expected both values above /mesh/low");
    require_few_nodes("size", nodes_of(2 * width * height, 2 * (width + height), shape.size));
    return mesh_rectangle(shape);
  }

  MeshData channel() const {
    ChannelMesh const shape{number("length"), number("width"), number("size"), diagonals()};
    require_few_nodes("size", nodes_of(2 * shape.length * shape.width, 2 * (shape.length + shape.width), shape.size));
    return mesh_channel(shape);
  }

  MeshData disc() const {
    DiscMesh const shape{number("radius"), number("size"), point("center")};
    require_few_nodes("size", nodes_of(std::numbers::pi * shape.radius * shape.radius,
                                       2 * std::numbers::pi * shape.radius, shape.size));
    return mesh_disc(shape);
  }

  MeshData annulus() const {
    AnnulusMesh const shape{number("inner_radius"), number("outer_radius"), number("inner_size"), number("outer_size"),
                            point("center")};
    require_order("inner_radius", "outer_radius");
    double const area =
        std::numbers::pi * (shape.outer_radius * shape.outer_radius - shape.inner_radius * shape.inner_radius);
    double const inner = 2 * std::numbers::pi * shape.inner_radius / shape.inner_size;
    double const outer = 2 * std::numbers::pi * shape.outer_radius / shape.outer_size;
    require_few_nodes("inner_size", nodes_of(area, 0, std::sqrt(shape.inner_size * shape.outer_size)) + inner + outer);
    return mesh_annulus(shape);
  }

  MeshData harbour() const {
    HarbourMesh const shape{number("length"),    number("width"),    number("sea_radius"), number("mouth_size"),
                            number("back_size"), number("sea_size"), number("growth")};
    if (!(shape.sea_radius > 0.5 * shape.width)) throw error("sea_radius", "expected more than half of /mesh/width");
    for (char const* other : {"back_size", "sea_size"}) {
      if (number(other) < shape.mouth_size) throw error(other, "expected at least /mesh/mouth_size");
    }
    double const half_width = 0.5 * shape.width, rows = std::ceil(half_width / shape.mouth_size);
    double const step = half_width / rows;
    // Columns from steps of the mouth to steps of the back: the integral of 1/size over the length.
    double const growth = (shape.back_size - step) / step;
    double const columns = shape.length / step * (growth > 1e-6 ? std::log1p(growth) / growth : 1);
    require_few_nodes("mouth_size", (2 * rows + 1) * (columns + 1));
    require_few_nodes("sea_size", sea_nodes(shape, step) + nodes_of(0, shape.sea_radius, shape.sea_size));
    return mesh_harbour(shape);
  }

  /// Nodes of the half discs around the mouth of a harbour, by the trapezoidal rule over the radius.
  static double sea_nodes(HarbourMesh const& shape, double step) {
    double const inner = 0.5 * shape.width;
    auto const density = [&](double r) {
      double const size = std::min(shape.sea_size, step + shape.growth * (r - inner));
      return std::numbers::pi * r / (0.866 * size * size);
    };
    constexpr int intervals = 256;
    double const ratio = std::pow(shape.sea_radius / inner, 1.0 / intervals);
    double sum = 0.5 * std::numbers::pi * inner * inner / (0.866 * step * step);
    for (double n = 0, r = inner; n < intervals; ++n, r *= ratio)
      sum += 0.5 * (density(r) + density(r * ratio)) * (r * ratio - r);
    return sum;
  }

  MeshData island() const {
    IslandMesh const shape{number("shore_radius"), number("shelf_radius"), number("sea_radius"),
                           number("shore_size"),   number("sea_size"),     point("center")};
    require_order("shore_radius", "shelf_radius");
    require_order("shelf_radius", "sea_radius");
    double const area = std::numbers::pi * shape.sea_radius * shape.sea_radius;
    require_few_nodes("sea_size", nodes_of(area, 2 * std::numbers::pi * shape.sea_radius, shape.sea_size));
    double const shelf = std::numbers::pi * shape.shelf_radius * shape.shelf_radius;
    double const shore = 2 * std::numbers::pi * shape.shore_radius / shape.shore_size;
    require_few_nodes("shore_size", nodes_of(shelf, 0, std::sqrt(shape.shore_size * shape.sea_size)) + shore);
    return mesh_island(shape);
  }

  MeshData airfoil() const {
    AirfoilMesh const shape{input_.get<std::string>("/mesh/digits"), input_.get<int>("/mesh/points"),
                            number("far_radius"), number("growth")};
    // Layers grow from an edge of the airfoil to (growth - 1) times the far radius.
    double const layers = shape.points / (2 * std::numbers::pi) * std::log(shape.far_radius) +
                          std::log(std::max(1.0, shape.far_radius * (shape.growth - 1))) / std::log(shape.growth);
    require_few_nodes("points", shape.points * layers);
    return mesh_airfoil(shape);
  }

  MeshData bow_shock() const {
    BowShockMesh const shape{number("radius"),
                             number("mach"),
                             number("angle"),
                             number("clearance"),
                             input_.get<int>("/mesh/around"),
                             input_.get<int>("/mesh/radial"),
                             number("growth"),
                             input_.get<bool>("/mesh/half"),
                             diagonals()};
    require_few_nodes("around", 2.0 * shape.around * shape.radial);
    return mesh_bow_shock(shape);
  }

  MeshData wedge() const {
    WedgeMesh const shape{number("length"), number("height"), number("corner"),
                          number("angle"),  number("size"),   diagonals()};
    require_order("corner", "length");
    require_few_nodes("size", nodes_of(2 * shape.length * shape.height, 2 * (shape.length + shape.height), shape.size),
                      certain / 2);
    return mesh_wedge(shape);
  }

  MeshData step() const {
    StepMesh const shape{number("length"),      number("height"), number("step_at"),
                         number("step_height"), number("size"),   diagonals()};
    require_order("step_at", "length");
    require_order("step_height", "height");
    double const open = 1 - (1 - shape.step_at / shape.length) * shape.step_height / shape.height;
    require_few_nodes("size", nodes_of(2 * shape.length * shape.height, 2 * (shape.length + shape.height), shape.size),
                      certain * open);
    return mesh_step(shape);
  }

  static double length_of(PolygonRing const& ring) {
    double length = 0;
    for (std::size_t n = 0; n < ring.points.size(); ++n) {
      auto const& a = ring.points[n];
      auto const& b = ring.points[(n + 1) % ring.points.size()];
      length += std::hypot(b[0] - a[0], b[1] - a[1]);
    }
    return length;
  }

  /// A ring of the case. Arcs are divided into pieces whose size is that at their first point.
  PolygonRing ring(std::string const& pointer, std::function<double(double, double)> const& size_at,
                   std::map<std::string, int>& labels, std::map<int, std::string>& names) const {
    PolygonRing result;
    std::size_t const corners = input_.size(pointer);
    auto const point_of = [&](std::size_t n) {
      return input_.get<std::array<double, 2>>(pointer + '/' + std::to_string(n % corners) + "/at");
    };
    for (std::size_t n = 0; n < corners; ++n) {
      std::string const corner = pointer + '/' + std::to_string(n);
      auto const here = point_of(n);
      auto const name = input_.get<std::string>(corner + "/label");
      int const label = labels.emplace(name, static_cast<int>(labels.size()) + 1).first->second;
      names[label] = name;
      if (input_.has(corner + "/arc")) add_arc(corner, here, point_of(n + 1), size_at(here[0], here[1]), label, result);
      else result.add(here[0], here[1], label);
    }
    return result;
  }

  void add_arc(std::string const& corner, std::array<double, 2> const& from, std::array<double, 2> const& to,
               double size, int label, PolygonRing& ring) const {
    auto const center = input_.get<std::array<double, 2>>(corner + "/arc/center");
    double const radius = std::hypot(from[0] - center[0], from[1] - center[1]);
    double const other = std::hypot(to[0] - center[0], to[1] - center[1]);
    constexpr double rounding = 1e-3;
    if (!(std::abs(radius - other) <= rounding * radius)) {
      throw input_.error(
          corner + "/arc/center",
          formatted("expected equal distances to this corner and to the next, found %g and %g", radius, other));
    }
    bool const left = input_.get<std::string>(corner + "/arc/turn") == "left";
    double const begin = std::atan2(from[1] - center[1], from[0] - center[0]);
    double end = std::atan2(to[1] - center[1], to[0] - center[0]);
    if (left && end <= begin) end += 2 * std::numbers::pi;
    if (!left && end >= begin) end -= 2 * std::numbers::pi;
    double const pieces = std::abs(end - begin) * radius / size + static_cast<double>(ring.points.size());
    if (!(size > 0) || pieces > most_mesh_nodes)
      throw error("size", "expected a positive edge length along the arcs, or a larger one");
    ring.add_arc(center, radius, begin, end, size, label);
  }

  /// The wanted length of edges at a place.
  std::function<double(double, double)> size_at() const {
    if (input_.json().at("mesh").at("size").is_number()) {
      return [size = number("size")](double, double) { return size; };
    }
    try {
      auto const formula =
          std::make_shared<Expression>(input_.get<std::string>("/mesh/size"), "xy", ExpressionConstants{});
      return [formula](double x, double y) { return (*formula)({x, y, 0, 0}); };
    } catch (ExpressionError const& wrong) {
      throw error("size", allowed_words("xy") + ": " + wrong.what());
    }
  }

  /// Nodes inside of a polygon: the integral of the inverse of the area that a node takes, along 128 lines.
  static double inner_nodes(Polygon const& shape, std::function<double(double, double)> const& size_at) {
    constexpr int lines = 128, samples = 128;
    PlaneBox const box(shape.outer.points);
    double nodes = 0;
    if (!(box.width() > 0 && box.height() > 0)) return nodes;
    for (int line = 0; line < lines; ++line) {
      double const y = box.low[1] + (line + 0.5) * box.height() / lines;
      std::vector<double> crossings;
      auto const cross = [&](PolygonRing const& ring) {
        for (std::size_t n = 0; n < ring.points.size(); ++n) {
          auto const& a = ring.points[n];
          auto const& b = ring.points[(n + 1) % ring.points.size()];
          if ((a[1] <= y) != (b[1] <= y)) crossings.push_back(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
        }
      };
      cross(shape.outer);
      for (PolygonRing const& hole : shape.holes) cross(hole);
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t n = 0; n + 1 < crossings.size(); n += 2) {
        double const width = crossings[n + 1] - crossings[n];
        int const count = std::max(1, static_cast<int>(std::ceil(width / box.width() * samples)));
        for (int k = 0; k < count; ++k) {
          double const size = size_at(crossings[n] + (k + 0.5) * width / count, y);
          if (!(size > 0)) return 0;  // an error that the generator reports
          nodes += nodes_of(width / count * box.height() / lines, 0, size);
        }
      }
    }
    return nodes;
  }

  MeshData polygon() const {
    Polygon shape;
    PolygonMeshOptions options;
    options.size_at = size_at();
    options.most_nodes = static_cast<int>(most_mesh_nodes);
    std::map<std::string, int> labels;
    shape.outer = ring("/mesh/outer", options.size_at, labels, shape.boundary_names);
    for (std::size_t n = 0; n < input_.size("/mesh/holes"); ++n) {
      shape.holes.push_back(ring("/mesh/holes/" + std::to_string(n), options.size_at, labels, shape.boundary_names));
    }
    if (input_.json().at("mesh").at("size").is_number()) {
      PlaneBox const box(shape.outer.points);
      double sides = length_of(shape.outer);
      for (PolygonRing const& hole : shape.holes) sides += length_of(hole);
      require_few_nodes("size", nodes_of(box.width() * box.height(), sides, number("size")), 0);
    }
    if (shape.outer.points.size() >= 3) require_few_nodes("size", inner_nodes(shape, options.size_at));
    return mesh_polygon(shape, options);
  }

  Case const& input_;
  MeshNeed need_;
  std::string kind_;
};

}  // namespace

void require_node_memory(double nodes, MeshNeed const& need) {
  double const refined = std::ldexp(nodes, 2 * need.refinements);
  require_host_memory(refined * need.bytes_per_node, formatted("at least %.1e nodes", refined));
}

MeshData mesh_of_shape(Case const& input, MeshNeed const& need) {
  try {
    return MeshOfCase(input, need).make();
  } catch (std::invalid_argument const& error) {
    // Reports sizes that pass the schema and the checks above, and polygons that cross themselves.
    std::string reason = error.what();
    if (auto const begin = reason.find(": "); begin != std::string::npos) reason.erase(0, begin + 2);
    throw input.error("/mesh", "shape cannot be meshed: " + reason);
  }
}

std::string with_mesh_shapes(std::string_view schema, std::vector<std::string> const& shapes) {
  using Json = nlohmann::ordered_json;
  Json whole = Json::parse(schema);
  Json const known = Json::parse(embedded::mesh_shapes_json);
  Json& mesh = whole.at("properties").at("mesh");
  Json& kinds = mesh.at("oneOf");
  Json all = Json::array();
  for (std::string const& shape : shapes) all.push_back(known.at(shape));
  for (Json& kind : kinds) all.push_back(std::move(kind));
  for (Json& kind : all) {
    if (kind.at("properties").at("kind").at("const") == "file") kind.at("properties").update(known.at("file"));
    kind.at("properties").update(known.at("every_kind"));
  }
  mesh.at("oneOf") = std::move(all);
  return whole.dump(2) + '\n';
}

}  // namespace karman::app
