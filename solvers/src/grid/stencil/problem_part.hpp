// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A SevenPointProblem of which this process holds a part.
#pragma once

#include <karman/core/box_decomposition.hpp>
#include <karman/core/communicator.hpp>
#include <karman/core/error.hpp>
#include <karman/solvers/grid/boundary_options.hpp>

#include <array>
#include <string>

namespace karman::detail {

/// Boxes of all processes and the sides of this one. A side where a neighbouring process holds the next cells is an
/// inner face: it counts as Boundary::fixed, with the neighbour's values as boundary values.
struct ProblemPart {
  Communicator communicator;
  BoxDecomposition boxes;
  std::array<bool, 3> periodic{};  ///< axes of the whole grid
  Boundaries sides;                ///< of this part
  std::array<bool, 6> cut{};       ///< sides towards another process

  bool is_cut() const { return communicator.size() > 1; }

  /// Collective. Throws std::invalid_argument in all processes where the boxes do not fit together.
  ProblemPart(Communicator const& communicator_, UniformGrid const& grid, Boundaries const& sides_, char const* solver)
      : communicator(communicator_), boxes(gathered(communicator_, grid, solver)), sides(sides_) {
    periodic = sides_.periodic();
    if (!is_cut() || grid.cell_count() == 0) return;
    std::array<Boundary*, 6> const all{&sides.east, &sides.west, &sides.north, &sides.south, &sides.top, &sides.bottom};
    for (std::size_t side = 0; side < 6; ++side) {
      std::size_t const axis = side / 2;
      int const next =
          boxes.neighbor(communicator.rank(), static_cast<int>(axis), side % 2 == 0 ? 1 : -1, periodic[axis]);
      cut[side] = next >= 0 && next != communicator.rank();
      if (cut[side]) *all[side] = Boundary::fixed;
    }
  }

  /// Largest opening of each side of the whole domain, from the openings of all parts. Collective.
  std::array<double, 6> joined(std::array<double, 6> openings) const {
    for (std::size_t side = 0; side < 6; ++side) {
      if (is_cut()) openings[side] = communicator.largest(cut[side] ? 0 : openings[side]);
    }
    return openings;
  }

 private:
  static BoxDecomposition gathered(Communicator const& communicator, UniformGrid const& grid, char const* solver) {
    require(communicator.size() > 1 || !grid.is_part(),
            std::string(solver) + ": the grid is a part of a larger one; give the communicator of its processes");
    if (communicator.size() > 1) return BoxDecomposition::gathered(communicator, grid);
    auto const& n = grid.global_cells();
    return BoxDecomposition({std::vector{0, n[0]}, {0, n[1]}, {0, n[2]}});
  }
};

}  // namespace karman::detail
