// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"

#include "mesh_predicates.hpp"
#include <karman/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace karman::detail {
namespace {

/// Smallest angle of a triangle, radians; 0 for a clockwise one.
double smallest_angle(MeshData const& mesh, int a, int b, int c) {
  auto const& p = mesh.nodes[static_cast<std::size_t>(a)];
  auto const& q = mesh.nodes[static_cast<std::size_t>(b)];
  auto const& r = mesh.nodes[static_cast<std::size_t>(c)];
  double const twice_area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  if (twice_area <= 0) return 0;
  std::array<double, 3> squares{distance2(p, q), distance2(q, r), distance2(r, p)};
  std::sort(squares.begin(), squares.end());
  return std::atan2(2 * twice_area, squares[1] + squares[2] - squares[0]);
}

}  // namespace

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string place_text(std::array<double, 2> const& place) {
  return '(' + number_text(place[0]) + ", " + number_text(place[1]) + ')';
}

void require_length(double value, std::string const& who, std::string const& what) {
  require(std::isfinite(value) && value > 0,
          who + ": " + what + ": " + number_text(value) + ": must be positive and finite");
}

void require_countable(double nodes, std::string const& who) {
  require(nodes <= most_nodes, who + ": size: too small: more than 2^31 - 1 nodes or triangles");
}

double steps_along(double from, double to, double size, std::string const& who) {
  require_length(size, who, "size");
  require_length(to - from, who, "length of a side");
  return std::max(1.0, std::ceil((to - from) / size * (1 - 1e-12)));
}

std::vector<double> equal_steps(double from, double to, double steps) {
  auto const n = static_cast<std::size_t>(steps);
  std::vector<double> x(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    double const t = static_cast<double>(i) / static_cast<double>(n);
    x[i] = (1 - t) * from + t * to;
  }
  return x;
}

void add_cell(MeshData& mesh, std::array<int, 4> const& c, DiagonalPattern diagonals, bool even) {
  if (diagonals == DiagonalPattern::crossed) {
    int const middle = static_cast<int>(mesh.nodes.size());
    auto const corner = [&](std::size_t i) { return mesh.nodes[static_cast<std::size_t>(c[i])]; };
    auto const mean = [](std::array<double, 2> const& p, std::array<double, 2> const& q) {
      return std::array<double, 2>{0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])};
    };
    mesh.nodes.push_back(mean(mean(corner(0), corner(2)), mean(corner(1), corner(3))));
    for (std::size_t side = 0; side < 4; ++side) mesh.triangles.push_back({c[side], c[(side + 1) % 4], middle});
  } else if (diagonals == DiagonalPattern::right || (diagonals == DiagonalPattern::alternating && even)) {
    mesh.triangles.push_back({c[0], c[1], c[2]});
    mesh.triangles.push_back({c[0], c[2], c[3]});
  } else {
    mesh.triangles.push_back({c[0], c[1], c[3]});
    mesh.triangles.push_back({c[1], c[2], c[3]});
  }
}

void add_better_cut(MeshData& mesh, std::array<int, 4> const& c, bool even) {
  double const rising = std::min(smallest_angle(mesh, c[0], c[1], c[2]), smallest_angle(mesh, c[0], c[2], c[3]));
  double const falling = std::min(smallest_angle(mesh, c[0], c[1], c[3]), smallest_angle(mesh, c[1], c[2], c[3]));
  // A smaller gain is not worth a break in the pattern.
  constexpr double gain = 1.4;
  bool const rises = even ? falling < gain * rising : rising >= gain * falling;
  add_cell(mesh, c, rises ? DiagonalPattern::right : DiagonalPattern::left, even);
}

void add_edge(MeshData& mesh, int from, int to, int label) {
  mesh.edges.push_back({from, to});
  mesh.edge_labels.push_back(label);
}

}  // namespace karman::detail
