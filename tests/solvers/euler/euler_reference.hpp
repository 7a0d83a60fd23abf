// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Euler right-hand side by plain loops on the host, with full 4 x 4 Jacobians; and fields to test with.
#pragma once

#include <karman/mesh/mesh_data.hpp>
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

using State4 = std::array<double, 4>;
using Field4 = std::vector<State4>;

/// Flux in x (axis 0) or y of a conservative state.
inline State4 flux_of(double gamma, State4 const& u, int axis) {
  double const v[2] = {u[1] / u[0], u[2] / u[0]};
  double const p = (gamma - 1) * (u[3] - 0.5 * (u[1] * v[0] + u[2] * v[1]));
  State4 f{u[0] * v[axis], u[1] * v[axis], u[2] * v[axis], (u[3] + p) * v[axis]};
  f[std::size_t(1 + axis)] += p;
  return f;
}

/// d flux_of / d u by the textbook matrix.
inline std::array<State4, 4> jacobian(double gamma, State4 const& u, int axis) {
  double const vx = u[1] / u[0], vy = u[2] / u[0], q = vx * vx + vy * vy, g = gamma - 1;
  double const p = g * (u[3] - 0.5 * u[0] * q), h = (u[3] + p) / u[0], phi = 0.5 * g * q;
  if (axis == 0) {
    return {{{0, 1, 0, 0},
             {phi - vx * vx, (3 - gamma) * vx, -g * vy, g},
             {-vx * vy, vy, vx, 0},
             {vx * (phi - h), h - g * vx * vx, -g * vx * vy, gamma * vx}}};
  }
  return {{{0, 0, 1, 0},
           {-vx * vy, vy, vx, 0},
           {phi - vy * vy, -g * vx, (3 - gamma) * vy, g},
           {vy * (phi - h), -g * vx * vy, h - g * vy * vy, gamma * vy}}};
}

struct ReferenceResult {
  Field4 rate_of_change;
  double largest_rate = 0;
  Field4 sum = {};  ///< d(M U)/dt at the lowest node of each group
  std::vector<double> mass = {}, mass_rate = {};
};

/// du/dt of EulerRhs. `projection` null: without stabilisation. `dt` 0: no limit of tau. Boundary edges whose label has
/// a state get the flux of that state (inflow); `walls` get pressure alone; all others keep the flux of the flow. With
/// velocities of the nodes: the change of U at the moving nodes. `ends`: states of (edge, node) that replace states of
/// `inflow`.
inline ReferenceResult euler_reference(MeshData const& mesh, Field4 const& u, Field4 const* projection, double gamma,
                                       double shock, double dt, std::vector<int> const& group = {},
                                       std::map<int, State4> const& inflow = {}, std::set<int> const& walls = {},
                                       std::vector<std::array<double, 2>> const& velocity = {},
                                       std::map<std::pair<int, int>, State4> const& ends = {}) {
  std::size_t const n = mesh.nodes.size();
  auto const owner = [&](int i) { return std::size_t(group.empty() ? i : group[std::size_t(i)]); };
  Field4 sum(n, State4{});
  std::vector<double> mass(n, 0.0), mass_rate(n, 0.0);
  auto const w = [&](int node, std::size_t axis) { return velocity.empty() ? 0 : velocity[std::size_t(node)][axis]; };
  ReferenceResult result;
  for (auto const& t : mesh.triangles) {
    std::array<double, 2> p[3];
    for (std::size_t m = 0; m < 3; ++m) p[m] = mesh.nodes[std::size_t(t[m])];
    double const twice = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1]);
    double const area = twice / 2;
    double b[3], c[3], longest = 0;
    for (std::size_t m = 0; m < 3; ++m) {
      auto const &q = p[(m + 1) % 3], &r = p[(m + 2) % 3];
      b[m] = (q[1] - r[1]) / twice;
      c[m] = (r[0] - q[0]) / twice;
      longest = std::max(longest, std::hypot(q[0] - r[0], q[1] - r[1]));
    }
    State4 residual{}, mean{}, ux{}, uy{}, g{};
    double wx = 0, wy = 0, spread = 0, px = 0, py = 0, mean_pressure = 0;
    for (std::size_t m = 0; m < 3; ++m) {
      State4 const& v = u[std::size_t(t[m])];
      State4 fx = flux_of(gamma, v, 0), fy = flux_of(gamma, v, 1);
      wx += w(t[m], 0) / 3;
      wy += w(t[m], 1) / 3;
      spread += b[m] * w(t[m], 0) + c[m] * w(t[m], 1);
      double const p_here = (gamma - 1) * (v[3] - 0.5 * (v[1] * v[1] + v[2] * v[2]) / v[0]);
      px += b[m] * p_here;
      py += c[m] * p_here;
      mean_pressure += p_here / 3;
      for (std::size_t k = 0; k < 4; ++k) {
        fx[k] -= w(t[m], 0) * v[k];
        fy[k] -= w(t[m], 1) * v[k];
        residual[k] += b[m] * fx[k] + c[m] * fy[k];
        mean[k] += v[k] / 3;
        ux[k] += b[m] * v[k];
        uy[k] += c[m] * v[k];
        if (projection != nullptr) g[k] += (*projection)[std::size_t(t[m])][k] / 3;
      }
    }
    double const vx = mean[1] / mean[0], vy = mean[2] / mean[0];
    double const pressure = (gamma - 1) * (mean[3] - 0.5 * mean[0] * (vx * vx + vy * vy));
    double const sound = std::sqrt(gamma * pressure / mean[0]);
    double const height = twice / longest;
    double rate = (std::hypot(vx - wx, vy - wy) + sound) / height;
    double tau = 0, viscosity = 0;
    auto ax = jacobian(gamma, mean, 0), ay = jacobian(gamma, mean, 1);
    for (std::size_t k = 0; k < 4; ++k) {
      ax[k][k] -= wx;
      ay[k][k] -= wy;
    }
    State4 d{};
    if (projection != nullptr) {
      double const slope = std::hypot(ux[0], uy[0]);
      double const steep = std::hypot(px, py);
      double flow = 0, along = 0, along_all = 0, along_p = 0;
      for (int m = 0; m < 3; ++m) {
        flow += std::abs((vx - wx) * b[m] + (vy - wy) * c[m]);
        if (slope > 0) along += std::abs((ux[0] * b[m] + uy[0] * c[m]) / slope);
        if (steep > 0) along_p += std::abs((px * b[m] + py * c[m]) / steep);
      }
      if (dt <= 0 && slope > 0) {
        // Where the jump over the least height is faint, the sum tends to its bound in any direction.
        double const faint = 1e-4 * mean[0] * longest / twice;
        along_all = (along * slope + 2 * longest / twice * faint) / (slope + faint);
      } else {
        along_all = along;
      }
      double const rate2 = dt > 0 ? 2 / dt : 0, least = dt > 0 ? 0 : 0.1 * sound * longest / twice;
      double const rate1 = std::max(flow + sound * along_all, least);
      tau = 1 / std::sqrt(rate1 * rate1 + rate2 * rate2);
      double const h = along > 0 ? 2 / along : 0, s = slope * h / mean[0];
      double const h_p = along_p > 0 ? 2 / along_p : 0, s_p = std::min(steep * h_p / std::abs(mean_pressure), 3.0);
      double const wave = steep > 0 ? sound + std::abs((vx - wx) * px + (vy - wy) * py) / steep : 0;
      viscosity = shock * std::max(sound * h / 4 * (s + s * s), wave * h_p / 8 * s_p * s_p);
      rate += 4 * viscosity / (height * height);
      for (std::size_t k = 0; k < 4; ++k) d[k] = residual[k] + mean[k] * spread + g[k];
    }
    result.largest_rate = std::max(result.largest_rate, rate);
    for (std::size_t m = 0; m < 3; ++m) {
      std::size_t const to = owner(t[m]);
      mass[to] += area / 3;
      mass_rate[to] += area / 3 * spread;
      for (std::size_t k = 0; k < 4; ++k) {
        double upwind = 0;
        for (std::size_t l = 0; l < 4; ++l) upwind += (b[m] * ax[k][l] + c[m] * ay[k][l]) * d[l];
        sum[to][k] -= area * (residual[k] / 3 + tau * upwind + viscosity * (b[m] * ux[k] + c[m] * uy[k]));
      }
    }
  }
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    int const label = mesh.edge_labels[e];
    bool const wall = walls.contains(label);
    if (!wall && !inflow.contains(label)) continue;
    auto const [first, second] = mesh.edges[e];
    auto const &p = mesh.nodes[std::size_t(first)], &q = mesh.nodes[std::size_t(second)];
    double const nx = 0.5 * (q[1] - p[1]), ny = -0.5 * (q[0] - p[0]);
    for (int const node : {first, second}) {
      State4 const& v = u[std::size_t(node)];
      State4 const ownx = flux_of(gamma, v, 0), owny = flux_of(gamma, v, 1);
      double const sweep = w(node, 0) * nx + w(node, 1) * ny;
      double const vx = v[1] / v[0], vy = v[2] / v[0];
      double const pressure = (gamma - 1) * (v[3] - 0.5 * v[0] * (vx * vx + vy * vy));
      State4 given{0, pressure * nx, pressure * ny, pressure * sweep};
      if (!wall) {
        auto const own = ends.find({int(e), node});
        State4 const& state = own != ends.end() ? own->second : inflow.at(label);
        State4 const gx = flux_of(gamma, state, 0), gy = flux_of(gamma, state, 1);
        for (std::size_t k = 0; k < 4; ++k) given[k] = gx[k] * nx + gy[k] * ny - sweep * state[k];
      }
      for (std::size_t k = 0; k < 4; ++k) {
        sum[owner(node)][k] -= given[k] - ownx[k] * nx - owny[k] * ny + sweep * v[k];
      }
    }
  }
  result.rate_of_change.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 4; ++k) {
      std::size_t const from = owner(int(i));
      result.rate_of_change[i][k] = mass[from] > 0 ? (sum[from][k] - mass_rate[from] * u[i][k]) / mass[from] : 0;
    }
  }
  result.sum = sum;
  result.mass = mass;
  result.mass_rate = mass_rate;
  return result;
}

/// A gas of no pattern: densities and pressures in [0.5, 1.5], velocities in [-1, 1]; equal in the nodes of a group.
inline Field4 random_gas(MeshData const& mesh, double gamma, std::vector<int> const& group = {}) {
  std::mt19937 generator(11);
  auto const unit = [&] { return double(generator() % 4096) / 4096; };
  Field4 u(mesh.nodes.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!group.empty() && group[i] != int(i)) {
      u[i] = u[std::size_t(group[i])];
      continue;
    }
    double const rho = 0.5 + unit(), vx = 2 * unit() - 1, vy = 2 * unit() - 1, p = 0.5 + unit();
    u[i] = {rho, rho * vx, rho * vy, p / (gamma - 1) + 0.5 * rho * (vx * vx + vy * vy)};
  }
  return u;
}

template <class Exec, class T>
EulerField<Exec, T> to_device(Exec const& space, Field4 const& u) {
  EulerField<Exec, T> const field("karman::test::u", u.size());
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), field);
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) host(i, c) = static_cast<T>(u[i][c]);
  }
  Kokkos::deep_copy(space, field, host);
  space.fence();
  return field;
}

template <class Exec, class T>
Field4 to_host(Exec const& space, EulerField<Exec, T> const& field) {
  auto const host = Kokkos::create_mirror_view(Kokkos::HostSpace(), field);
  Kokkos::deep_copy(space, host, field);
  space.fence();
  Field4 u(field.extent(0));
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) u[i][c] = double(host(i, c));
  }
  return u;
}

template <class Exec>
double to_host(Exec const& space, DeviceNumber<Exec> const& number) {
  double value = 0;
  Kokkos::deep_copy(space, value, number);
  space.fence();
  return value;
}

template <class Exec>
DeviceNumber<Exec> device_number(Exec const& space, double value) {
  DeviceNumber<Exec> const number("karman::test::number");
  Kokkos::deep_copy(space, number, value);
  space.fence();
  return number;
}

/// Names a set-up in messages.
inline std::string described(EulerRhsSetup const& setup) {
  if (setup.scheme == EulerScheme::muscl)
    return std::string("muscl") + (setup.order == EulerOrder::along_curve ? ", along a curve" : "");
  return std::string(name(setup.strategy)) + ", blocks of " + std::to_string(setup.block_triangles) +
         (setup.order == EulerOrder::along_curve ? ", along a curve" : "");
}

/// All labels of a mesh with one condition.
inline std::map<int, EulerBoundary> everywhere(MeshData const& mesh, EulerBoundary const& condition) {
  std::map<int, EulerBoundary> conditions;
  for (int const label : mesh.edge_labels) conditions[label] = condition;
  return conditions;
}

/// The unit square, with n sides of triangles along each of its own.
inline MeshData square(int n) {
  return mesh_rectangle({.low = {0, 0}, .high = {1, 1}, .size = 1.0 / n, .diagonals = DiagonalPattern::right});
}

/// Largest difference of two fields.
inline double difference(Field4 const& a, Field4 const& b) {
  double error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      // Not max(error, ...), which would lose a NaN.
      double const here = std::abs(a[i][c] - b[i][c]);
      error = here <= error ? error : here;
    }
  }
  return error;
}

/// Largest difference, relative to the largest value of each variable.
inline double relative_difference(Field4 const& a, Field4 const& b) {
  double worst = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    double size = 0, error = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      size = std::max(size, std::abs(b[i][c]));
      // Not max(error, ...), which would lose a NaN.
      double const here = std::abs(a[i][c] - b[i][c]);
      error = here <= error ? error : here;
    }
    worst = error <= worst * size ? worst : error / size;
  }
  return worst;
}

}  // namespace karman::test
