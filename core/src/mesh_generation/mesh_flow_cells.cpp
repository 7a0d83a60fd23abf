// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_parts.hpp"
#include <karman/core/error.hpp>
#include <karman/mesh/flow_mesh_generators.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace karman {
namespace {

using detail::number_text;
using Point = std::array<double, 2>;

constexpr double degree = std::numbers::pi / 180;

/// Side of a cell: from its first corner to its second, and so on anticlockwise.
enum class Side : std::size_t { bottom, right, top, left };

/// Array of cells, some of them left out.
struct CellArray {
  std::size_t columns = 0, rows = 0;                                           // cells
  std::function<Point(std::size_t column, std::size_t row)> node{};            // 0 to columns, 0 to rows
  std::function<bool(std::size_t column, std::size_t row)> present{};          // cell in the mesh
  std::function<int(std::size_t column, std::size_t row, Side side)> label{};  // side of a cell on the boundary
};

/// Throws std::invalid_argument when the nodes or triangles of this many cells would outnumber int.
void require_countable_cells(double columns, double rows, DiagonalPattern diagonals, std::string const& who) {
  detail::require_countable((diagonals == DiagonalPattern::crossed ? 4 : 2) * columns * rows + 2 * (columns + rows) + 1,
                            who);
}

/// Triangles and boundary edges of an array of cells.
class CellMesh {
 public:
  CellMesh(CellArray const& cells, DiagonalPattern diagonals)
      : cells_(cells), diagonals_(diagonals), numbers_((cells.columns + 1) * (cells.rows + 1), -1) {}

  MeshData make() && {
    add_nodes();
    for (std::size_t row = 0; row < cells_.rows; ++row) {
      for (std::size_t column = 0; column < cells_.columns; ++column) {
        if (cells_.present(column, row)) add_cell(column, row);
      }
    }
    mesh_.regions.assign(mesh_.triangles.size(), 1);
    mesh_.region_names = {{1, "domain"}};
    return std::move(mesh_);
  }

 private:
  /// A cell beyond the array is not in the mesh either: its number wraps around to a large one.
  bool present(std::size_t column, std::size_t row) const {
    return column < cells_.columns && row < cells_.rows && cells_.present(column, row);
  }

  int& number(std::size_t column, std::size_t row) { return numbers_[row * (cells_.columns + 1) + column]; }

  void add_nodes() {
    for (std::size_t row = 0; row <= cells_.rows; ++row) {
      for (std::size_t column = 0; column <= cells_.columns; ++column) {
        if (!present(column, row) && !present(column - 1, row) && !present(column, row - 1) &&
            !present(column - 1, row - 1)) {
          continue;
        }
        number(column, row) = detail::node_number(mesh_.nodes.size());
        mesh_.nodes.push_back(cells_.node(column, row));
      }
    }
  }

  void add_cell(std::size_t column, std::size_t row) {
    std::array<int, 4> const corners{number(column, row), number(column + 1, row), number(column + 1, row + 1),
                                     number(column, row + 1)};
    std::array<bool, 4> const outer{!present(column, row - 1), !present(column + 1, row), !present(column, row + 1),
                                    !present(column - 1, row)};
    for (std::size_t side = 0; side < 4; ++side) {
      if (!outer[side]) continue;
      detail::add_edge(mesh_, corners[side], corners[(side + 1) % 4],
                       cells_.label(column, row, static_cast<Side>(side)));
    }
    bool even = (column + row) % 2 == 0;
    if (diagonals_ != DiagonalPattern::alternating) {
      detail::add_cell(mesh_, corners, diagonals_, even);
      return;
    }
    // A corner of the domain gets two triangles: all nodes of a single one would be on the boundary.
    bool const rising = (outer[3] && outer[0]) || (outer[1] && outer[2]);
    bool const falling = (outer[0] && outer[1]) || (outer[2] && outer[3]);
    if (rising != falling) even = rising;
    detail::add_better_cut(mesh_, corners, even);
  }

  CellArray const& cells_;
  DiagonalPattern diagonals_;
  std::vector<int> numbers_;  // of the nodes of the array, -1: none
  MeshData mesh_;
};

/// Equal steps from a first to a middle and on to a last coordinate. `before` is their number before the middle.
struct SplitSteps {
  double before = 0, after = 0;

  SplitSteps(double middle, double last, double size, std::string const& who)
      : before(detail::steps_along(0, middle, size, who)), after(detail::steps_along(middle, last, size, who)) {}

  std::vector<double> coordinates(double middle, double last) const {
    auto x = detail::equal_steps(0, middle, before);
    auto const rest = detail::equal_steps(middle, last, after);
    x.insert(x.end(), rest.begin() + 1, rest.end());
    return x;
  }
};

void require_inside(double value, double limit, std::string const& who, std::string const& what) {
  detail::require_length(value, who, what);
  require(value < limit, who + ": " + what + ": " + number_text(value) + ": must be below " + number_text(limit));
}

/// Billig's shape of the bow shock of a cylinder around the origin, in the units of its radius.
class BilligShock {
 public:
  explicit BilligShock(double mach)
      : apex_(1 + 0.386 * std::exp(4.67 / (mach * mach))),
        curvature_radius_(1.386 * std::exp(1.8 / std::pow(mach - 1, 0.75))),
        cotangent2_(mach * mach - 1) {}

  /// Distance from the origin along a ray; not positive or not finite where the ray does not cross the shock.
  ///
  /// With x = r cos, y = r sin, the hyperbola is a quadratic equation of r. This is its root on the branch of the apex,
  /// in the form without cancellation.
  double distance(double angle) const {
    double const c = std::cos(angle), s = std::sin(angle);
    double const shift = curvature_radius_ * cotangent2_;  // between the apex and the centre of the hyperbola
    double const quadratic = c * c - s * s * cotangent2_;
    double const half_linear = (apex_ + shift) * c, constant = apex_ * (apex_ + 2 * shift);
    if (c <= 0 && quadratic >= 0) return 0;
    return constant / (half_linear + std::sqrt(half_linear * half_linear - quadratic * constant));
  }

 private:
  double apex_, curvature_radius_;
  double cotangent2_;  // of the Mach angle, the slope of the asymptotes
};

void require_front(BowShockMesh const& shape) {
  std::string const who = "mesh_bow_shock";
  detail::require_length(shape.radius, who, "radius");
  require(std::isfinite(shape.mach) && shape.mach > 1,
          who + ": mach: " + number_text(shape.mach) + ": must be above 1 and finite");
  require(shape.angle >= 10 && shape.angle <= 135,
          who + ": angle: " + number_text(shape.angle) + ": must be from 10 to 135 degrees");
  require(std::isfinite(shape.clearance) && shape.clearance >= 1,
          who + ": clearance: " + number_text(shape.clearance) + ": must be at least 1 and finite");
  require(shape.around >= 2, who + ": around: " + std::to_string(shape.around) + ": must be at least 2");
  require(shape.radial >= 1, who + ": radial: " + std::to_string(shape.radial) + ": must be at least 1");
  detail::require_length(shape.growth, who, "growth");
  require_countable_cells(shape.around, shape.radial, shape.diagonals, who);
}

/// Places from 0 to 1 whose steps grow by a factor.
std::vector<double> geometric_steps(int count, double growth) {
  std::vector<double> places(static_cast<std::size_t>(count) + 1);
  double const log_growth = std::log(growth), all = log_growth * count;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto const number = static_cast<double>(i);
    places[i] = std::abs(all) < 1e-9 ? number / count : std::expm1(log_growth * number) / std::expm1(all);
  }
  places.back() = 1;
  return places;
}

}  // namespace

MeshData mesh_bow_shock(BowShockMesh const& shape) {
  require_front(shape);
  auto const around = static_cast<std::size_t>(shape.around), radial = static_cast<std::size_t>(shape.radial);
  BilligShock const shock(shape.mach);
  std::vector<double> outer;
  std::vector<Point> rays;  // directions
  for (std::size_t i = 0; i <= around; ++i) {
    // Exactly opposite on both sides of the axis.
    double const part =
        shape.half ? static_cast<double>(i) / shape.around : (2 * static_cast<double>(i) - shape.around) / shape.around;
    double const angle = shape.angle * degree * part;
    double const distance = shock.distance(angle);
    require(std::isfinite(distance) && distance > 1 && distance < 1e6,
            "mesh_bow_shock: angle: " + number_text(shape.angle) + ": the outermost ray must cross the shock of mach " +
                number_text(shape.mach) + ": choose a smaller angle or a greater mach");
    outer.push_back(shape.radius * (1 + shape.clearance * (distance - 1)));
    rays.push_back({-std::cos(angle), std::sin(angle)});
  }
  auto const places = geometric_steps(shape.radial, shape.growth);
  for (std::size_t j = 0; j < radial; ++j) {
    require(places[j + 1] - places[j] > 1e-12,
            "mesh_bow_shock: growth: " + number_text(shape.growth) + ": too far from 1 for this many steps");
  }
  auto const node = [&](std::size_t i, std::size_t j) {
    double const r = (1 - places[j]) * shape.radius + places[j] * outer[i];
    return Point{r * rays[i][0], r * rays[i][1]};
  };
  auto const label = [&](std::size_t, std::size_t, Side side) {
    switch (side) {
      case Side::bottom: return 1;
      case Side::top: return 2;
      case Side::left: return shape.half ? 4 : 3;
      default: return 3;
    }
  };
  CellArray const cells{around, radial, node, [](std::size_t, std::size_t) { return true; }, label};
  MeshData mesh = CellMesh(cells, shape.diagonals).make();
  mesh.boundary_names = {{1, "cylinder"}, {2, "inflow"}, {3, "outflow"}};
  if (shape.half) mesh.boundary_names[4] = "symmetry";
  return mesh;
}

MeshData mesh_wedge(WedgeMesh const& shape) {
  std::string const who = "mesh_wedge";
  detail::require_length(shape.length, who, "length");
  detail::require_length(shape.height, who, "height");
  require_inside(shape.corner, shape.length, who, "corner");
  require(shape.angle >= -45 && shape.angle <= 45,
          who + ": angle: " + number_text(shape.angle) + ": must be from -45 to 45 degrees");
  double const slope = std::tan(shape.angle * degree);
  double const rise = slope * (shape.length - shape.corner);
  require(rise < 0.99 * shape.height, who + ": angle: " + number_text(shape.angle) + ": the ramp rises by " +
                                          number_text(rise) + " and must stay below 0.99 of the height " +
                                          number_text(shape.height));
  SplitSteps const columns(shape.corner, shape.length, shape.size, who);
  double const rows = detail::steps_along(0, shape.height, shape.size, who);
  require_countable_cells(columns.before + columns.after, rows, shape.diagonals, who);
  auto const x = columns.coordinates(shape.corner, shape.length);
  auto const part = detail::equal_steps(0, 1, rows);
  auto const node = [&](std::size_t i, std::size_t j) {
    double const bottom = x[i] > shape.corner ? slope * (x[i] - shape.corner) : 0;
    return Point{x[i], (1 - part[j]) * bottom + part[j] * shape.height};
  };
  auto const label = [](std::size_t, std::size_t, Side side) {
    switch (side) {
      case Side::left: return 1;
      case Side::right: return 2;
      case Side::bottom: return 3;
      default: return 4;
    }
  };
  CellArray const cells{x.size() - 1, part.size() - 1, node, [](std::size_t, std::size_t) { return true; }, label};
  MeshData mesh = CellMesh(cells, shape.diagonals).make();
  mesh.boundary_names = {{1, "inflow"}, {2, "outflow"}, {3, "wall"}, {4, "top"}};
  return mesh;
}

MeshData mesh_step(StepMesh const& shape) {
  std::string const who = "mesh_step";
  detail::require_length(shape.length, who, "length");
  detail::require_length(shape.height, who, "height");
  require_inside(shape.step_at, shape.length, who, "step_at");
  require_inside(shape.step_height, shape.height, who, "step_height");
  SplitSteps const columns(shape.step_at, shape.length, shape.size, who);
  SplitSteps const rows(shape.step_height, shape.height, shape.size, who);
  require_countable_cells(columns.before + columns.after, rows.before + rows.after, shape.diagonals, who);
  auto const x = columns.coordinates(shape.step_at, shape.length);
  auto const y = rows.coordinates(shape.step_height, shape.height);
  auto const step_column = static_cast<std::size_t>(columns.before), step_row = static_cast<std::size_t>(rows.before);
  auto const node = [&](std::size_t i, std::size_t j) { return Point{x[i], y[j]}; };
  auto const present = [&](std::size_t i, std::size_t j) { return i < step_column || j >= step_row; };
  auto const label = [&](std::size_t i, std::size_t, Side side) {
    if (side == Side::left && i == 0) return 1;
    return side == Side::right && i + 2 == x.size() ? 2 : 3;
  };
  CellArray const cells{x.size() - 1, y.size() - 1, node, present, label};
  MeshData mesh = CellMesh(cells, shape.diagonals).make();
  mesh.boundary_names = {{1, "inflow"}, {2, "outflow"}, {3, "wall"}};
  return mesh;
}

}  // namespace karman
