// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Problems for tests of multigrid: random right-hand sides, boxes on the ground, residuals by plain loops.
#pragma once

#include "fields.hpp"
#include "serial_sor.hpp"
#include <karman/solvers/grid/multigrid.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace karman::test {

/// Value 0 one cell beyond the sides and the top, no flux through the ground.
inline Boundaries over_ground() {
  Boundaries sides = Boundaries::all(Boundary::fixed);
  sides.bottom = Boundary::neumann;
  return sides;
}

template <class T>
HostField<T> random_field(UniformGrid const& grid, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  HostField<T> field(grid.extents(Location::cell));
  for (T& value : field.values) value = static_cast<T>(uniform(generator));
  return field;
}

/// Solid boxes on the ground, `share` of the cells or a little more.
inline HostField<std::uint8_t> random_boxes(UniformGrid const& grid, double share) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  auto const size = [&](int cells, double least, double most) {
    return std::max(1, static_cast<int>(cells * (least + (most - least) * uniform(generator))));
  };
  std::int64_t count = 0;
  while (static_cast<double>(count) < share * static_cast<double>(grid.cell_count())) {
    int const w = size(grid.nx(), 0.04, 0.16), d = size(grid.ny(), 0.04, 0.16), high = size(grid.nz(), 0.1, 0.6);
    int const x = static_cast<int>(uniform(generator) * (grid.nx() - w));
    int const y = static_cast<int>(uniform(generator) * (grid.ny() - d));
    for (int k = 0; k < high; ++k)
      for (int j = y; j < y + d; ++j)
        for (int i = x; i < x + w; ++i) {
          count += solid(k, j, i) == 0 ? 1 : 0;
          solid(k, j, i) = 1;
        }
  }
  return solid;
}

/// Solid cells here and there, `share` of all.
inline HostField<std::uint8_t> scattered_cells(UniformGrid const& grid, double share, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  for (auto& value : solid.values) value = uniform(generator) < share ? 1 : 0;
  return solid;
}

/// A problem in the memory of its kernels, and the equation as plain loops.
template <class Exec, class T>
struct MultigridCase {
  UniformGrid grid;
  MultigridSetup setup;
  SevenPointProblem<Exec, T> equation;
  HostField<T> rhs;
  SerialSor reference;

  MultigridCase(Exec const& space, UniformGrid const& g, Boundaries const& sides, MultigridSetup const& s = {},
                HostField<std::uint8_t> const& solid = {})
      : grid(g), setup(s), equation(g, sides), rhs(random_field<T>(g, 1)), reference{g, {1, 1, 1}, {}, {}, {}, {}} {
    // No empty View in between: g++ 12 fills one with zero bytes with Kokkos 4.6, and crashes on its assignment.
    equation.walls = solid.values.empty()
                         ? make_wall_codes(space, grid, sides)
                         : make_wall_codes(space, grid, sides, ConstField<Exec, std::uint8_t>(to_device(space, solid)));
    auto const c = unpack<Exec, double>(space, grid, equation.walls);
    reference.face = {to_host(space, c.east),  to_host(space, c.west), to_host(space, c.north),
                      to_host(space, c.south), to_host(space, c.top),  to_host(space, c.bottom)};
    reference.periodic = sides.periodic();
  }

  /// Solves from zero; the solution is left in the reference.
  SolveReport solve(Exec const& space, Multigrid<Exec, T>& multigrid, MultigridOptions const& options) {
    auto const lambda = to_device(space, HostField<T>(grid.extents(Location::cell)));
    auto const report = multigrid.solve(space, lambda, to_device(space, rhs), options);
    keep(to_host(space, lambda));
    return report;
  }
  SolveReport solve(Exec const& space, MultigridOptions const& options) {
    Multigrid<Exec, T> multigrid(space, equation, setup);
    return solve(space, multigrid, options);
  }

  void keep(HostField<T> const& lambda) {
    reference.lambda = HostField<double>(grid.extents(Location::cell));
    reference.rhs = reference.lambda;
    for (std::size_t n = 0; n < rhs.values.size(); ++n) {
      reference.lambda.values[n] = static_cast<double>(lambda.values[n]);
      reference.rhs.values[n] = static_cast<double>(rhs.values[n]);
    }
  }

  /// Subtracts the mean from the right-hand side of every set of cells that walls isolate from all given values.
  /// Otherwise it has no solution.
  void balance() {
    std::vector<int> set(rhs.values.size());
    std::iota(set.begin(), set.end(), 0);
    auto const number = [&](int k, int j, int i) { return (k * grid.ny() + j) * grid.nx() + i; };
    auto const root = [&](int cell) {
      while (set[std::size_t(cell)] != cell) cell = set[std::size_t(cell)] = set[std::size_t(set[std::size_t(cell)])];
      return cell;
    };
    std::array const n{grid.nx(), grid.ny(), grid.nz()};
    std::vector<int> held;
    for_equations([&](int k, int j, int i) {
      for (std::size_t f = 0; f < 6; ++f) {
        if (reference.face[f](k, j, i) == 0) continue;
        std::array at{i, j, k};
        at[f / 2] += f % 2 == 0 ? 1 : -1;
        bool const outside = at[f / 2] < 0 || at[f / 2] >= n[f / 2];
        if (outside && !reference.periodic[f / 2]) {
          held.push_back(number(k, j, i));
        } else {
          at[f / 2] = (at[f / 2] + n[f / 2]) % n[f / 2];
          set[std::size_t(root(number(k, j, i)))] = root(number(at[2], at[1], at[0]));
        }
      }
    });
    std::vector<double> sum(set.size(), 0), volume(sum);
    std::vector<bool> holds(set.size(), false);
    for (int const cell : held) holds[std::size_t(root(cell))] = true;
    for_equations([&](int k, int j, int i) {
      auto const s = std::size_t(root(number(k, j, i)));
      sum[s] += grid.dz(k) * static_cast<double>(rhs(k, j, i));
      volume[s] += grid.dz(k);
    });
    for_equations([&](int k, int j, int i) {
      auto const s = std::size_t(root(number(k, j, i)));
      if (!holds[s]) rhs(k, j, i) -= static_cast<T>(sum[s] / volume[s]);
    });
  }

  /// max |residual| / max |b| of the solution, by plain loops. Where the problem is singular, the residual is that of
  /// the right-hand side without its mean. max |b| is always that of the whole.
  double relative_residual(bool singular) const {
    SerialSor problem = reference;
    double sum = 0, volume = 0;
    for_equations([&](int k, int j, int i) {
      sum += grid.dz(k) * problem.rhs(k, j, i);
      volume += grid.dz(k);
    });
    double largest = 0;
    for_equations([&](int k, int j, int i) {
      largest = std::max(largest, std::abs(problem.rhs(k, j, i)));
      if (singular) problem.rhs(k, j, i) -= sum / volume;
    });
    return problem.residual() / largest;
  }

  /// Calls use(k, j, i) for the cells that have an equation.
  template <class Use>
  void for_equations(Use const& use) const {
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j)
        for (int i = 0; i < grid.nx(); ++i) {
          double open = 0;
          for (auto const& face : reference.face) open += face(k, j, i);
          if (open > 0) use(k, j, i);
        }
  }
};

/// The inner product in which the equations are self-adjoint: weighted with the thickness of the layers.
template <class Exec, class T>
double product(Exec const& space, UniformGrid const& grid, Field<Exec, T> const& a, HostField<T> const& b) {
  auto const host = to_host(space, a);
  double sum = 0;
  for (int k = 0; k < grid.nz(); ++k)
    for (int j = 0; j < grid.ny(); ++j)
      for (int i = 0; i < grid.nx(); ++i)
        sum += grid.dz(k) * static_cast<double>(host(k, j, i)) * static_cast<double>(b(k, j, i));
  return sum;
}

/// The mean factor per cycle at the end of a solve.
inline double last_factor(SolveReport const& report) {
  std::size_t const n = report.history.size();
  if (n < 4) return 0;
  return std::cbrt(report.history[n - 1].residual / report.history[n - 4].residual);
}

}  // namespace karman::test
