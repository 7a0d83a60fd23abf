// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The conformance problem of solvers on grids: a box of unit cells with given values one cell beyond its sides, or
/// closed all around.
#pragma once

#include "conformance.hpp"
#include "fields.hpp"
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <optional>
#include <random>
#include <vector>

namespace karman::test {

template <class Exec, class T>
class GridProblem {
 public:
  UniformGrid grid;
  Boundaries sides;
  Field<Exec, T> x, rhs;
  /// Set where the coefficients are poisoned.
  std::optional<FaceCoefficients<Exec, T>> coefficients;

  GridProblem(Exec const& space, std::array<int, 3> const& cells, ConformanceInput const& input,
              std::vector<double> const& guess)
      : grid(cells, {1, 1, 1}),
        sides(Boundaries::all(input.singular ? Boundary::neumann : Boundary::fixed)),
        value_(input.singular ? 0 : static_cast<double>(static_cast<T>(0.5 * input.size))),
        input_(input),
        host_rhs_(grid.extents(Location::cell)) {
    if (grid.nz() == 1) sides.top = sides.bottom = Boundary::neumann;
    std::mt19937 generator(5);
    double mean = 0;
    std::vector<double> values(host_rhs_.values.size());
    for (double& value : values) {
      value = double(generator() % 2001) / 1000 - 1;
      mean += value / double(values.size());
    }
    for (std::size_t n = 0; n < values.size(); ++n) {
      host_rhs_.values[n] = static_cast<T>(input.size * (values[n] - (input.singular ? mean : 0) + input.imbalance));
    }
    HostField<T> start(grid.extents(Location::cell));
    for (std::size_t n = 0; n < guess.size(); ++n) start.values[n] = static_cast<T>(guess[n]);
    x = to_device(space, start);
    auto poisoned = host_rhs_;
    if (input.poisoned == "rhs") poisoned(0, 2, 3) = static_cast<T>(input.poison);
    rhs = to_device(space, poisoned);
    if (input.poisoned == "coefficients") coefficients = poisoned_coefficients(space);
  }

  /// Gives a solver or an operator its boundary values.
  template <class Solver>
  void set_boundary_values(Exec const& space, Solver& solver) const {
    for (int number = 0; number < 6; ++number) {
      Side const side = static_cast<Side>(number);
      if (sides[side] != Boundary::fixed) continue;
      int const slow = number < 4 ? grid.nz() : grid.ny(), fast = number < 2 ? grid.ny() : grid.nx();
      bool const bad = input_.poisoned == "boundary values" && side == Side::north;
      solver.set_boundary_values(space, side, make_plane<T>(space, slow, fast, [&](int a, int b) {
                                   return bad && a == 0 && b == 1 ? input_.poison : value_;
                                 }));
    }
  }

  SevenPointProblem<Exec, T> equation() const {
    return coefficients ? SevenPointProblem<Exec, T>(grid, sides, *coefficients)
                        : SevenPointProblem<Exec, T>(grid, sides);
  }

  SevenPoint<Exec, T> operator_on(Exec const& space) const {
    SevenPoint<Exec, T> a(space, equation());
    set_boundary_values(space, a);
    return a;
  }

  ConformanceResult result(Exec const& space, SolveReport const& report) const {
    auto const values = to_host(space, x);
    ConformanceResult result{report, std::vector<double>(values.values.begin(), values.values.end()), 0};
    double mean = 0;
    for (T const b : host_rhs_.values) mean += input_.singular ? double(b) / double(host_rhs_.values.size()) : 0;
    double largest = 0, norm = 0;
    HostField<double> const zero(grid.extents(Location::cell));
    auto const each = [&](auto const& field, double beyond, double& most) {
      for (int k = 0; k < grid.nz(); ++k)
        for (int j = 0; j < grid.ny(); ++j)
          for (int i = 0; i < grid.nx(); ++i) {
            double const r = double(host_rhs_(k, j, i)) - mean - applied(field, k, j, i, beyond);
            if (!(std::abs(r) <= most)) most = std::abs(r);
          }
    };
    each(values, value_, largest);
    each(zero, value_, norm);
    result.residual = norm > 0 ? largest / norm : largest;
    return result;
  }

 private:
  FaceCoefficients<Exec, T> poisoned_coefficients(Exec const& space) const {
    auto c = unpack<Exec, T>(space, grid, make_wall_codes<Exec>(space, grid, sides));
    auto east = to_host(space, c.east), west = to_host(space, c.west);
    east(0, 3, 2) = west(0, 3, 3) = static_cast<T>(input_.poison);
    c.east = to_device(space, east);
    c.west = to_device(space, west);
    return c;
  }

  template <class F>
  double applied(F const& field, int k, int j, int i, double beyond) const {
    double const own = double(field(k, j, i));
    double sum = 0;
    auto const add = [&](bool inside, int kk, int jj, int ii, Side side) {
      if (inside) sum += double(field(kk, jj, ii)) - own;
      if (!inside && sides[side] == Boundary::fixed) sum += beyond - own;
    };
    add(i + 1 < grid.nx(), k, j, i + 1, Side::east);
    add(i > 0, k, j, i - 1, Side::west);
    add(j + 1 < grid.ny(), k, j + 1, i, Side::north);
    add(j > 0, k, j - 1, i, Side::south);
    add(k + 1 < grid.nz(), k + 1, j, i, Side::top);
    add(k > 0, k - 1, j, i, Side::bottom);
    return sum;
  }

  double value_;
  ConformanceInput input_;
  HostField<T> host_rhs_;
};

/// A solver on grids: `run(problem, options)` makes its plan, solves and returns the report.
template <class Exec, class T, class Run>
ConformingSolver on_grid(Exec const& space, std::string const& name, std::array<int, 3> const& cells, Run const& run) {
  ConformingSolver solver;
  solver.name = name;
  solver.unknowns = std::size_t(cells[0]) * std::size_t(cells[1]) * std::size_t(cells[2]);
  solver.epsilon = std::numeric_limits<T>::epsilon();
  solver.tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  solver.inputs = {"rhs", "boundary values", "coefficients"};
  solver.solve = [=](ConformanceInput const& input, std::vector<double> const& guess,
                     ConformanceOptions const& options) {
    GridProblem<Exec, T> const problem(space, cells, input, guess);
    return problem.result(space, run(problem, options));
  };
  return solver;
}

}  // namespace karman::test
