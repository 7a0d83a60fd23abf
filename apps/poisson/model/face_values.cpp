// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "face_values.hpp"

#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>

namespace karman::poisson {
namespace {

/// Position of index n along an axis: at cell centres, or at the lower faces of cells.
double position(UniformGrid const& grid, int axis, int n, bool on_face) {
  double const at = grid.own_box().begin[static_cast<std::size_t>(axis)] + n + (on_face ? 0.0 : 0.5);
  auto const& origin = grid.origin();
  if (axis == 0) return origin[0] + at * grid.dx();
  if (axis == 1) return origin[1] + at * grid.dy();
  return on_face ? grid.z_face(n) : grid.z_center(n);
}

/// (nk, nj, ni) of the faces normal to an axis.
std::array<int, 3> face_extents(UniformGrid const& grid, int axis) {
  constexpr std::array locations{Location::x_face, Location::y_face, Location::z_face};
  return grid.extents(locations[static_cast<std::size_t>(axis)]);
}

CellValues from_formula(Case const& input, Quantity const& quantity, LinearSystem const& system, int axis) {
  UniformGrid const& grid = system.grid;
  CellValues values;
  // The last face of a periodic axis is the first one, which another process may have.
  auto const slot = static_cast<std::size_t>(axis);
  bool const wraps =
      system.periodic(axis) && system.is_cut(2 * axis) && grid.own_box().end[slot] == grid.global_cells()[slot];
  int const last = system.cells()[slot];
  auto const middle = [&](int k, int j, int i) {
    for (int* const n : {&i, &j}) {
      if (wraps && (n == &i ? 0 : 1) == axis && *n == last) *n = -grid.own_box().begin[slot];
    }
    return Point{position(grid, 0, i, axis == 0), position(grid, 1, j, axis == 1), position(grid, 2, k, axis == 2), 0};
  };
  auto const good = [](double value) { return std::isfinite(value) && value > 0; };
  if (auto bad = evaluate(*quantity.expression, face_extents(grid, axis), middle, good, values)) {
    bad->cell = app::in_whole(grid, bad->cell);
    constexpr std::array where{"x-face", "y-face", "z-face"};
    throw_bad_value(input, quantity, *bad, where[static_cast<std::size_t>(axis)], "expected positive values");
  }
  return values;
}

CellValues from_cells(CellValues const& cells, LinearSystem const& system, int axis) {
  auto const extents = face_extents(system.grid, axis);
  auto const [nx, ny, nz] = system.cells();
  int const n = system.cells()[static_cast<std::size_t>(axis)];
  CellValues values;
  values.reserve(static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]) *
                 static_cast<std::size_t>(extents[2]));
  auto const cell = [&](int k, int j, int i) {
    return cells[static_cast<std::size_t>((std::int64_t{k} * ny + j) * nx + i)];
  };
  for (int k = 0; k < extents[0]; ++k) {
    for (int j = 0; j < extents[1]; ++j) {
      for (int i = 0; i < extents[2]; ++i) {
        std::array<int, 3> high{k, j, i}, low{k, j, i};
        auto const slot = static_cast<std::size_t>(2 - axis);
        low[slot] -= 1;
        if (low[slot] < 0) low[slot] = system.periodic(axis) ? n - 1 : 0;
        if (high[slot] >= n) high[slot] = system.periodic(axis) ? 0 : n - 1;
        double const a = cell(low[0], low[1], low[2]);
        double const b = cell(high[0], high[1], high[2]);
        values.push_back(2 * a * b / (a + b));
      }
    }
  }
  return values;
}

}  // namespace

void set_coefficient(Case const& input, Quantity const& coefficient, LinearSystem& system) {
  if (coefficient.is_constant()) {
    system.coefficient = coefficient.constant;
    return;
  }
  CellValues cells;
  if (coefficient.from_file() && system.grid.is_part()) {
    throw input.error("/coefficient", "expected a number or a formula: a coefficient from a file takes one process");
  }
  if (coefficient.from_file()) cells = cell_values(input, coefficient, system.grid, true);
  for (int axis = 0; axis < system.dimensions; ++axis) {
    CellValues& values = axis == 0 ? system.face_x : axis == 1 ? system.face_y : system.face_z;
    values = coefficient.from_file() ? from_cells(cells, system, axis) : from_formula(input, coefficient, system, axis);
    if (!system.periodic(axis) || system.is_cut(2 * axis)) continue;
    // The first and the last face of a periodic axis are the same.
    auto const extents = face_extents(system.grid, axis);
    auto const slot = static_cast<std::size_t>(2 - axis);
    std::array const strides{std::int64_t{extents[1]} * extents[2], std::int64_t{extents[2]}, std::int64_t{1}};
    std::array<int, 3> range = extents;
    range[slot] = 1;
    for (int k = 0; k < range[0]; ++k)
      for (int j = 0; j < range[1]; ++j)
        for (int i = 0; i < range[2]; ++i) {
          std::int64_t const first = k * strides[0] + j * strides[1] + i;
          values[static_cast<std::size_t>(first + (extents[slot] - 1) * strides[slot])] =
              values[static_cast<std::size_t>(first)];
        }
  }
}

std::array<int, 2> side_extents(UniformGrid const& grid, int side) {
  if (side / 2 == 0) return {grid.nz(), grid.ny()};
  if (side / 2 == 1) return {grid.nz(), grid.nx()};
  return {grid.ny(), grid.nx()};
}

std::array<int, 3> cell_at_side(int side, int last, int slow, int fast) {
  int const n = side % 2 == 0 ? last : 0;
  if (side / 2 == 0) return {slow, fast, n};
  if (side / 2 == 1) return {slow, n, fast};
  return {n, slow, fast};
}

CellValues side_values(Case const& input, Quantity const& quantity, UniformGrid const& grid, int side, double time) {
  auto const [slow, fast] = side_extents(grid, side);
  if (!quantity.expression) {
    return CellValues(static_cast<std::size_t>(slow) * static_cast<std::size_t>(fast), quantity.constant);
  }
  int const axis = side / 2;
  std::array const cells{grid.nx(), grid.ny(), grid.nz()};
  int const last = cells[static_cast<std::size_t>(axis)] - 1;
  auto const middle = [&](int, int a, int b) {
    auto const [k, j, i] = cell_at_side(side, last, a, b);
    std::array<int, 3> at{i, j, k};
    if (side % 2 == 0) at[static_cast<std::size_t>(axis)] += 1;
    return Point{position(grid, 0, at[0], axis == 0), position(grid, 1, at[1], axis == 1),
                 position(grid, 2, at[2], axis == 2), time};
  };
  CellValues values;
  auto const good = [](double value) { return std::isfinite(value); };
  if (auto bad = evaluate(*quantity.expression, {1, slow, fast}, middle, good, values)) {
    bad->cell = app::in_whole(grid, cell_at_side(side, last, bad->cell[1], bad->cell[2]));
    throw_bad_value(input, quantity, *bad, "the boundary cell", "expected finite values");
  }
  return values;
}

}  // namespace karman::poisson
