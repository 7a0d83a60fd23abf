// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The 7-point equation on an open box, cell by cell on the host. Every possible condition at the sides of an axis.
#pragma once

#include "fields.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace karman::test {

/// Lower and upper side of an axis.
using SidePair = std::pair<Boundary, Boundary>;

inline std::vector<SidePair> all_side_pairs() {
  std::vector<SidePair> pairs;
  for (Boundary low : {Boundary::dirichlet, Boundary::fixed, Boundary::neumann}) {
    for (Boundary high : {Boundary::dirichlet, Boundary::fixed, Boundary::neumann}) pairs.emplace_back(low, high);
  }
  pairs.emplace_back(Boundary::periodic, Boundary::periodic);
  return pairs;
}

inline Boundaries boundaries(SidePair const& x, SidePair const& y, SidePair const& z) {
  return {x.second, x.first, y.second, y.first, z.second, z.first};
}

inline bool closed(SidePair const& pair) {
  return pair.first == Boundary::periodic || (pair.first == Boundary::neumann && pair.second == Boundary::neumann);
}

/// Boundary values by side and the two indices along it, slow and fast.
using SideValues = std::function<double(Side, int, int)>;

/// A x, or with x = 0 the contribution of the boundary values. An axis of one closed cell is missing.
struct SerialPoisson {
  UniformGrid grid;
  Boundaries sides;
  std::array<double, 3> weights{1, 1, 1};

  /// Weight of the difference from layer (or row, column) n to the next one in direction +1 or -1, of axis 0, 1, 2.
  double weight(int axis, int n, int direction) const {
    if (axis < 2) {
      double const spacing = axis == 0 ? grid.dx() : grid.dy();
      return weights[axis] / (spacing * spacing);
    }
    int const face = direction > 0 ? n + 1 : n;
    bool const seam = sides.top == Boundary::periodic && (face == 0 || face == grid.nz());
    double const distance = seam ? 0.5 * (grid.dz(0) + grid.dz(grid.nz() - 1)) : grid.dz_between(face);
    return weights[2] / (grid.dz(n) * distance);
  }

  double own_weight() const {
    double largest = 0;
    for (int k = 0; k < grid.nz(); ++k) {
      double sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if (present(axis)) sum += weight(axis, axis == 2 ? k : 0, 1) + weight(axis, axis == 2 ? k : 0, -1);
      }
      largest = std::max(largest, 2 * sum);
    }
    return largest;
  }

  bool present(int axis) const {
    std::array const cells{grid.nx(), grid.ny(), grid.nz()};
    Boundary const high = sides[static_cast<Side>(2 * axis)], low = sides[static_cast<Side>(2 * axis + 1)];
    return cells[axis] > 1 || !closed({low, high});
  }

  template <class Lambda>
  double operator()(Lambda const& lambda, SideValues const& values, int k, int j, int i) const {
    std::array const cells{grid.nx(), grid.ny(), grid.nz()};
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (!present(axis)) continue;
      for (int direction : {1, -1}) {
        std::array<int, 3> n{i, j, k};
        double const w = weight(axis, n[axis], direction);
        n[axis] += direction;
        auto const side = static_cast<Side>(2 * axis + (direction > 0 ? 0 : 1));
        bool const outside = n[axis] < 0 || n[axis] >= cells[axis];
        if (!outside || sides[side] == Boundary::periodic) {
          n[axis] = (n[axis] + cells[axis]) % cells[axis];
          sum += w * (double(lambda(n[2], n[1], n[0])) - double(lambda(k, j, i)));
        } else if (sides[side] != Boundary::neumann) {
          double const g = values ? (axis == 0   ? values(side, k, j)
                                     : axis == 1 ? values(side, k, i)
                                                 : values(side, j, i))
                                  : 0;
          sum += (sides[side] == Boundary::dirichlet ? 2 : 1) * w * (g - double(lambda(k, j, i)));
        }
      }
    }
    return sum;
  }
};

}  // namespace karman::test
