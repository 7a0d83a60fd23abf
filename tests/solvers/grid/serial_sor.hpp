// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Red-black SOR as plain loops: the reference for the kernels.
#pragma once

#include "fields.hpp"
#include <karman/core/uniform_grid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace karman::test {

/// Coefficients and values of a problem, all in double.
struct SerialSor {
  UniformGrid grid;
  std::array<double, 3> weights;
  std::array<HostField<double>, 6> face;         ///< in the order of Side
  std::array<HostField<double>, 3> half_weight;  ///< own weights; may be empty
  HostField<double> lambda, rhs;
  std::array<bool, 3> periodic{};  ///< x, y, z
  /// Value beyond a side at the indices (slow, fast) along it; zero without.
  std::function<double(int side, int slow, int fast)> beyond = {};

  struct Equation {
    double residual, own;
  };

  /// Between the centres of the layers k - 1 and k.
  double distance(int k) const {
    bool const seam = periodic[2] && (k == 0 || k == grid.nz());
    return seam ? 0.5 * (grid.dz(0) + grid.dz(grid.nz() - 1)) : grid.dz_between(k);
  }

  Equation equation(int k, int j, int i) const {
    // A periodic axis of one cell is missing.
    auto const there = [&](int axis, int cells) { return periodic[axis] && cells == 1 ? 0.0 : weights[axis]; };
    double const ax = there(0, grid.nx()) / (grid.dx() * grid.dx());
    double const ay = there(1, grid.ny()) / (grid.dy() * grid.dy());
    double const up = there(2, grid.nz()) / (grid.dz(k) * distance(k + 1));
    double const down = there(2, grid.nz()) / (grid.dz(k) * distance(k));
    std::array const a{ax, ax, ay, ay, up, down};
    std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
    double sum = 0;
    double own = 0;
    for (std::size_t n = 0; n < 6; ++n) {
      int kk = k + step[n][0], jj = j + step[n][1], ii = i + step[n][2];
      if (periodic[0]) ii = (ii + grid.nx()) % grid.nx();
      if (periodic[1]) jj = (jj + grid.ny()) % grid.ny();
      if (periodic[2]) kk = (kk + grid.nz()) % grid.nz();
      bool const inside = kk >= 0 && kk < grid.nz() && jj >= 0 && jj < grid.ny() && ii >= 0 && ii < grid.nx();
      double const coefficient = a[n] * face[n](k, j, i);
      int const side = static_cast<int>(n);
      int const slow = side < 4 ? k : j, fast = side < 2 ? j : i;
      sum += coefficient * (inside ? lambda(kk, jj, ii) : beyond ? beyond(side, slow, fast) : 0.0);
      own += coefficient;
    }
    if (own == 0) return {0, 0};
    if (!half_weight[0].values.empty()) {
      own = 2 * ax * half_weight[0](k, j, i) + 2 * ay * half_weight[1](k, j, i) + (up + down) * half_weight[2](k, j, i);
    }
    return {sum - own * lambda(k, j, i) - rhs(k, j, i), own};
  }

  /// Bits of the odd periodic axes on whose last plane a cell lies. Cells of one colour with equal bits are never
  /// neighbours.
  int seam(int k, int j, int i) const {
    auto const on = [&](int axis, int at, int cells) { return periodic[axis] && cells % 2 == 1 && at == cells - 1; };
    return int(on(0, i, grid.nx())) + 2 * int(on(1, j, grid.ny())) + 4 * int(on(2, k, grid.nz()));
  }

  void iterate(int count, double omega) {
    for (int n = 0; n < count; ++n) {
      for (int color = 0; color < 2; ++color) {
        for (int on = 0; on < 8; ++on) relax(color, on, omega);
      }
    }
  }

  void relax(int color, int on, double omega) {
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j)
        for (int i = 0; i < grid.nx(); ++i) {
          if ((k + j + i) % 2 != color || seam(k, j, i) != on) continue;
          Equation const eq = equation(k, j, i);
          if (eq.own != 0) lambda(k, j, i) += omega * eq.residual / eq.own;
        }
  }

  /// Gauss-Seidel in lexicographic order.
  void iterate_in_order(int count, double omega) {
    for (int n = 0; n < count; ++n)
      for (int k = 0; k < grid.nz(); ++k)
        for (int j = 0; j < grid.ny(); ++j)
          for (int i = 0; i < grid.nx(); ++i) {
            Equation const eq = equation(k, j, i);
            if (eq.own != 0) lambda(k, j, i) += omega * eq.residual / eq.own;
          }
  }

  /// Jacobi.
  void iterate_at_once(int count, double omega) {
    for (int n = 0; n < count; ++n) {
      HostField<double> next = lambda;
      next.fill([&](int k, int j, int i) {
        Equation const eq = equation(k, j, i);
        return eq.own != 0 ? lambda(k, j, i) + omega * eq.residual / eq.own : lambda(k, j, i);
      });
      lambda = next;
    }
  }

  double residual() const {
    double largest = 0;
    for (int k = 0; k < grid.nz(); ++k)
      for (int j = 0; j < grid.ny(); ++j)
        for (int i = 0; i < grid.nx(); ++i) largest = std::max(largest, std::abs(equation(k, j, i).residual));
    return largest;
  }
};

}  // namespace karman::test
