// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace karman::detail {
namespace {

/// Measures of a triangle: edges and area.
struct Measures {
  double ab2, bc2, ca2;  ///< squares of the lengths
  double twice;          ///< the area

  Measures(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c)
      : ab2(distance2(a, b)),
        bc2(distance2(b, c)),
        ca2(distance2(c, a)),
        twice((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) {}

  /// Deviation from equilateral: sum of the squares of the edges over the area, 1 at best.
  double distortion() const { return (ab2 + bc2 + ca2) / (2 * std::numbers::sqrt3 * twice); }

  /// Square of the sine of the least angle, which the two longest edges enclose.
  double least_sine2() const {
    double const longest = std::max({ab2, bc2, ca2});
    double const second = std::max(std::min(ab2, bc2), std::min(std::max(ab2, bc2), ca2));
    return twice * twice / (second * longest);
  }
};

/// The triangles around every node, one list after the other.
struct Stars {
  std::vector<int> start, triangle;
  std::vector<char> fixed;
};

Stars stars(Triangulation const& mesh) {
  Stars s;
  s.start.assign(mesh.points().size() + 1, 0);
  s.fixed.assign(mesh.points().size(), 0);
  for (auto const& t : mesh.triangles()) {
    if (t.node[0] < 0) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      ++s.start[static_cast<std::size_t>(t.node[i]) + 1];
      if (t.segment[i] >= 0) {
        s.fixed[static_cast<std::size_t>(t.node[(i + 1) % 3])] = 1;
        s.fixed[static_cast<std::size_t>(t.node[(i + 2) % 3])] = 1;
      }
    }
  }
  for (std::size_t n = 1; n < s.start.size(); ++n) s.start[n] += s.start[n - 1];
  std::vector<int> next(s.start.begin(), s.start.end() - 1);
  s.triangle.resize(static_cast<std::size_t>(s.start.back()));
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    if (mesh.triangles()[t].node[0] < 0) continue;
    for (int n : mesh.triangles()[t].node) {
      s.triangle[static_cast<std::size_t>(next[static_cast<std::size_t>(n)]++)] = static_cast<int>(t);
    }
  }
  return s;
}

struct Quality {
  double sine2 = 2;       ///< square of the sine of the least angle
  double distortion = 0;  ///< sum

  /// True if it is less distorted than the limit, and its least angle no smaller.
  bool fits(Quality const& limit) const { return distortion < limit.distortion && sine2 >= limit.sine2; }
};
/// Limits that every quality fits.
constexpr Quality no_limits{-2, HUGE_VAL};

/// Quality of the triangles around a node if it lay at p, with exact orientation. Stops early where the limits are
/// exceeded: sums only grow, and the least angle only shrinks.
Quality quality(Triangulation const& mesh, int const* first, int const* last, int node, PlanePoint const& p,
                Quality const& limits) {
  Quality q;
  for (int const* t = first; t != last; ++t) {
    auto const& nodes = mesh.triangle(*t).node;
    auto const corner = [&](std::size_t i) -> PlanePoint const& { return nodes[i] == node ? p : mesh.point(nodes[i]); };
    PlanePoint const &a = corner(0), &b = corner(1), &c = corner(2);
    if (orientation(a, b, c) <= 0) return {-1, 1e300};
    Measures const triangle(a, b, c);
    q.sine2 = std::min(q.sine2, triangle.least_sine2());
    q.distortion += triangle.distortion();
    if (!q.fits(limits)) break;
  }
  return q;
}

/// Mean of the middles of the edges opposite to the node, weighted by their lengths. Large triangles pull as much as
/// small ones push, so that graded sizes stay graded.
PlanePoint better_place(Triangulation const& mesh, int const* first, int const* last, int node) {
  double weight = 0;
  PlanePoint sum{};
  for (int const* t = first; t != last; ++t) {
    auto const& n = mesh.triangle(*t).node;
    std::size_t const i = n[0] == node ? 0 : n[1] == node ? 1 : 2;
    auto const &a = mesh.point(n[(i + 1) % 3]), &b = mesh.point(n[(i + 2) % 3]);
    double const length = std::sqrt(distance2(a, b));
    weight += length;
    for (std::size_t x : {0, 1}) sum[x] += 0.5 * length * (a[x] + b[x]);
  }
  return {sum[0] / weight, sum[1] / weight};
}

}  // namespace

void smooth(Triangulation& mesh, PolygonMeshOptions const& options) {
  double const sine = std::sin((options.minimum_angle + 4) * std::numbers::pi / 180);
  double const enough = sine * sine;
  for (int round = 0; round < options.smoothing; ++round) {
    Stars const s = stars(mesh);
    for (std::size_t n = 4; n < mesh.points().size(); ++n) {
      int const *first = s.triangle.data() + s.start[n], *last = s.triangle.data() + s.start[n + 1];
      if (s.fixed[n] != 0 || first == last) continue;
      int const node = static_cast<int>(n);
      PlanePoint const old = mesh.point(node);
      Quality limits = quality(mesh, first, last, node, old, no_limits);
      limits.sine2 = std::min(limits.sine2, enough);
      PlanePoint const better = better_place(mesh, first, last, node);
      for (double const share : {1.0, 0.4}) {
        PlanePoint const p{old[0] + share * (better[0] - old[0]), old[1] + share * (better[1] - old[1])};
        if (quality(mesh, first, last, node, p, limits).fits(limits)) {
          mesh.move(node, p);
          break;
        }
      }
    }
    mesh.make_delaunay();
  }
}

}  // namespace karman::detail
