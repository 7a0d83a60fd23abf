// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_refinement.hpp"

#include <karman/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <string>

namespace karman::detail {
namespace {

using Triangle = Triangulation::Triangle;

// The circumradius of an equilateral triangle is 0.58 of its edge. A triangle counts as too large from this ratio on,
// which keeps the mean edge at the desired length.
constexpr double largest_radius = 0.75;

double squared(double x) { return x * x; }

/// True if p sees the segment a b under a right angle or more.
bool encroaches(PlanePoint const& a, PlanePoint const& b, PlanePoint const& p) {
  return (a[0] - p[0]) * (b[0] - p[0]) + (a[1] - p[1]) * (b[1] - p[1]) < 0;
}

class Refinement {
 public:
  Refinement(Triangulation& mesh, std::vector<double> const& shortest, SizeAtPoint const& size,
             PolygonMeshOptions const& options)
      : mesh_(mesh), shortest_(shortest), size_at_(size), options_(options) {
    largest_ratio_ = 0.5 / std::sin(std::max(options.minimum_angle, 0.01) * std::numbers::pi / 180);
    // The first four nodes lie outside.
    for (std::size_t n = 0; n < mesh.points().size(); ++n) node_size_.push_back(n < 4 ? 1 : size(mesh.points()[n]));
  }

  void run() {
    for (std::size_t t = 0; t < mesh_.triangles().size(); ++t) {
      if (mesh_.in_use(static_cast<int>(t))) look_at(static_cast<int>(t));
    }
    for (;;) {
      if (!cramped_.empty()) {
        Edge const edge = cramped_.back();
        cramped_.pop_back();
        if (mesh_.triangle(edge.triangle).stamp == edge.stamp) halve(edge.triangle, edge.opposite);
      } else if (!bad_.empty()) {
        Bad const bad = bad_.top();
        bad_.pop();
        if (mesh_.triangle(bad.triangle).stamp == bad.stamp) improve(bad.triangle);
      } else {
        return;
      }
    }
  }

 private:
  struct Edge {
    int triangle, opposite;
    unsigned stamp;
  };
  struct Bad {
    double urgency;
    int triangle;
    unsigned stamp;
    bool operator<(Bad const& other) const {
      return urgency != other.urgency ? urgency < other.urgency : triangle > other.triangle;
    }
  };

  struct Shape {
    PlanePoint to_center{};  ///< from node 0 to the circumcentre
    double radius2 = 0;
    double shortest2 = 0;
    std::size_t opposite = 0;  ///< the node opposite to the shortest edge
  };

  Shape shape(Triangle const& t) const {
    auto const &a = mesh_.point(t.node[0]), &b = mesh_.point(t.node[1]), &c = mesh_.point(t.node[2]);
    double const bx = b[0] - a[0], by = b[1] - a[1], cx = c[0] - a[0], cy = c[1] - a[1];
    double const twice = 2 * orientation(a, b, c);
    double const b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
    Shape s;
    s.to_center = {(cy * b2 - by * c2) / twice, (bx * c2 - cx * b2) / twice};
    s.radius2 = squared(s.to_center[0]) + squared(s.to_center[1]);
    std::array<double, 3> const edges2{distance2(b, c), c2, b2};
    s.opposite = static_cast<std::size_t>(std::min_element(edges2.begin(), edges2.end()) - edges2.begin());
    s.shortest2 = edges2[s.opposite];
    return s;
  }

  double wanted(int t) const {
    auto const& n = mesh_.triangle(t).node;
    double const mean = (node_size_[static_cast<std::size_t>(n[0])] + node_size_[static_cast<std::size_t>(n[1])] +
                         node_size_[static_cast<std::size_t>(n[2])]) /
                        3;
    return std::min(mean, size_at_(mesh_.centroid(t)));
  }

  /// Records the fault of a triangle.
  void look_at(int t) {
    Triangle const& triangle = mesh_.triangle(t);
    for (std::size_t i = 0; i < 3; ++i) {
      if (triangle.segment[i] < 0) continue;
      if (encroaches(mesh_.point(triangle.node[after[i]]), mesh_.point(triangle.node[before[i]]),
                     mesh_.point(triangle.node[i]))) {
        cramped_.push_back({t, static_cast<int>(i), triangle.stamp});
      }
    }
    Shape const s = shape(triangle);
    double const too_large = s.radius2 / squared(largest_radius * wanted(t));
    double const too_thin = s.radius2 / (s.shortest2 * squared(largest_ratio_));
    // Large ones first; shapes after sizes.
    if (too_large > 1) bad_.push({1 + too_large, t, triangle.stamp});
    else if (too_thin > 1) bad_.push({1 - 1 / too_thin, t, triangle.stamp});
  }

  void look_at_made(int node) {
    if (node >= 0) {
      node_size_.push_back(size_at_(mesh_.point(node)));
      if (mesh_.points().size() > static_cast<std::size_t>(options_.most_nodes) + 4) {
        require(false, "mesh_polygon: size: so small that there are more than " + std::to_string(options_.most_nodes) +
                           " nodes");
      }
    }
    std::vector<int> const made = mesh_.made();
    for (int t : made) look_at(t);
  }

  bool halve(int t, int i) {
    Triangle const& triangle = mesh_.triangle(t);
    std::size_t const k = static_cast<std::size_t>(i);
    PlanePoint const &a = mesh_.point(triangle.node[after[k]]), &b = mesh_.point(triangle.node[before[k]]);
    if (distance2(a, b) < squared(2 * shortest_[static_cast<std::size_t>(triangle.segment[k])])) return false;
    int const node = mesh_.split_edge(t, i, {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])});
    if (node < 0) return false;
    look_at_made(node);
    return true;
  }

  /// A better place for a node than the circumcentre, on the way there from the middle of the shortest edge. There it
  /// makes a triangle of the desired size with an angle that is just good enough.
  PlanePoint new_point(int t, Shape const& s) const {
    Triangle const& triangle = mesh_.triangle(t);
    PlanePoint const& origin = mesh_.point(triangle.node[0]);
    PlanePoint const center{origin[0] + s.to_center[0], origin[1] + s.to_center[1]};
    auto const &p = mesh_.point(triangle.node[after[s.opposite]]), &q = mesh_.point(triangle.node[before[s.opposite]]);
    PlanePoint const middle{0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])};
    double const far = std::sqrt(distance2(middle, center));
    double const half2 = 0.25 * s.shortest2;
    double const side = std::max(wanted(t), std::sqrt(s.shortest2));
    double const by_size = std::sqrt(squared(side) - half2);
    // The isosceles triangle over the edge, with the least angle at its apex.
    double const radius = 0.95 * largest_ratio_ * std::sqrt(s.shortest2);
    double const by_angle = radius + std::sqrt(std::max(0.0, squared(radius) - half2));
    double const distance = std::min(by_size, by_angle);
    if (!(distance < far)) return center;
    double const share = distance / far;
    return {middle[0] + share * (center[0] - middle[0]), middle[1] + share * (center[1] - middle[1])};
  }

  void improve(int t) {
    unsigned const stamp = mesh_.triangle(t).stamp;
    PlanePoint const p = new_point(t, shape(mesh_.triangle(t)));
    Triangulation::Place const place = mesh_.walk(t, p);
    if (place.triangle < 0) return;
    if (place.blocked_by >= 0) {
      if (mesh_.triangle(place.triangle).segment[static_cast<std::size_t>(place.blocked_by)] < 0) return;
      if (halve(place.triangle, place.blocked_by) && mesh_.triangle(t).stamp == stamp) look_at(t);
      return;
    }
    // Halves pieces of the boundary that the point would come too close to, instead of adding it.
    std::vector<std::array<int, 3>> close;
    for (Triangulation::Rim const& r : mesh_.cavity(place.triangle, p).rim) {
      if (r.segment >= 0 && encroaches(mesh_.point(r.from), mesh_.point(r.to), p))
        close.push_back({r.from, r.to, r.segment});
    }
    if (close.empty()) {
      int const node = mesh_.fill(p);
      if (node >= 0) look_at_made(node);
      return;
    }
    std::vector<Edge> edges;
    for (int const c : mesh_.cavity(place.triangle, p).triangles) {
      Triangle const& triangle = mesh_.triangle(c);
      for (std::size_t i = 0; i < 3; ++i) {
        if (triangle.segment[i] < 0) continue;
        if (encroaches(mesh_.point(triangle.node[after[i]]), mesh_.point(triangle.node[before[i]]), p)) {
          edges.push_back({c, static_cast<int>(i), triangle.stamp});
        }
      }
    }
    bool halved = false;
    for (Edge const& edge : edges) {
      if (mesh_.triangle(edge.triangle).stamp == edge.stamp && halve(edge.triangle, edge.opposite)) halved = true;
    }
    if (halved && mesh_.triangle(t).stamp == stamp) look_at(t);
  }

  Triangulation& mesh_;
  std::vector<double> const& shortest_;
  SizeAtPoint const& size_at_;
  PolygonMeshOptions const& options_;
  double largest_ratio_ = 1;
  std::vector<double> node_size_;
  std::vector<Edge> cramped_;
  std::priority_queue<Bad> bad_;
};

}  // namespace

void refine(Triangulation& mesh, std::vector<double> const& shortest, SizeAtPoint const& size,
            PolygonMeshOptions const& options) {
  Refinement(mesh, shortest, size, options).run();
}

}  // namespace karman::detail
