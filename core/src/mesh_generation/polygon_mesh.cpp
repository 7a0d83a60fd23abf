// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"
#include "mesh_refinement.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/plane_box.hpp>
#include <karman/mesh/polygon_mesh.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace karman {
namespace {

using detail::place_text;
using detail::PlanePoint;
using detail::SizeAtPoint;
using detail::Triangulation;

std::string const polygon_mesh_name = "mesh_polygon: ";

std::string ring_name(std::size_t ring) { return ring == 0 ? "outer ring" : "holes[" + std::to_string(ring - 1) + ']'; }

std::string segment_name(std::size_t ring, std::size_t segment) {
  return ring_name(ring) + ", segment " + std::to_string(segment);
}

/// A piece of a segment after division.
struct Piece {
  std::size_t ring, segment;
  int from, to;
  int label;
};

/// The nodes and pieces of all rings.
struct Boundary {
  std::vector<PlanePoint> points;
  std::vector<std::array<std::size_t, 2>> origin;  ///< ring and segment of each point
  std::vector<Piece> pieces;
};

void check_ring(PolygonRing const& ring, std::string const& name) {
  require(ring.points.size() >= 3,
          polygon_mesh_name + name + ": has " + std::to_string(ring.points.size()) + " points: at least 3 are needed");
  require(ring.labels.size() == ring.points.size(),
          polygon_mesh_name + name + ": has " + std::to_string(ring.labels.size()) + " labels for " +
              std::to_string(ring.points.size()) + " segments: as many are needed");
  for (std::size_t i = 0; i < ring.points.size(); ++i) {
    auto const& p = ring.points[i];
    require(std::abs(p[0]) < 1e60 && std::abs(p[1]) < 1e60,
            polygon_mesh_name + name + ", point " + std::to_string(i) + ": coordinates must be finite, below 1e60");
  }
}

/// Fractions of a segment at which it is divided; without 0, with 1.
std::vector<double> cuts(PlanePoint const& a, PlanePoint const& b, SizeAtPoint const& size, double most) {
  double const length = std::hypot(b[0] - a[0], b[1] - a[1]);
  auto const place = [&](double t) { return PlanePoint{a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])}; };
  constexpr int first_samples = 32;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= first_samples; ++i) least = std::min(least, size(place(double(i) / first_samples)));
  auto const require_few = [&](double pieces_needed) {
    if (pieces_needed < most) return;
    require(false, polygon_mesh_name + "size: so small that there are more than " +
                       std::to_string(static_cast<long>(most)) + " nodes, from " + place_text(a) + " to " +
                       place_text(b));
  };
  require_few(length / least);
  // Cumulated number of pieces along the segment, by the midpoint rule.
  auto const samples = static_cast<std::size_t>(std::clamp(8 * length / least, 64.0, 1e7));
  std::vector<double> pieces(samples + 1, 0);
  for (std::size_t i = 0; i < samples; ++i) {
    double const step = length / static_cast<double>(samples);
    pieces[i + 1] = pieces[i] + step / size(place((static_cast<double>(i) + 0.5) / static_cast<double>(samples)));
  }
  require_few(pieces.back());  // between the first samples the size may be smaller still
  auto const count = static_cast<std::size_t>(std::max(1.0, std::ceil(pieces.back() - 0.1)));
  std::vector<double> result;
  for (std::size_t k = 1; k < count; ++k) {
    double const wanted = pieces.back() * static_cast<double>(k) / static_cast<double>(count);
    auto const above =
        static_cast<std::size_t>(std::lower_bound(pieces.begin(), pieces.end(), wanted) - pieces.begin());
    double const part = (wanted - pieces[above - 1]) / (pieces[above] - pieces[above - 1]);
    result.push_back((static_cast<double>(above - 1) + part) / static_cast<double>(samples));
  }
  result.push_back(1);
  return result;
}

void add_ring(Boundary& boundary, PolygonRing const& ring, std::size_t number, SizeAtPoint const& size, double most) {
  check_ring(ring, ring_name(number));
  int const first = static_cast<int>(boundary.points.size());
  for (std::size_t i = 0; i < ring.points.size(); ++i) {
    PlanePoint const &a = ring.points[i], &b = ring.points[(i + 1) % ring.points.size()];
    if (a == b)
      require(false, polygon_mesh_name + segment_name(number, i) + ": its ends " + place_text(a) + " coincide");
    boundary.points.push_back(a);
    boundary.origin.push_back({number, i});
    for (double const t : cuts(a, b, size, most)) {
      int const from = static_cast<int>(boundary.points.size()) - 1;
      boundary.pieces.push_back({number, i, from, from + 1, ring.labels[i]});
      if (t == 1) break;
      boundary.points.push_back({a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])});
      boundary.origin.push_back({number, i});
    }
    require(static_cast<double>(boundary.points.size()) < most,
            polygon_mesh_name + "size: so small that there are too many nodes");
  }
  boundary.pieces.back().to = first;
}

/// Order in which points are inserted into the triangulation. Short boundaries: along the rings. Long ones: first every
/// so many-th point along the rings, then those in between, and so on. In sequence along a long curve, each point would
/// destroy the fan of triangles of its predecessor, at a quadratic cost.
std::vector<int> insertion_order(std::size_t points) {
  constexpr std::size_t many = 1 << 12;
  std::vector<int> order;
  std::size_t step = points <= many ? 1 : std::bit_floor(points);
  for (std::size_t i = 0; i < points; i += step) order.push_back(detail::node_number(i));
  for (; step > 1; step /= 2) {
    for (std::size_t i = step / 2; i < points; i += step) order.push_back(detail::node_number(i));
  }
  return order;
}

/// Numbers the points in this order.
void renumber(Boundary& boundary, std::vector<int> const& order) {
  Boundary const old = boundary;
  std::vector<int> place(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    auto const from = static_cast<std::size_t>(order[n]);
    boundary.points[n] = old.points[from];
    boundary.origin[n] = old.origin[from];
    place[from] = detail::node_number(n);
  }
  for (Piece& piece : boundary.pieces) {
    piece.from = place[static_cast<std::size_t>(piece.from)];
    piece.to = place[static_cast<std::size_t>(piece.to)];
  }
}

/// Nodes of the triangulation are the nodes of the boundary after its own four.
Triangulation triangulate(Boundary const& boundary) {
  PlaneBox const box(boundary.points);
  Triangulation mesh(box.low, box.high);
  int start = 0;
  for (std::size_t i = 0; i < boundary.points.size(); ++i) {
    PlanePoint const& p = boundary.points[i];
    int const t = mesh.walk(start, p).triangle;
    require(t >= 0, polygon_mesh_name + "coordinates: differ by too little or too much");
    for (int n : mesh.triangle(t).node) {
      if (mesh.point(n) != p) continue;
      auto const& other = boundary.origin[static_cast<std::size_t>(n - 4)];
      require(false, polygon_mesh_name + segment_name(boundary.origin[i][0], boundary.origin[i][1]) + ": touches " +
                         segment_name(other[0], other[1]) + " at " + place_text(p));
    }
    mesh.cavity(t, p);
    require(mesh.fill(p) >= 0, polygon_mesh_name + "coordinates: differ by too little or too much");
    start = mesh.made().front();
  }
  for (std::size_t s = 0; s < boundary.pieces.size(); ++s) {
    Piece const& piece = boundary.pieces[s];
    auto const obstacle = mesh.lay_segment(piece.from + 4, piece.to + 4, static_cast<int>(s));
    std::string const name = segment_name(piece.ring, piece.segment);
    if (obstacle.node >= 0) {
      auto const& other = boundary.origin[static_cast<std::size_t>(obstacle.node - 4)];
      require(false, polygon_mesh_name + name + ": touches " + segment_name(other[0], other[1]) + " at " +
                         place_text(mesh.point(obstacle.node)));
    }
    if (obstacle.segment >= 0) {
      Piece const& other = boundary.pieces[static_cast<std::size_t>(obstacle.segment)];
      require(false, polygon_mesh_name + name + ": crosses " + segment_name(other.ring, other.segment) + " near " +
                         place_text(mesh.point(piece.from + 4)));
    }
  }
  mesh.make_delaunay();
  return mesh;
}

/// Removes triangles that are outside, or in a hole.
void carve(Triangulation& mesh, Boundary const& boundary) {
  constexpr int unknown = -2, inside = -1, outside = 0;  // in hole k: k
  std::vector<int> where(mesh.triangles().size(), unknown);
  std::vector<int> open;
  for (std::size_t t = 0; t < where.size() && open.empty(); ++t) {
    auto const& n = mesh.triangles()[t].node;
    if (n[0] == 0 || n[1] == 0 || n[2] == 0) open.push_back(static_cast<int>(t));
  }
  where[static_cast<std::size_t>(open.front())] = outside;
  while (!open.empty()) {
    int const t = open.back();
    open.pop_back();
    int const here = where[static_cast<std::size_t>(t)];
    for (std::size_t i = 0; i < 3; ++i) {
      int const next = mesh.triangle(t).next[i];
      if (next < 0 || where[static_cast<std::size_t>(next)] != unknown) continue;
      int there = here;
      if (int const segment = mesh.triangle(t).segment[i]; segment >= 0) {
        int const ring = static_cast<int>(boundary.pieces[static_cast<std::size_t>(segment)].ring);
        std::string const name = ring_name(static_cast<std::size_t>(ring));
        require(here != outside || ring == 0, polygon_mesh_name + name + ": lies outside the outer ring");
        require(here <= 0 || here == ring,
                polygon_mesh_name + name + ": lies in " + ring_name(static_cast<std::size_t>(here)));
        there = here == inside ? ring : inside;
      }
      where[static_cast<std::size_t>(next)] = there;
      open.push_back(next);
    }
  }
  std::vector<char> drop(where.size());
  std::transform(where.begin(), where.end(), drop.begin(), [](int w) { return w == inside ? 0 : 1; });
  mesh.carve(drop);
}

/// True if the angle of the domain at a point of a ring is less than 60 degrees. `side` is 1 when the domain lies on
/// the left of the given ring, else -1.
bool sharp(PolygonRing const& ring, std::size_t i, double side) {
  std::size_t const n = ring.points.size();
  PlanePoint const &a = ring.points[(i + n - 1) % n], &b = ring.points[i], &c = ring.points[(i + 1) % n];
  double const cross = (c[0] - b[0]) * (a[1] - b[1]) - (c[1] - b[1]) * (a[0] - b[0]);
  double const dot = (c[0] - b[0]) * (a[0] - b[0]) + (c[1] - b[1]) * (a[1] - b[1]);
  double const angle = std::atan2(side * cross, dot);
  return angle > 0 && angle < std::numbers::pi / 3 * (1 - 1e-9);
}

bool anticlockwise(PolygonRing const& ring) {
  double sum = 0;
  PlanePoint const& o = ring.points.front();
  for (std::size_t i = 0; i < ring.points.size(); ++i) {
    PlanePoint const &a = ring.points[i], &b = ring.points[(i + 1) % ring.points.size()];
    sum += (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  }
  return sum > 0;
}

/// Shortest allowed length of each piece. Where two segments meet at a sharp angle, halving one would force halving the
/// other, without end.
std::vector<double> shortest_pieces(Boundary const& boundary, Polygon const& polygon) {
  std::vector<double> lengths;
  for (Piece const& piece : boundary.pieces) {
    PlanePoint const &a = boundary.points[static_cast<std::size_t>(piece.from)],
                     &b = boundary.points[static_cast<std::size_t>(piece.to)];
    lengths.push_back(std::hypot(b[0] - a[0], b[1] - a[1]));
  }
  double const least = *std::min_element(lengths.begin(), lengths.end());
  std::vector<double> sides{anticlockwise(polygon.outer) ? 1.0 : -1.0};
  for (PolygonRing const& hole : polygon.holes) sides.push_back(anticlockwise(hole) ? -1 : 1);
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    Piece const& piece = boundary.pieces[p];
    PolygonRing const& ring = piece.ring == 0 ? polygon.outer : polygon.holes[piece.ring - 1];
    double const side = sides[piece.ring];
    bool const meets = sharp(ring, piece.segment, side) || sharp(ring, (piece.segment + 1) % ring.points.size(), side);
    lengths[p] = meets ? 0.1 * lengths[p] : 1e-4 * least;
  }
  return lengths;
}

/// `order` is that in which the points of the boundary were numbered; they return to their places along the rings.
MeshData result(Triangulation const& mesh, Boundary const& boundary, std::vector<int> const& order,
                Polygon const& polygon) {
  MeshData data;
  auto const number = [&](int node) {
    auto const n = static_cast<std::size_t>(node - 4);
    return n < order.size() ? order[n] : node - 4;
  };
  data.nodes.resize(mesh.points().size() - 4);
  for (std::size_t n = 4; n < mesh.points().size(); ++n) {
    data.nodes[static_cast<std::size_t>(number(static_cast<int>(n)))] = mesh.points()[n];
  }
  std::vector<int> next(data.nodes.size(), -1), label(data.nodes.size(), 0);
  for (auto const& t : mesh.triangles()) {
    if (t.node[0] < 0) continue;
    data.triangles.push_back({number(t.node[0]), number(t.node[1]), number(t.node[2])});
    for (std::size_t i = 0; i < 3; ++i) {
      if (t.segment[i] < 0) continue;
      auto const from = static_cast<std::size_t>(number(t.node[(i + 1) % 3]));
      next[from] = number(t.node[(i + 2) % 3]);
      label[from] = boundary.pieces[static_cast<std::size_t>(t.segment[i])].label;
    }
  }
  data.regions.assign(data.triangles.size(), 1);
  data.region_names = {{1, "domain"}};
  // Along the rings, one after the other.
  for (std::size_t first = 0; first < next.size(); ++first) {
    for (std::size_t n = first; next[n] >= 0;) {
      int const to = next[n];
      detail::add_edge(data, static_cast<int>(n), to, label[n]);
      next[n] = -1;
      n = static_cast<std::size_t>(to);
    }
  }
  data.boundary_names = polygon.boundary_names;
  return data;
}

}  // namespace

void PolygonRing::add_arc(std::array<double, 2> center, double radius, double from, double to, double size, int label) {
  detail::require_length(radius, "PolygonRing::add_arc", "radius");
  detail::require_length(size, "PolygonRing::add_arc", "size");
  require(std::isfinite(from) && std::isfinite(to), "PolygonRing::add_arc: angles must be finite");
  detail::require_countable(std::abs(to - from) * radius / size, "PolygonRing::add_arc");
  int const pieces = std::max(1, static_cast<int>(std::ceil(std::abs(to - from) * radius / size * (1 - 1e-12))));
  for (int i = 0; i < pieces; ++i) {
    double const angle = from + (to - from) * i / pieces;
    add(center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle), label);
  }
}

MeshData mesh_polygon(Polygon const& polygon, PolygonMeshOptions const& options) {
  require(options.minimum_angle >= 0 && options.minimum_angle <= 30,
          polygon_mesh_name + "minimum_angle: must be 0 to 30 degrees");
  require(options.smoothing >= 0, polygon_mesh_name + "smoothing: must be at least 0");
  require(options.most_nodes >= 3 && options.most_nodes <= std::numeric_limits<int>::max() / 4,
          polygon_mesh_name + "most_nodes: must be 3 to 2^29");
  SizeAtPoint const size = [&](PlanePoint const& p) {
    double const wanted = options.size_at ? options.size_at(p[0], p[1]) : options.size;
    if (!(std::isfinite(wanted) && wanted > 0)) {
      require(false, polygon_mesh_name + "size: " + detail::number_text(wanted) + " at " + place_text(p) +
                         ": must be positive and finite");
    }
    return wanted;
  };
  Boundary boundary;
  for (std::size_t ring = 0; ring <= polygon.holes.size(); ++ring) {
    add_ring(boundary, ring == 0 ? polygon.outer : polygon.holes[ring - 1], ring, size, options.most_nodes);
  }
  std::vector<int> const order = insertion_order(boundary.points.size());
  renumber(boundary, order);
  Triangulation mesh = triangulate(boundary);
  carve(mesh, boundary);
  detail::refine(mesh, shortest_pieces(boundary, polygon), size, options);
  detail::smooth(mesh, options);
  return result(mesh, boundary, order, polygon);
}

}  // namespace karman
