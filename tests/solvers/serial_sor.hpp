// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Red-black SOR as plain loops: the reference that the kernels are held against.
#pragma once

#include <karman/core/uniform_grid.hpp>

#include <fields.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace karman::test {

/// Coefficients and values of a problem, all in double. `beyond` gives the ghost value of a cell outside.
struct SerialSor {
  UniformGrid grid;
  std::array<double, 3> weights;
  std::array<HostField<double>, 6> face;         ///< e, f, g, h, m, n
  std::array<HostField<double>, 3> half_weight;  ///< o, p, q; may be empty
  HostField<double> lambda, rhs;

  struct Equation {
    double residual, own;
  };

  Equation equation(int k, int j, int i) const {
    double const ax = weights[0] / (grid.dx() * grid.dx());
    double const ay = weights[1] / (grid.dy() * grid.dy());
    double const up = weights[2] / (grid.dz(k) * grid.dz_between(k + 1));
    double const down = weights[2] / (grid.dz(k) * grid.dz_between(k));
    std::array const a{ax, ax, ay, ay, up, down};
    std::array<std::array<int, 3>, 6> const step{{{0, 0, 1}, {0, 0, -1}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}};
    double sum = 0;
    double own = 0;
    for (std::size_t n = 0; n < 6; ++n) {
      int const kk = k + step[n][0], jj = j + step[n][1], ii = i + step[n][2];
      bool const inside = kk >= 0 && kk < grid.nz() && jj >= 0 && jj < grid.ny() && ii >= 0 && ii < grid.nx();
      double const coefficient = a[n] * face[n](k, j, i);
      sum += coefficient * (inside ? lambda(kk, jj, ii) : 0.0);
      own += coefficient;
    }
    if (own == 0) return {0, 0};
    if (!half_weight[0].values.empty()) {
      own = 2 * ax * half_weight[0](k, j, i) + 2 * ay * half_weight[1](k, j, i) + (up + down) * half_weight[2](k, j, i);
    }
    return {sum - own * lambda(k, j, i) - rhs(k, j, i), own};
  }

  void iterate(int count, double omega) {
    for (int n = 0; n < count; ++n) {
      for (int colour = 0; colour < 2; ++colour) {
        for (int k = 0; k < grid.nz(); ++k)
          for (int j = 0; j < grid.ny(); ++j)
            for (int i = 0; i < grid.nx(); ++i) {
              if ((k + j + i) % 2 != colour) continue;
              Equation const eq = equation(k, j, i);
              if (eq.own != 0) lambda(k, j, i) += omega * eq.residual / eq.own;
            }
      }
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
