// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random seven-point problems in random parts, for solvers on many processes.
#pragma once

#include "fields.hpp"
#include "world.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/solvers/grid/seven_point_problem.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
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
      : random_(seed), multiple_(multiple), grid(random_grid()), boxes(random_boxes(communicator.size())) {
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
    HostField<T> result({cells.end[2] - cells.begin[2], cells.end[1] - cells.begin[1], cells.end[0] - cells.begin[0]});
    result.fill([&](int k, int j, int i) {
      return static_cast<T>(field(k + cells.begin[2], j + cells.begin[1], i + cells.begin[0]));
    });
    return to_device(space, result);
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
    auto const all = communicator.all_gather_arrays(std::span<T const>(part.values));
    HostField<T> whole_field(extents());
    for (int rank = 0; rank < communicator.size(); ++rank) {
      Box const cells = boxes.box(rank);
      auto value = all[static_cast<std::size_t>(rank)].begin();
      for (int k = cells.begin[2]; k < cells.end[2]; ++k) {
        for (int j = cells.begin[1]; j < cells.end[1]; ++j) {
          for (int i = cells.begin[0]; i < cells.end[0]; ++i) whole_field(k, j, i) = *value++;
        }
      }
    }
    return whole_field;
  }

  std::string text() const {
    std::string result = "form " + std::to_string(static_cast<int>(form)) + ", cells";
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
    std::array<int, 2> parts{1, 1};
    int left = processes;
    for (int divisor = 2; left > 1; ++divisor) {
      for (; left % divisor == 0; left /= divisor) parts[static_cast<std::size_t>(draw(2))] *= divisor;
    }
    std::array<std::vector<int>, 3> edges;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      int const cells = grid.global_cells()[axis];
      edges[axis] = {0, cells};
      for (int part = 1; part < parts[axis]; ++part) edges[axis].push_back(draw(cells / multiple_ + 1) * multiple_);
      std::sort(edges[axis].begin(), edges[axis].end());
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

/// Bits of the values of a box of a field of one process.
template <class T>
bool same_bits(HostField<T> const& part, HostField<T> const& whole, Box const& cells) {
  bool same = true;
  for (int k = 0; k < part.nz; ++k) {
    for (int j = 0; j < part.ny; ++j) {
      for (int i = 0; i < part.nx; ++i) {
        same = same && part(k, j, i) == whole(k + cells.begin[2], j + cells.begin[1], i + cells.begin[0]);
      }
    }
  }
  return same;
}

}  // namespace karman::test
