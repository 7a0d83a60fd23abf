// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lines of an axis that is cut among processes, whole in one process each.
#pragma once

#include "grid/stencil/problem_checks.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/core/box_transpose.hpp>
#include <karman/core/compat.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace karman::detail {

/// Copies a field in natural order, as numbers of another type.
template <class Exec, class V, class T>
void copy_numbers(Exec const& space, V const& from, T* to) {
  std::int64_t const nx = static_cast<std::int64_t>(from.extent(2)), ny = static_cast<std::int64_t>(from.extent(1));
  Kokkos::parallel_for(
      "karman::adi::copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(from.size())),
      KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const row = n / nx;
        to[n] = static_cast<T>(from(row / ny, row % ny, n % nx));
      });
}

template <class Exec, class T, class V>
void copy_numbers_back(Exec const& space, T const* from, V const& to) {
  std::int64_t const nx = static_cast<std::int64_t>(to.extent(2)), ny = static_cast<std::int64_t>(to.extent(1));
  Kokkos::parallel_for(
      "karman::adi::copy",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(to.size())),
      KOKKOS_LAMBDA(std::int64_t n) {
        std::int64_t const row = n / nx;
        to(row / ny, row % ny, n % nx) = static_cast<typename V::non_const_value_type>(from[n]);
      });
}

/// A second division of the grid, whose parts have whole lines of one axis, with the operator on it.
template <class Exec, class T>
class WholeLines {
 public:
  /// Collective.
  WholeLines(Exec const& space, SevenPoint<Exec, T> const& a, BoxDecomposition const& boxes, int axis) {
    Communicator const communicator = a.communicator();
    BoxDecomposition const lines = with_whole(boxes, axis);
    std::vector<Box> from, to;
    for (int rank = 0; rank < boxes.processes(); ++rank) {
      from.push_back(boxes.box(rank));
      to.push_back(lines.box(rank));
    }
    transpose_ = BoxTranspose<Exec, T>(space, communicator, from, to);
    UniformGrid const part = a.grid().part(lines.box(communicator.rank()));
    values_ = field<T>(space, part);
    operator_.emplace(space, moved(space, a, part), SevenPointSetup{.communicator = communicator});
    compat::fence(space, "karman::adi::plan");
  }

  SevenPoint<Exec, T> const& on_lines() const { return *operator_; }
  /// Lines of the last gather().
  Field<Exec, T> const& values() const { return values_; }
  void gather(Exec const& space, T const* field) const { transpose_.forward(space, field, values_.data()); }
  void scatter(Exec const& space, T* field) const { transpose_.backward(space, values_.data(), field); }

  std::int64_t bytes() const {
    std::int64_t sum = transpose_.workspace_bytes() + operator_->workspace_bytes();
    sum += static_cast<std::int64_t>(values_.size() * sizeof(T));
    auto const& problem = operator_->problem();
    sum += static_cast<std::int64_t>(problem.walls.size() * sizeof(WallCode));
    for (auto const& face : problem.coefficients.faces()) sum += static_cast<std::int64_t>(face.size() * sizeof(T));
    for (auto const& own : problem.coefficients.own_weights()) sum += static_cast<std::int64_t>(own.size() * sizeof(T));
    return sum;
  }

  /// Most bytes before they are made. `shape`: of the whole problem; `part`: the lines of this process, which has
  /// `own_cells` in the other division.
  static std::int64_t most_bytes(SevenPointShape const& shape, UniformGrid const& part, std::int64_t own_cells,
                                 int processes) {
    constexpr std::int64_t real = sizeof(T), code = sizeof(WallCode);
    // A block of each process to send and to receive, and some for the planes beyond.
    std::int64_t const cells = part.cell_count(), blocks = 128 * std::int64_t{processes} + 1024;
    std::int64_t sum = (2 * cells + own_cells) * real + blocks;
    if (cells == 0) return sum;
    if (shape.form == CoefficientForm::walls) sum += cells * code;
    if (shape.form == CoefficientForm::arrays) sum += cells * (shape.own_weights ? 9 : 6) * real;
    SevenPointShape lines = shape;
    lines.grid = part;
    // Two planes of cells beyond: their values, sent and received.
    std::int64_t const beyond = 6 * std::max(part.nx(), part.ny()) * std::int64_t{part.nz()};
    return sum + beyond * real + SevenPoint<Exec, T>::workspace_bytes(lines);
  }

  /// Cuts the other one of x and y.
  static BoxDecomposition with_whole(BoxDecomposition const& boxes, int axis) {
    auto const cells = boxes.cells();
    std::size_t const cut = axis == 0 ? 1 : 0;
    std::array<std::vector<int>, 3> edges{std::vector{0, cells[0]}, {0, cells[1]}, {0, cells[2]}};
    edges[cut].clear();
    for (std::int64_t part = 0; part <= boxes.processes(); ++part) {
      edges[cut].push_back(static_cast<int>(part * cells[cut] / boxes.processes()));
    }
    return BoxDecomposition(edges);
  }

 private:
  template <class Number>
  static Field<Exec, Number> field(Exec const& space, UniformGrid const& grid) {
    return Field<Exec, Number>(Kokkos::view_alloc(space, std::string("karman::adi::lines")), grid.nz(), grid.ny(),
                               grid.nx());
  }

  /// The problem on the lines. Codes and coefficients move as the fields do; T holds every code.
  SevenPointProblem<Exec, T> moved(Exec const& space, SevenPoint<Exec, T> const& a, UniformGrid const& part) const {
    SevenPointProblem<Exec, T> const& given = a.problem();
    SevenPointProblem<Exec, T> result(part, given.sides, given.weights);
    Communicator const communicator = a.communicator();
    auto const scratch = field<T>(space, a.grid());
    auto const move = [&](auto const& from, auto const& to) {
      copy_numbers(space, from, scratch.data());
      gather(space, scratch.data());
      copy_numbers_back(space, static_cast<T const*>(values_.data()), to);
    };
    if (any_gives(communicator, given.has_walls())) {
      result.walls = field<WallCode>(space, part);
      move(given.walls, result.walls);
    }
    if (!any_gives(communicator, given.has_coefficients())) return result;
    using Faces = FaceCoefficients<Exec, T>;
    auto const move_field = [&](Field<Exec, T> Faces::* member) {
      auto& to = result.coefficients.*member;
      to = field<T>(space, part);
      move(given.coefficients.*member, to);
    };
    for (auto const face : {&Faces::east, &Faces::west, &Faces::north, &Faces::south, &Faces::top, &Faces::bottom}) {
      move_field(face);
    }
    if (!any_gives(communicator, given.coefficients.has_own_weights())) return result;
    for (auto const own : {&Faces::own_x, &Faces::own_y, &Faces::own_z}) move_field(own);
    return result;
  }

  mutable BoxTranspose<Exec, T> transpose_;
  Field<Exec, T> values_;
  std::optional<SevenPoint<Exec, T>> operator_;
};

}  // namespace karman::detail
