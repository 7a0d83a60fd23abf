// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems with a known solution, for every kind of side and in one, two and three dimensions.
#pragma once

#include "fields.hpp"
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace karman::test {

/// On the unit cube, div(grad u) = rhs with u a product of waves, one per axis, that suit the sides of that axis. With
/// Boundary::fixed the ghost centres lie on the sides of the cube; with the others the faces of the cells do.
struct PoissonCase {
  UniformGrid grid;
  Boundaries sides;

  struct Wave {
    double frequency = 0, phase = 0;
    double operator()(double x) const { return std::cos(frequency * x + phase); }
  };

  int cells(int axis) const { return std::array{grid.nx(), grid.ny(), grid.nz()}[static_cast<std::size_t>(axis)]; }

  Wave wave(int axis) const {
    using std::numbers::pi;
    Boundary const upper = sides[static_cast<Side>(2 * axis)], lower = sides[static_cast<Side>(2 * axis + 1)];
    if (lower == Boundary::periodic) return cells(axis) == 1 ? Wave{} : Wave{2 * pi, 0.4};
    if (lower == Boundary::neumann && upper == Boundary::neumann) return cells(axis) == 1 ? Wave{} : Wave{pi, 0};
    if (lower == Boundary::neumann) return {1.5, 0};
    if (upper == Boundary::neumann) return {1.5, -1.5};
    return {2, -1.2};
  }

  /// Centre of cell `at` of an axis, also beyond the ends.
  double center(int axis, int at) const {
    if (axis == 2) return grid.z_center(at);
    return grid.origin()[static_cast<std::size_t>(axis)] + (at + 0.5) * (axis == 0 ? grid.dx() : grid.dy());
  }

  double exact(int k, int j, int i) const {
    return wave(0)(center(0, i)) * wave(1)(center(1, j)) * wave(2)(center(2, k));
  }
  double rhs(int k, int j, int i) const {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) sum += wave(axis).frequency * wave(axis).frequency;
    return -sum * exact(k, j, i);
  }
  /// The value where `side` has one.
  double beyond(Side side, int slow, int fast) const {
    int const axis = static_cast<int>(side) / 2;
    double const at = static_cast<int>(side) % 2 == 0 ? 1 : 0;
    switch (axis) {
      case 0: return wave(0)(at) * wave(1)(center(1, fast)) * wave(2)(center(2, slow));
      case 1: return wave(0)(center(0, fast)) * wave(1)(at) * wave(2)(center(2, slow));
      default: return wave(0)(center(0, fast)) * wave(1)(center(1, slow)) * wave(2)(at);
    }
  }

  template <class T>
  HostField<T> exact_field() const {
    return HostField<T>(grid.extents(Location::cell)).fill([&](int k, int j, int i) { return exact(k, j, i); });
  }
  template <class T>
  HostField<T> rhs_field() const {
    return HostField<T>(grid.extents(Location::cell)).fill([&](int k, int j, int i) { return rhs(k, j, i); });
  }

  /// Gives an operator or a solver its boundary values.
  template <class T, class Exec, class Solver>
  void set_boundary_values(Exec const& space, Solver& solver) const {
    for (int number = 0; number < 6; ++number) {
      Side const side = static_cast<Side>(number);
      if (sides[side] == Boundary::periodic || sides[side] == Boundary::neumann) continue;
      int const slow = number < 4 ? grid.nz() : grid.ny(), fast = number < 2 ? grid.ny() : grid.nx();
      solver.set_boundary_values(space, side,
                                 make_plane<T>(space, slow, fast, [&](int a, int b) { return beyond(side, a, b); }));
    }
  }
};

/// Named kinds of sides for a number of dimensions.
struct NamedSides {
  std::string name;
  Boundaries sides;
};

inline std::vector<NamedSides> sides_in(int dimensions) {
  auto const flat = [&](Boundaries sides) {
    if (dimensions < 3) sides.top = sides.bottom = Boundary::neumann;
    if (dimensions < 2) sides.north = sides.south = Boundary::neumann;
    return sides;
  };
  Boundaries mixed = Boundaries::all(Boundary::dirichlet);
  mixed.west = mixed.north = mixed.bottom = Boundary::neumann;
  Boundaries periodic_and_dirichlet = Boundaries::all(Boundary::dirichlet);
  periodic_and_dirichlet.east = periodic_and_dirichlet.west = Boundary::periodic;
  if (dimensions == 1) periodic_and_dirichlet = mixed;
  return {{"dirichlet", flat(Boundaries::all(Boundary::dirichlet))},
          {"fixed", flat(Boundaries::all(Boundary::fixed))},
          {"mixed", flat(mixed)},
          {"periodic and dirichlet", flat(periodic_and_dirichlet)},
          {"periodic", flat(Boundaries::all(Boundary::periodic))},
          {"neumann", flat(Boundaries::all(Boundary::neumann))}};
}

inline PoissonCase cube_case(int dimensions, int n, Boundaries const& sides) {
  std::array<int, 3> const cells{n, dimensions > 1 ? n : 1, dimensions > 2 ? n : 1};
  std::array<double, 3> spacing{}, origin{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bool const fixed = sides[static_cast<Side>(2 * axis)] == Boundary::fixed;
    spacing[axis] = 1.0 / (fixed ? cells[axis] + 1 : cells[axis]);
    origin[axis] = fixed ? 0.5 * spacing[axis] : 0;
  }
  return {UniformGrid(cells, spacing, origin), sides};
}

/// Root mean square of the difference; where a constant is free, without the mean of the difference.
template <class T>
double rms_error(HostField<T> const& field, HostField<T> const& exact, bool less_mean = false) {
  auto const count = static_cast<double>(field.values.size());
  double mean = 0;
  for (std::size_t n = 0; n < field.values.size(); ++n) {
    mean += (double(field.values[n]) - double(exact.values[n])) / count;
  }
  if (!less_mean) mean = 0;
  double sum = 0;
  for (std::size_t n = 0; n < field.values.size(); ++n) {
    double const difference = double(field.values[n]) - double(exact.values[n]) - mean;
    sum += difference * difference;
  }
  return std::sqrt(sum / count);
}

/// Measured order of accuracy between the last two of some grids.
inline double last_order(std::vector<int> const& cells, std::vector<double> const& errors) {
  std::size_t const n = cells.size();
  return std::log(errors[n - 2] / errors[n - 1]) / std::log(double(cells[n - 1]) / cells[n - 2]);
}

}  // namespace karman::test
