// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The conformance problem of solvers on grids: a box of unit cells with given values one cell beyond its sides, or
/// closed all around. On one process or in random parts on many.
#pragma once

#include "conformance.hpp"
#include "field_parts.hpp"
#include "fields.hpp"
#include "random_decomposition.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/communicator.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace karman::test {

/// Processes that solve together, and the seed of their boxes.
struct GridProcesses {
  Communicator communicator = {};
  unsigned seed = 0;

  /// Boxes with edges at random multiples of some cells; processes may have none.
  BoxDecomposition boxes(std::array<int, 3> const& cells, int multiple) const {
    std::mt19937 random(seed);
    auto const parts = random_parts<2>(communicator.size(), random);
    return BoxDecomposition({random_edges(cells[0], parts[0], random, multiple),
                             random_edges(cells[1], parts[1], random, multiple),
                             {0, cells[2]}});
  }
};

/// Cells of the problem. With a \p multiple of 2 all boxes begin at even cells.
struct GridCells {
  std::array<int, 3> cells;
  int multiple = 1;
};

template <class Exec, class T>
class GridProblem {
 public:
  Communicator communicator;
  UniformGrid grid;  ///< part of this process
  Boundaries sides;
  Field<Exec, T> x, rhs;
  /// Set where the coefficients are poisoned.
  std::optional<FaceCoefficients<Exec, T>> coefficients;

  /// \param guess of the whole grid
  GridProblem(Exec const& space, GridProcesses const& processes, GridCells const& cells, ConformanceInput const& input,
              std::vector<double> const& guess)
      : communicator(processes.communicator),
        grid(cells.cells, {1, 1, 1}),
        sides(Boundaries::all(input.singular ? Boundary::neumann : Boundary::fixed)),
        boxes_(processes.boxes(cells.cells, cells.multiple)),
        whole_(grid),
        value_(input.singular ? 0 : static_cast<double>(static_cast<T>(0.5 * input.size))),
        input_(input),
        host_rhs_(grid.extents(Location::cell)) {
    grid = boxes_.part(whole_, communicator.rank());
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
    HostField<T> start(whole_.extents(Location::cell));
    for (std::size_t n = 0; n < guess.size(); ++n) start.values[n] = static_cast<T>(guess[n]);
    x = own_cells(space, start);
    auto poisoned = host_rhs_;
    if (input.poisoned == "rhs") poisoned(0, 2, 3) = static_cast<T>(input.poison);
    rhs = own_cells(space, poisoned);
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
      int const first = grid.own_box().begin[0];
      solver.set_boundary_values(space, side, make_plane<T>(space, slow, fast, [&](int a, int b) {
                                   return bad && a == 0 && b + first == 1 ? input_.poison : value_;
                                 }));
    }
  }

  SevenPointProblem<Exec, T> equation() const {
    return coefficients ? SevenPointProblem<Exec, T>(grid, sides, *coefficients)
                        : SevenPointProblem<Exec, T>(grid, sides);
  }

  SevenPoint<Exec, T> operator_on(Exec const& space) const {
    SevenPoint<Exec, T> a(space, equation(), {.communicator = communicator});
    set_boundary_values(space, a);
    return a;
  }

  /// The same in all processes. Collective.
  ConformanceResult result(Exec const& space, SolveReport const& report) const {
    expect_the_same_report(report);
    auto const values = joined(communicator, boxes_, to_host(space, x));
    ConformanceResult result{report, std::vector<double>(values.values.begin(), values.values.end()), 0};
    double mean = 0;
    for (T const b : host_rhs_.values) mean += input_.singular ? double(b) / double(host_rhs_.values.size()) : 0;
    double largest = 0, norm = 0;
    HostField<double> const zero(whole_.extents(Location::cell));
    auto const each = [&](auto const& field, double beyond, double& most) {
      for (int k = 0; k < whole_.nz(); ++k)
        for (int j = 0; j < whole_.ny(); ++j)
          for (int i = 0; i < whole_.nx(); ++i) {
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
  Field<Exec, T> own_cells(Exec const& space, HostField<T> const& field) const {
    return to_device(space, cut<T>(field, grid.own_box()));
  }

  void expect_the_same_report(SolveReport const& report) const {
    for (int const other : communicator.all_gather(report.iterations)) EXPECT_EQ(other, report.iterations);
    for (double const other : communicator.all_gather(report.residual)) {
      EXPECT_TRUE(other == report.residual || (std::isnan(other) && std::isnan(report.residual)))
          << other << ", here " << report.residual;
    }
    int const end = (report.converged ? 1 : 0) + (report.stopped ? 2 : 0) + (report.breakdown.empty() ? 0 : 4);
    for (int const other : communicator.all_gather(end)) EXPECT_EQ(other, end);
  }

  FaceCoefficients<Exec, T> poisoned_coefficients(Exec const& space) const {
    auto c = unpack<Exec, T>(space, whole_, make_wall_codes<Exec>(space, whole_, sides));
    auto east = to_host(space, c.east), west = to_host(space, c.west);
    east(0, 3, 2) = west(0, 3, 3) = static_cast<T>(input_.poison);
    auto const own = [&](Field<Exec, T> const& whole) { return own_cells(space, to_host(space, whole)); };
    return {own_cells(space, east), own_cells(space, west), own(c.north), own(c.south), own(c.top), own(c.bottom)};
  }

  template <class F>
  double applied(F const& field, int k, int j, int i, double beyond) const {
    double const own = double(field(k, j, i));
    double sum = 0;
    auto const add = [&](bool inside, int kk, int jj, int ii, Side side) {
      if (inside) sum += double(field(kk, jj, ii)) - own;
      if (!inside && sides[side] == Boundary::fixed) sum += beyond - own;
    };
    add(i + 1 < whole_.nx(), k, j, i + 1, Side::east);
    add(i > 0, k, j, i - 1, Side::west);
    add(j + 1 < whole_.ny(), k, j + 1, i, Side::north);
    add(j > 0, k, j - 1, i, Side::south);
    add(k + 1 < whole_.nz(), k + 1, j, i, Side::top);
    add(k > 0, k - 1, j, i, Side::bottom);
    return sum;
  }

  BoxDecomposition boxes_;
  UniformGrid whole_;
  double value_;
  ConformanceInput input_;
  HostField<T> host_rhs_;  ///< of the whole grid
};

/// A solver on grids: `run(problem, options)` makes its plan, solves and returns the report.
template <class Exec, class T, class Run>
ConformingSolver on_grid(Exec const& space, GridProcesses const& processes, std::string const& name,
                         GridCells const& cells, Run const& run) {
  ConformingSolver solver;
  solver.name = name;
  solver.unknowns = 1;
  for (int const n : cells.cells) solver.unknowns *= static_cast<std::size_t>(n);
  solver.epsilon = std::numeric_limits<T>::epsilon();
  solver.tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  solver.inputs = {"rhs", "boundary values", "coefficients"};
  solver.solve = [=](ConformanceInput const& input, std::vector<double> const& guess,
                     ConformanceOptions const& options) {
    GridProblem<Exec, T> const problem(space, processes, cells, input, guess);
    return problem.result(space, run(problem, options));
  };
  return solver;
}

}  // namespace karman::test
