// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Steps of the vorticity equation by plain sums over pairs of modes, without a transform.
#pragma once

#include <karman/solvers/spectral/vorticity_options.hpp>

#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace karman::test {

/// Modes by the numbers along x and y, all of the plane.
using Modes = std::map<std::pair<int, int>, std::complex<double>>;

/// Right-hand side and steps for few modes.
struct VorticityReference {
  VorticitySetup setup;

  double kx(int i) const { return 2 * std::numbers::pi / setup.lengths[0] * i; }
  double ky(int j) const { return 2 * std::numbers::pi / setup.lengths[1] * j; }

  /// - u . grad omega for the modes that `w` has: sums over all pairs p + q = k.
  Modes advection(Modes const& w) const {
    std::complex<double> const i(0, 1);
    Modes result;
    for (auto const& [k, value] : w) result[k] = 0;
    for (auto const& [p, wp] : w) {
      double const px = kx(p.first), py = ky(p.second), square = px * px + py * py;
      auto const psi = -wp / square;
      auto const u = -i * py * psi, v = i * px * psi;
      for (auto const& [q, wq] : w) {
        auto const found = result.find({p.first + q.first, p.second + q.second});
        if (found == result.end()) continue;
        found->second -= u * (i * kx(q.first) * wq) + v * (i * ky(q.second) * wq);
      }
    }
    return result;
  }

  /// d omega/dt = -rate omega of the linear terms.
  std::complex<double> rate(std::pair<int, int> const& k) const {
    double const x = kx(k.first), square = x * x + ky(k.second) * ky(k.second);
    auto const& t = setup.terms;
    double const slow = t.hypoviscosity > 0 ? t.hypoviscosity * std::pow(square, -t.hypoviscosity_order) : 0;
    return {t.viscosity * std::pow(square, t.viscosity_order) + t.friction + slow, -t.beta * x / square};
  }

  Modes change(Modes const& w) const {
    Modes result = advection(w);
    for (auto& [k, value] : result) value -= rate(k) * w.at(k);
    return result;
  }

  /// Many small steps of the classical Runge-Kutta method, for the linear terms as well.
  Modes advanced(Modes w, double time, int steps) const {
    double const dt = time / steps;
    auto const plus = [](Modes const& a, double factor, Modes const& b) {
      Modes sum = a;
      for (auto& [k, value] : sum) value += factor * b.at(k);
      return sum;
    };
    for (int n = 0; n < steps; ++n) {
      auto const k1 = change(w), k2 = change(plus(w, dt / 2, k1)), k3 = change(plus(w, dt / 2, k2)),
                 k4 = change(plus(w, dt, k3));
      w = plus(plus(plus(plus(w, dt / 6, k1), dt / 3, k2), dt / 3, k3), dt / 6, k4);
    }
    return w;
  }
};

}  // namespace karman::test
