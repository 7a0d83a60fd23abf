// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "probe.hpp"

namespace karman::wind {

std::array<int, 2> Probe::shape(UniformGrid const& grid) const {
  switch (kind) {
    case Kind::point: break;
    case Kind::vertical: return {1, grid.nz()};
    case Kind::line: return {1, samples};
    case Kind::plane: return {axis == Axis::z ? grid.ny() : grid.nz(), axis == Axis::x ? grid.ny() : grid.nx()};
  }
  return {1, 1};
}

std::int64_t Probe::count(UniformGrid const& grid) const {
  auto const [rows, columns] = shape(grid);
  return std::int64_t{rows} * columns;
}

std::array<double, 3> Probe::sample(UniformGrid const& grid, std::int64_t index, Terrain const& terrain) const {
  std::array<double, 3> result = place(grid, index);
  bool const lifted = kind == Kind::point || kind == Kind::line || (kind == Kind::plane && above_ground);
  if (lifted) result[2] += terrain.height_at(result[0], result[1]);
  return result;
}

std::array<double, 3> Probe::place(UniformGrid const& grid, std::int64_t index) const {
  auto const x = [&](std::int64_t i) { return (static_cast<double>(i) + 0.5) * grid.dx(); };
  auto const y = [&](std::int64_t j) { return (static_cast<double>(j) + 0.5) * grid.dy(); };
  auto const z = [&](std::int64_t k) { return grid.z_center(static_cast<int>(k)); };
  switch (kind) {
    case Kind::point: break;
    case Kind::vertical: return {from[0], from[1], z(index)};
    case Kind::line: {
      if (index == samples - 1) return to;
      double const share = static_cast<double>(index) / (samples - 1);
      std::array<double, 3> between{};
      for (std::size_t a = 0; a < 3; ++a) between[a] = from[a] + share * (to[a] - from[a]);
      return between;
    }
    case Kind::plane: {
      std::int64_t const columns = shape(grid)[1];
      std::int64_t const row = index / columns;
      std::int64_t const column = index % columns;
      if (axis == Axis::x) return {position, y(column), z(row)};
      if (axis == Axis::y) return {x(column), position, z(row)};
      return {x(column), y(row), position};
    }
  }
  return from;
}

Probe plane_above_ground(double height) {
  Probe plane;
  plane.kind = Probe::Kind::plane;
  plane.position = height;
  plane.above_ground = true;
  return plane;
}

}  // namespace karman::wind
