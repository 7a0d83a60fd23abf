// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random seven-point problems in random parts, for solvers on many processes, and comparisons with one process.
#pragma once

#include "chosen_cases.hpp"
#include "field_parts.hpp"
#include "fields.hpp"
#include "random_decomposition.hpp"
#include "world.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/solvers/grid/seven_point.hpp>
#include <karman/solvers/solve_report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace karman::test {

/// The same problem, on the whole grid and in this process's part of it. All numbers come from the seed, the same in
/// all processes.
class DistributedCase {
 public:
  enum class Form { sides, walls, arrays };

  /// \param multiple parts begin at multiples of this number of cells
  DistributedCase(Communicator const& communicator, unsigned seed, int multiple)
      : seed_(seed), random_(seed), multiple_(multiple), grid(random_grid()), boxes(random_boxes(communicator.size())) {
    box = boxes.box(communicator.rank());
    for (int axis = 0; axis < 3; ++axis) set_sides(axis);
    form = static_cast<Form>(draw(3));
    solid = HostField<std::uint8_t>(extents());
    if (form == Form::walls) solid.fill([&](int, int, int) { return draw(6) == 0 ? 1 : 0; });
    first = HostField<double>(extents()).fill([&](int, int, int) { return value(); });
    rhs = HostField<double>(extents()).fill([&](int, int, int) { return value(); });
    for (std::size_t side = 0; side < 6; ++side) {
      face[side] = HostField<double>(extents()).fill([&](int, int, int) { return 0.25 * (1 + draw(4)); });
      close(side);
      int const slow = side < 4 ? grid.nz() : grid.ny(), fast = side < 2 ? grid.ny() : grid.nx();
      boundary[side] = HostField<double>({1, slow, fast}).fill([&](int, int, int) { return value(); });
    }
  }

 private:
  unsigned seed_;
  std::mt19937 random_;
  int multiple_;

 public:
  UniformGrid grid;        ///< whole
  BoxDecomposition boxes;  ///< with empty parts now and then
  Box box;                 ///< of this process
  Boundaries sides = {};
  Form form = Form::sides;
  HostField<std::uint8_t> solid{{1, 1, 1}};
  HostField<double> first{{1, 1, 1}}, rhs{{1, 1, 1}};
  std::array<HostField<double>, 6> face, boundary;

  std::array<int, 3> extents() const { return grid.extents(Location::cell); }
  UniformGrid part() const { return grid.part(box); }
  Box whole() const { return grid.own_box(); }

  /// Cells of a box of a field, on the device.
  template <class T, class Exec, class V>
  Field<Exec, T> cut(Exec const& space, HostField<V> const& field, Box const& cells) const {
    return to_device(space, test::cut<T>(field, cells));
  }

  template <class T, class Exec>
  SevenPointProblem<Exec, T> problem(Exec const& space, Box const& cells, Communicator const& communicator) const {
    UniformGrid const own = grid.part(cells);
    std::array<double, 3> const weights{1, 1, 0.5};
    if (form == Form::sides) return {own, sides, weights};
    if (form == Form::walls) {
      return {space, own, sides, cut<std::uint8_t>(space, solid, cells), weights, communicator};
    }
    FaceCoefficients<Exec, T> const c(cut<T>(space, face[0], cells), cut<T>(space, face[1], cells),
                                      cut<T>(space, face[2], cells), cut<T>(space, face[3], cells),
                                      cut<T>(space, face[4], cells), cut<T>(space, face[5], cells));
    return {own, sides, c, weights};
  }

  template <class T, class Exec, class Solver>
  void set_boundary_values(Exec const& space, Solver& solver, Box const& cells) const {
    for (std::size_t side = 0; side < 6; ++side) {
      if (sides[static_cast<Side>(side)] == Boundary::periodic) continue;
      std::size_t const slow = side < 4 ? 2 : 1, fast = side < 2 ? 1 : 0;
      HostField<T> plane({1, cells.end[slow] - cells.begin[slow], cells.end[fast] - cells.begin[fast]});
      plane.fill([&](int, int a, int b) {
        return static_cast<T>(boundary[side](0, a + cells.begin[slow], b + cells.begin[fast]));
      });
      auto const values = to_device(space, plane);
      solver.set_boundary_values(space, static_cast<Side>(side),
                                 ConstPlane<Exec, T>(values.data(), values.extent(1), values.extent(2)));
    }
  }

  /// Gives both cells of every face the same coefficient, across periodic seams too.
  void make_symmetric() {
    std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      HostField<double> const& upper = face[2 * axis];
      HostField<double>& lower = face[2 * axis + 1];
      bool const periodic = sides.periodic()[axis];
      lower.fill([&](int k, int j, int i) {
        std::array<int, 3> before{i, j, k};
        bool const first = before[axis] == 0;
        if (first && !periodic) return lower(k, j, i);
        before[axis] = first ? cells[axis] - 1 : before[axis] - 1;
        return upper(before[2], before[1], before[0]);
      });
    }
  }

  /// The whole field from the parts of all processes. Collective.
  template <class T>
  HostField<T> joined(Communicator const& communicator, HostField<T> const& part) const {
    return test::joined(communicator, boxes, part);
  }

  std::string text() const {
    std::string result =
        "seed " + std::to_string(seed_) + ", form " + std::to_string(static_cast<int>(form)) + ", cells";
    for (int n : boxes.cells()) result += " " + std::to_string(n);
    result += ", parts";
    for (int n : boxes.parts()) result += " " + std::to_string(n);
    result += ", sides";
    for (int side = 0; side < 6; ++side)
      result += " " + std::to_string(static_cast<int>(sides[static_cast<Side>(side)]));
    return result;
  }

 private:
  int draw(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double value() { return (draw(2049) - 1024) / 1024.0; }

  UniformGrid random_grid() {
    bool const planar = draw(4) == 0;
    return UniformGrid({1 + draw(75), 1 + draw(20), planar ? 1 : 1 + draw(9)}, {0.5, 0.25, 1});
  }

  BoxDecomposition random_boxes(int processes) {
    auto const parts = random_parts<2>(processes, random_);
    std::array<std::vector<int>, 3> edges;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      edges[axis] = random_edges(grid.global_cells()[axis], parts[axis], random_, multiple_);
    }
    edges[2] = {0, grid.nz()};
    return BoxDecomposition(edges);
  }

  void set_sides(int axis) {
    std::array<Boundary*, 6> const all{&sides.east, &sides.west, &sides.north, &sides.south, &sides.top, &sides.bottom};
    std::size_t const upper = static_cast<std::size_t>(2 * axis);
    bool const planar = axis == 2 && grid.nz() == 1;
    // For colours a cut periodic axis has an even number of cells.
    std::size_t const a = static_cast<std::size_t>(axis);
    bool const may_be_periodic =
        !planar && (multiple_ == 1 || grid.global_cells()[a] % 2 == 0 || boxes.parts()[a] == 1);
    if (may_be_periodic && draw(3) == 0) {
      *all[upper] = *all[upper + 1] = Boundary::periodic;
      return;
    }
    for (std::size_t side : {upper, upper + 1})
      *all[side] = planar ? Boundary::neumann : static_cast<Boundary>(draw(3));
  }

  /// No coefficient on closed sides.
  void close(std::size_t side) {
    if (sides[static_cast<Side>(side)] != Boundary::neumann) return;
    std::size_t const axis = side / 2;
    std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
    int const last = side % 2 == 0 ? cells[axis] - 1 : 0;
    for (int k = 0; k < grid.nz(); ++k) {
      for (int j = 0; j < grid.ny(); ++j) {
        for (int i = 0; i < grid.nx(); ++i) {
          if (std::array{i, j, k}[axis] == last) face[side](k, j, i) = 0;
        }
      }
    }
  }
};

/// Calls compare(seed) for the seeds, until it fails in a process: for each one, or one in eleven on devices. Eleven is
/// prime to the periods by which seeds choose methods and forms. Collective.
/// \return true where none failed
template <class Exec, class Compare>
bool for_seeds(unsigned begin, unsigned end, Compare compare) {
  for (unsigned seed = begin; seed < end; seed += takes_all_cases<Exec>() ? 1 : 11) {
    compare(seed);
    if (world().sum(static_cast<int>(::testing::Test::HasFailure())) > 0) return false;
  }
  return true;
}

/// Part of this process of a grid that all processes divide.
inline UniformGrid own_part(UniformGrid const& whole, BoxDecompositionOptions const& options = {}) {
  Communicator const all = world();
  return BoxDecomposition(whole.global_cells(), all.size(), options).part(whole, all.rank());
}

/// A right-hand side that has a solution also where walls enclose cells: A times a random field.
template <class T, class Exec>
HostField<T> solvable_rhs(Exec const& space, DistributedCase const& p) {
  SevenPoint<Exec, T> const a(space, p.problem<T>(space, p.whole(), {}));
  auto const x = p.cut<T>(space, p.rhs, p.whole());
  auto const rhs = p.cut<T>(space, p.rhs, p.whole());
  a.apply(space, x, rhs);
  return to_host(space, rhs);
}

/// Calls function(value, value of one process) for the cells of a part.
template <class T, class Function>
void for_each_pair(HostField<T> const& part, HostField<T> const& whole, Box const& cells, Function const& function) {
  for (int k = 0; k < part.nz; ++k) {
    for (int j = 0; j < part.ny; ++j) {
      for (int i = 0; i < part.nx; ++i) {
        function(part(k, j, i), whole(k + cells.begin[2], j + cells.begin[1], i + cells.begin[0]));
      }
    }
  }
}

/// Bits of the values of a box of a field of one process.
template <class T>
bool same_bits(HostField<T> const& part, HostField<T> const& whole, Box const& cells) {
  bool same = true;
  for_each_pair(part, whole, cells, [&](T value, T other) { same = same && value == other; });
  return same;
}

/// NaN where a value is not a number.
template <class T>
double largest_difference(HostField<T> const& part, HostField<T> const& whole, Box const& cells) {
  double most = 0;
  for_each_pair(part, whole, cells, [&](T value, T other) {
    double const difference = std::abs(double(value) - double(other));
    if (!(difference <= most)) most = difference;
  });
  return most;
}

/// Largest magnitude; NaN where a value is not a number.
template <class T>
double largest(HostField<T> const& field) {
  double most = 0;
  for (T const value : field.values) {
    double const size = std::abs(double(value));
    if (!(size <= most)) most = size;
  }
  return most;
}

inline void expect_same_history(SolveReport const& part, SolveReport const& whole, std::string const& text) {
  ASSERT_EQ(part.history.size(), whole.history.size()) << text;
  for (std::size_t n = 0; n < part.history.size(); ++n) {
    EXPECT_EQ(part.history[n].residual, whole.history[n].residual) << text;
  }
}

/// Residual of joined parts in the equations of the whole grid, and its scale: max |b|, or of b = 0 the first residual.
struct JoinedResidual {
  double residual = 0, scale = 0;
  bool singular = false;
};

template <class T, class Exec>
JoinedResidual joined_residual(Exec const& space, DistributedCase const& p, HostField<T> const& rhs,
                               HostField<T> const& part) {
  SevenPoint<Exec, T> a(space, p.problem<T>(space, p.whole(), {}));
  p.set_boundary_values<T>(space, a, p.whole());
  auto const x = to_device(space, p.joined(world(), part));
  auto const b = to_device(space, rhs);
  auto const scratch = to_device(space, rhs);
  auto const zero = to_device(space, HostField<T>(p.extents()));
  double const norm = a.largest_residual(space, zero, b, scratch);
  double const first = a.largest_residual(space, p.cut<T>(space, p.first, p.whole()), b, scratch);
  return {a.largest_residual(space, x, b, scratch), norm > 0 ? norm : first, a.singular()};
}

/// A monitor of one process stops all at the same check.
/// \param solve solve(x, b, monitor) solves for b = 1 on this part of a grid
template <class T, class Exec, class Solve>
void expect_stop_together(Exec const& space, UniformGrid const& grid, int iteration, Solve const& solve) {
  HostField<T> field(grid.extents(Location::cell));
  auto const x = to_device(space, field);
  auto const ones = to_device(space, field.fill([](int, int, int) { return T(1); }));
  std::function<bool(ResidualSample const&)> monitor;
  if (world().rank() == world().size() - 1) {
    monitor = [=](ResidualSample const& sample) { return sample.iteration < iteration; };
  }
  SolveReport const report = solve(x, ones, monitor);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(report.iterations, iteration);
}

}  // namespace karman::test
