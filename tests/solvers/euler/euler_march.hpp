// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Flows in time by the four-stage method of minimal storage, and exact solutions.
#pragma once

#include "euler_reference.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/mesh/periodic_nodes.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace karman::test {

/// Advances u to the time `end` with steps of cfl / rate. `set_time` is called with the time of each stage before it.
/// Throws std::runtime_error when a rate is not finite.
template <class Exec, class T>
Field4 march(Exec const& space, EulerRhs<Exec, T>& rhs, Field4 const& start, double end, double cfl,
             std::function<void(double)> const& set_time = {}) {
  auto u = to_device<Exec, T>(space, start);
  EulerField<Exec, T> a("karman::test::a", u.extent(0)), b("karman::test::b", u.extent(0));
  auto const dt = device_number(space, 0), rate = device_number(space, 0);
  auto const at = [&](double time) {
    if (set_time) set_time(time);
  };
  at(0);
  rhs.project(space, u);
  rhs.evaluate(space, u, dt, a, rate);
  for (double time = 0; time < end * (1 - 1e-12);) {
    double const fastest = to_host(space, rate);
    if (!std::isfinite(fastest)) throw std::runtime_error("no gas at time " + std::to_string(time));
    double const step = std::min(cfl / fastest, end - time);
    Kokkos::deep_copy(space, dt, step);
    at(time);
    rhs.project(space, u);
    rhs.advance(space, u, u, 1.0 / 4, dt, a);
    at(time + step / 4);
    rhs.advance(space, u, a, 1.0 / 3, dt, b);
    at(time + step / 3);
    rhs.advance(space, u, b, 1.0 / 2, dt, a);
    at(time + step / 2);
    rhs.advance(space, u, a, 1, dt, b, rate);
    std::swap(u, b);
    time += step;
  }
  return to_host(space, u);
}

/// Conservative state of a density, velocity and pressure of air.
inline State4 air(double rho, double vx, double vy, double p) { return conservative_state(1.4, {rho, {vx, vy}, p}); }

inline double pressure_of(State4 const& u) { return 0.4 * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]); }

/// Mean of |rho - expected| over the nodes.
inline double density_error(MeshData const& mesh, Field4 const& u,
                            std::function<double(double x, double y)> const& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += std::abs(u[i][0] - expected(mesh.nodes[i][0], mesh.nodes[i][1]));
  return sum / static_cast<double>(u.size());
}

/// Density of Sod's shock tube, (1, 0, 1) left and (0.125, 0, 0.1) right of x = 0.5, at `time`.
inline double sod_density(double x, double time) {
  // Solution of the Riemann problem (E. F. Toro, Riemann Solvers, 1999, test 1): pressure and velocity between the
  // waves, the densities left and right of the contact, the speed of the shock.
  double const p = 0.30313018, v = 0.92745262, left = 0.42631943, right = 0.26557371, shock = 1.75215573;
  double const c = std::sqrt(1.4), at = (x - 0.5) / time;
  if (at <= -c) return 1;
  if (at < v - std::sqrt(1.4 * p / left)) return std::pow((2 - 0.4 * at / c) / 2.4, 5);
  if (at < v) return left;
  return at < shock ? right : 0.125;
}

/// Result of a shock tube.
struct ShockTube {
  double error;           ///< mean error of the density
  double least, largest;  ///< density
};

/// A strip of Sod's shock tube at the time 0.2, with n cells along it and walls at its ends. `line`, if given: out,
/// (x, density) along the bottom.
template <class Exec>
ShockTube shock_tube(Exec const& space, int n, std::vector<std::array<double, 2>>* line = nullptr,
                     EulerScheme scheme = EulerScheme::supg) {
  int const rows = 4;
  auto const mesh = mesh_rectangle({.low = {0, 0}, .high = {1, double(rows) / n}, .size = 1.0 / n});
  Field4 start;
  for (auto const& [x, y] : mesh.nodes) {
    bool const on_diaphragm = std::abs(x - 0.5) < 0.1 / n;
    start.push_back(on_diaphragm ? air(0.5625, 0, 0, 0.55) : x < 0.5 ? air(1, 0, 0, 1) : air(0.125, 0, 0, 0.1));
  }
  EulerRhs<Exec, double> rhs(space, make_triangle_mesh(space, mesh), {.scheme = scheme},
                             periodic_groups(mesh, {{1, 3}}));
  rhs.set_boundary(space, {{2, {}}, {4, {}}});
  auto const u = march(space, rhs, start, 0.2, 0.6);
  for (std::size_t i = 0; line != nullptr && i < u.size(); ++i) {
    if (mesh.nodes[i][1] == 0) line->push_back({mesh.nodes[i][0], u[i][0]});
  }
  auto const [least, largest] =
      std::minmax_element(u.begin(), u.end(), [](auto const& a, auto const& b) { return a[0] < b[0]; });
  return {density_error(mesh, u, [](double x, double) { return sod_density(x, 0.2); }), (*least)[0], (*largest)[0]};
}

}  // namespace karman::test
