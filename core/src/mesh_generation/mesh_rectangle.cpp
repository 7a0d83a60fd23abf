// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace karman {
namespace {

using detail::equal_steps;
using detail::node_number;
using detail::steps_along;

// Labels of the sides.
constexpr int south = 1, east = 2, north = 3, west = 4;

bool ascending(std::vector<double> const& values) {
  return values.size() >= 2 && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }) &&
         std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

/// Throws std::invalid_argument when the nodes or triangles of this many cells would outnumber int.
void require_countable_cells(double columns, double rows, DiagonalPattern diagonals, char const* who) {
  bool const crossed = diagonals == DiagonalPattern::crossed;
  double const cells = columns * rows;
  detail::require_countable(std::max((crossed ? 4 : 2) * cells, (columns + 1) * (rows + 1) + (crossed ? cells : 0)),
                            who);
}

/// A rectangle of equal cells. Checks their number before it allocates.
MeshData equal_cells(std::array<double, 2> const& low, std::array<double, 2> const& high, double size,
                     DiagonalPattern diagonals, char const* who) {
  double const columns = steps_along(low[0], high[0], size, who), rows = steps_along(low[1], high[1], size, who);
  require_countable_cells(columns, rows, diagonals, who);
  return mesh_rectangle(equal_steps(low[0], high[0], columns), equal_steps(low[1], high[1], rows), diagonals);
}

/// Numbers of the corners of cell (i, j): lower left, lower right, upper right, upper left.
std::array<int, 4> corners(int columns, int i, int j) {
  int const first = j * columns + i;
  return {first, first + 1, first + columns + 1, first + columns};
}

}  // namespace

std::vector<double> graded_coordinates(double from, double to, double first_step, double last_step) {
  std::string const who = "graded_coordinates";
  detail::require_length(to - from, who, "to - from");
  detail::require_length(first_step, who, "first_step");
  detail::require_length(last_step, who, "last_step");
  // With steps that change linearly with position, dn = dx / step(x).
  double const length = to - from;
  double const change = last_step / first_step - 1;
  double const per_step = std::abs(change) < 1e-6 ? 1 - 0.5 * change : std::log1p(change) / change;
  double const steps = std::ceil(length / first_step * per_step * (1 - 1e-12));
  require(steps < 2e9, who + ": first_step, last_step: too small for 2^31 - 1 coordinates");
  auto const n = std::max<std::size_t>(1, static_cast<std::size_t>(steps));
  double const log_ratio = n > 1 ? std::log(last_step / first_step) / static_cast<double>(n - 1) : 0;
  std::vector<double> x(n + 1);
  for (std::size_t i = 0; i <= n; ++i) {
    double const t = static_cast<double>(i) / static_cast<double>(n);
    double const all = log_ratio * static_cast<double>(n);
    double const part = std::abs(all) < 1e-9 ? t : std::expm1(all * t) / std::expm1(all);
    x[i] = from + length * part;
  }
  x.back() = to;
  require(ascending(x), who + ": steps: too small for different coordinates");
  return x;
}

MeshData mesh_rectangle(std::vector<double> const& x, std::vector<double> const& y, DiagonalPattern diagonals) {
  require(ascending(x) && ascending(y),
          "mesh_rectangle: x, y: must be at least two finite coordinates each, strictly ascending");
  require_countable_cells(static_cast<double>(x.size() - 1), static_cast<double>(y.size() - 1), diagonals,
                          "mesh_rectangle");
  bool const crossed = diagonals == DiagonalPattern::crossed;
  std::size_t const cells = (x.size() - 1) * (y.size() - 1);
  int const columns = node_number(x.size());
  int const rows = node_number(y.size());
  MeshData mesh;
  mesh.nodes.reserve(x.size() * y.size() + (crossed ? cells : 0));
  mesh.triangles.reserve(cells * (crossed ? 4 : 2));
  for (double const b : y) {
    for (double const a : x) mesh.nodes.push_back({a, b});
  }
  for (int j = 0; j + 1 < rows; ++j) {
    for (int i = 0; i + 1 < columns; ++i) detail::add_cell(mesh, corners(columns, i, j), diagonals, (i + j) % 2 == 0);
  }
  mesh.regions.assign(mesh.triangles.size(), 1);
  int const last = (rows - 1) * columns;
  for (int i = 0; i + 1 < columns; ++i) detail::add_edge(mesh, i, i + 1, south);
  for (int j = 0; j + 1 < rows; ++j) detail::add_edge(mesh, (j + 1) * columns - 1, (j + 2) * columns - 1, east);
  for (int i = columns - 1; i > 0; --i) detail::add_edge(mesh, last + i, last + i - 1, north);
  for (int j = rows - 1; j > 0; --j) detail::add_edge(mesh, j * columns, (j - 1) * columns, west);
  mesh.boundary_names = {{south, "south"}, {east, "east"}, {north, "north"}, {west, "west"}};
  mesh.region_names = {{1, "domain"}};
  return mesh;
}

MeshData mesh_rectangle(RectangleMesh const& shape) {
  return equal_cells(shape.low, shape.high, shape.size, shape.diagonals, "mesh_rectangle");
}

MeshData mesh_channel(ChannelMesh const& shape) {
  MeshData mesh = equal_cells({0, 0}, {shape.length, shape.width}, shape.size, shape.diagonals, "mesh_channel");
  for (int& label : mesh.edge_labels) label = label == west ? 2 : label == east ? 3 : 1;
  mesh.boundary_names = {{1, "wall"}, {2, "inflow"}, {3, "outflow"}};
  mesh.region_names = {{1, "water"}};
  return mesh;
}

}  // namespace karman
