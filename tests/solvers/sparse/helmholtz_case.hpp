// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waves in a basin on linear triangles, assembled serially: the kind of system of harbour waves.
#pragma once

#include "sparse_cases.hpp"

#include <cmath>
#include <numbers>

namespace karman::test {

/// div grad u + k^2 (1 + i loss) u = 0 in a rectangle of `across` by `across` wave lengths, divided into (n - 1)^2
/// squares of two triangles. A wave of amplitude 1 enters at x = 0, an open side: du/dn = i k (u - 2 u_I). The opposite
/// side reflects the fraction `reflection` of normal waves: du/dn = i k g u with g = (1 - reflection) / (1 +
/// reflection). So do the sides along x with `walls`; otherwise they are open.
struct HelmholtzCase {
  int n = 200;
  double across = 20;
  double reflection = 0.3;
  bool walls = true;
  double loss = 0;

  double wave_number() const { return 2 * std::numbers::pi * across; }
  double spacing() const { return 1.0 / (n - 1); }
  int node(int i, int j) const { return j * n + i; }

  using Number = std::complex<double>;

  struct System {
    HostMatrix<Number> matrix, mass;
    std::vector<Number> rhs;
  };

  System assemble() const {
    int const nodes = n * n;
    System s{HostMatrix<Number>(nodes), HostMatrix<Number>(nodes), std::vector<Number>(std::size_t(nodes))};
    double const k = wave_number(), h = spacing();
    Number const square = k * k * Number(1, loss);
    auto const triangle = [&](int a, int b, int c) {
      // The right angle is at a: the gradients belong to the half square.
      int const corner[3] = {a, b, c};
      double const stiffness[3][3] = {{1, -0.5, -0.5}, {-0.5, 0.5, 0}, {-0.5, 0, 0.5}};
      for (int p = 0; p < 3; ++p) {
        for (int q = 0; q < 3; ++q) {
          double const mass = h * h / 2 * (p == q ? 1.0 / 6 : 1.0 / 12);
          auto const row = std::size_t(corner[p]);
          s.matrix.rows[row][corner[q]] += stiffness[p][q] - square * mass;
          s.mass.rows[row][corner[q]] += mass;
        }
      }
    };
    for (int j = 0; j + 1 < n; ++j) {
      for (int i = 0; i + 1 < n; ++i) {
        triangle(node(i, j), node(i + 1, j), node(i, j + 1));
        triangle(node(i + 1, j + 1), node(i, j + 1), node(i + 1, j));
      }
    }
    double const partly = (1 - reflection) / (1 + reflection);
    auto const edge = [&](int a, int b, double admittance) {
      for (int p : {a, b}) {
        for (int q : {a, b}) {
          s.matrix.rows[std::size_t(p)][q] -= Number(0, k * admittance) * (h * (p == q ? 1.0 / 3 : 1.0 / 6));
        }
      }
    };
    for (int m = 0; m + 1 < n; ++m) {
      edge(node(0, m), node(0, m + 1), 1);
      edge(node(n - 1, m), node(n - 1, m + 1), partly);
      edge(node(m, 0), node(m + 1, 0), walls ? partly : 1);
      edge(node(m, n - 1), node(m + 1, n - 1), walls ? partly : 1);
      for (int end : {m, m + 1}) s.rhs[std::size_t(node(0, end))] += Number(0, -2 * k) * (h / 2);
    }
    return s;
  }
};

}  // namespace karman::test
