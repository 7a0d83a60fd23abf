// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The finite-volume scheme of EulerRhs by plain loops on the host: cells from their corners, states and fluxes in
/// conservative variables by the formulas of textbooks.
#pragma once

#include "euler_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace karman::test {

using Vector2 = std::array<double, 2>;

/// Density, velocity and pressure.
inline State4 primitive_of(double gamma, State4 const& u) {
  return {u[0], u[1] / u[0], u[2] / u[0], (gamma - 1) * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0])};
}

inline State4 conservative_of(double gamma, State4 const& w) {
  return conservative_state(gamma, {w[0], {w[1], w[2]}, w[3]});
}

/// Flux of a conservative state along a unit normal.
inline State4 normal_flux(double gamma, State4 const& u, Vector2 const& n) {
  State4 const x = flux_of(gamma, u, 0), y = flux_of(gamma, u, 1);
  State4 f{};
  for (std::size_t k = 0; k < 4; ++k) f[k] = x[k] * n[0] + y[k] * n[1];
  return f;
}

/// Flux between two states, with the given share of HLL, and the speed of the fastest wave.
inline State4 upwind_reference(double gamma, State4 const& l, State4 const& r, Vector2 const& n, double smear,
                               double& fastest) {
  State4 const wl = primitive_of(gamma, l), wr = primitive_of(gamma, r);
  double const ul = wl[1] * n[0] + wl[2] * n[1], ur = wr[1] * n[0] + wr[2] * n[1];
  double const cl = std::sqrt(gamma * wl[3] / wl[0]), cr = std::sqrt(gamma * wr[3] / wr[0]);
  double const mean = (ul + ur) / 2, fan = std::sqrt((cl * cl + cr * cr) / 2 + (ur - ul) * (ur - ul) / 8);
  double const slow = std::min(ul - cl, mean - fan), fast = std::max(ur + cr, mean + fan);
  fastest = std::max(-slow, fast);
  State4 const fl = normal_flux(gamma, l, n), fr = normal_flux(gamma, r, n);
  if (slow >= 0) return fl;
  if (fast <= 0) return fr;
  double const middle = (wr[3] - wl[3] + wl[0] * ul * (slow - ul) - wr[0] * ur * (fast - ur)) /
                        (wl[0] * (slow - ul) - wr[0] * (fast - ur));
  bool const left = middle >= 0;
  State4 const &u = left ? l : r, &w = left ? wl : wr;
  double const wave = left ? slow : fast, own = left ? ul : ur, factor = w[0] * (wave - own) / (wave - middle);
  State4 const star{factor, factor * (w[1] + (middle - own) * n[0]), factor * (w[2] + (middle - own) * n[1]),
                    factor * (u[3] / w[0] + (middle - own) * (middle + w[3] / (w[0] * (wave - own))))};
  State4 f{};
  for (std::size_t k = 0; k < 4; ++k) {
    double const hllc = (left ? fl : fr)[k] + wave * (star[k] - u[k]);
    double const hll = (fast * fl[k] - slow * fr[k] + fast * slow * (r[k] - l[k])) / (fast - slow);
    f[k] = (1 - smear) * hllc + smear * hll;
  }
  return f;
}

struct EdgeReference {
  Field4 rate_of_change;
  std::vector<double> rates;        ///< of each node, as evaluate() has them
  std::vector<double> local_rates;  ///< of each node, without the boundary
};

/// du/dt of EulerRhs with EulerScheme::muscl. Boundary edges whose label has a state take the upwind flux of that
/// state; `walls` take the pressure; all others the flux of the flow.
inline EdgeReference edge_reference(MeshData const& mesh, Field4 const& u, double gamma,
                                    std::vector<int> const& group = {}, std::map<int, State4> const& states = {},
                                    std::set<int> const& walls = {}) {
  std::size_t const n = mesh.nodes.size();
  auto const owner = [&](int i) { return std::size_t(group.empty() ? i : group[std::size_t(i)]); };
  auto const step = [&](int from, int to) {
    auto const &p = mesh.nodes[std::size_t(from)], &q = mesh.nodes[std::size_t(to)];
    return Vector2{q[0] - p[0], q[1] - p[1]};
  };
  Field4 w(n);
  for (std::size_t i = 0; i < n; ++i) w[i] = primitive_of(gamma, u[i]);

  struct Face {
    std::size_t a, b;
    Vector2 along, normal;
  };
  std::vector<Face> faces;
  std::vector<double> mass(n, 0.0), jump(n, 0.0);
  for (auto const& t : mesh.triangles) {
    for (std::size_t m = 0; m < 3; ++m) {
      int const i = t[m], j = t[(m + 1) % 3], k = t[(m + 2) % 3];
      Vector2 const ij = step(i, j), ik = step(i, k);
      mass[owner(i)] += (ij[0] * ik[1] - ij[1] * ik[0]) / 6;
      if (owner(i) == owner(j)) continue;
      // From the middle of the side to the centroid.
      Vector2 const to{(ij[0] + ik[0]) / 3 - ij[0] / 2, (ij[1] + ik[1]) / 3 - ij[1] / 2};
      Face face{owner(i), owner(j), ij, {to[1], -to[0]}};
      if (face.a > face.b) face = {face.b, face.a, {-ij[0], -ij[1]}, {-to[1], to[0]}};
      auto const same = std::find_if(faces.begin(), faces.end(), [&](Face const& f) {
        return f.a == face.a && f.b == face.b &&
               std::hypot(f.along[0] - face.along[0], f.along[1] - face.along[1]) < 1e-6;
      });
      if (same == faces.end()) {
        faces.push_back(face);
      } else {
        for (std::size_t axis = 0; axis < 2; ++axis) same->normal[axis] += face.normal[axis];
      }
      double const p = w[face.a][3], q = w[face.b][3], found = std::abs(p - q) / std::min(p, q);
      for (std::size_t const node : {face.a, face.b}) jump[node] = std::max(jump[node], found);
    }
  }
  double distinct = 0;
  for (std::size_t i = 0; i < n; ++i) distinct += owner(int(i)) == i ? 1 : 0;
  double const threshold = std::pow(distinct, -1.5);

  // Jump from behind node i to it, along a step away from it.
  auto const behind = [&](std::size_t i, std::size_t j, Vector2 const& away) {
    State4 jumps{};
    double const smear = std::clamp(2 * std::max(jump[i], jump[j]) - 1, 0.0, 1.0);
    for (std::size_t c = 0; c < 4; ++c) jumps[c] = (1 - smear) * (w[j][c] - w[i][c]);
    double best = -0.1;
    for (auto const& t : mesh.triangles) {
      for (std::size_t m = 0; m < 3; ++m) {
        if (owner(t[m]) != i) continue;
        Vector2 const b = step(t[m], t[(m + 1) % 3]), d = step(t[m], t[(m + 2) % 3]);
        double const twice = b[0] * d[1] - b[1] * d[0];
        double const first = -(away[0] * d[1] - away[1] * d[0]) / twice;
        double const second = -(b[0] * away[1] - b[1] * away[0]) / twice;
        if (std::min(first, second) <= best) continue;
        best = std::min(first, second);
        for (std::size_t c = 0; c < 4; ++c) {
          jumps[c] = first * (w[i][c] - w[owner(t[(m + 1) % 3])][c]) + second * (w[i][c] - w[owner(t[(m + 2) % 3])][c]);
        }
      }
    }
    return jumps;
  };
  // State at the middle of an edge.
  auto const reconstructed = [&](std::size_t i, std::size_t j, Vector2 const& away) {
    State4 state = w[i];
    State4 const back = behind(i, j, away);
    double const c2 = gamma * w[i][3] / w[i][0];
    double const scales[4] = {w[i][0] * w[i][0], c2, c2, w[i][3] * w[i][3]};
    for (std::size_t c = 0; c < 4; ++c) {
      double const a = back[c], d = w[j][c] - w[i][c], e = threshold * scales[c];
      double s = std::max(4 * a * d + e, 0.0) / ((a + d) * (a + d) + e);
      double const smaller = 1 - std::max(d * d - a * a, 0.0) / (d * d + a * a + e);
      s += (1 - smaller * smaller) * s * s * (1 - s);
      state[c] += s / 4 * ((1 - s / 3) * a + (1 + s / 3) * d);
    }
    return state[0] > 0 && state[3] > 0 ? state : w[i];
  };

  EdgeReference result{Field4(n, State4{}), std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  Field4& sum = result.rate_of_change;
  for (auto const& face : faces) {
    double const length = std::hypot(face.normal[0], face.normal[1]);
    Vector2 const unit{face.normal[0] / length, face.normal[1] / length};
    double const smear = std::clamp(2 * std::max(jump[face.a], jump[face.b]) - 1, 0.0, 1.0);
    double fastest = 0;
    State4 const f = upwind_reference(
        gamma, conservative_of(gamma, reconstructed(face.a, face.b, face.along)),
        conservative_of(gamma, reconstructed(face.b, face.a, {-face.along[0], -face.along[1]})), unit, smear, fastest);
    auto const wave = [&](std::size_t i) {
      return std::abs(w[i][1] * unit[0] + w[i][2] * unit[1]) + std::sqrt(gamma * w[i][3] / w[i][0]);
    };
    for (std::size_t const node : {face.a, face.b}) {
      for (std::size_t k = 0; k < 4; ++k) sum[node][k] += (node == face.a ? -length : length) * f[k];
      result.rates[node] += length / 2 * fastest;
      result.local_rates[node] += length / 2 * std::max(wave(face.a), wave(face.b));
    }
  }
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    auto const [first, second] = mesh.edges[e];
    int const label = mesh.edge_labels[e];
    bool const wall = walls.contains(label);
    // Sides that a group joins have no flux of their own.
    if (!wall && !states.contains(label) && !group.empty()) continue;
    Vector2 const along = step(first, second);
    double const half = std::hypot(along[0], along[1]) / 2;
    Vector2 const unit{along[1] / (2 * half), -along[0] / (2 * half)};
    for (int const node : {first, second}) {
      State4 const& v = w[std::size_t(node)];
      State4 f = normal_flux(gamma, u[std::size_t(node)], unit);
      if (wall) {
        double const into = v[1] * unit[0] + v[2] * unit[1];
        double const p = std::max(v[3] + v[0] * into * std::abs(into), 0.0);
        f = {0, p * unit[0], p * unit[1], 0};
      } else if (states.contains(label)) {
        // HLLC with the wave speeds of Davis, as everywhere at the boundary.
        State4 const &l = u[std::size_t(node)], &r = states.at(label);
        State4 const wr = primitive_of(gamma, r);
        double const cl = std::sqrt(gamma * v[3] / v[0]), cr = std::sqrt(gamma * wr[3] / wr[0]);
        double const ul = v[1] * unit[0] + v[2] * unit[1], ur = wr[1] * unit[0] + wr[2] * unit[1];
        double const slow = std::min(ul - cl, ur - cr), fast = std::max(ul + cl, ur + cr);
        double const ml = v[0] * (slow - ul), mr = wr[0] * (fast - ur);
        double const middle = (wr[3] - v[3] + ml * ul - mr * ur) / (ml - mr);
        bool const left = middle >= 0;
        double const wave = left ? slow : fast, own = left ? ul : ur;
        State4 const &k = left ? l : r, &wk = left ? v : wr;
        double const factor = wk[0] * (wave - own) / (wave - middle);
        State4 const star{factor, factor * (wk[1] + (middle - own) * unit[0]),
                          factor * (wk[2] + (middle - own) * unit[1]),
                          factor * (k[3] / wk[0] + (middle - own) * (middle + wk[3] / (wk[0] * (wave - own))))};
        f = normal_flux(gamma, k, unit);
        double const clipped = left ? std::min(wave, 0.0) : std::max(wave, 0.0);
        for (std::size_t c = 0; c < 4; ++c) f[c] += clipped * (star[c] - k[c]);
      }
      for (std::size_t k = 0; k < 4; ++k) sum[owner(node)][k] -= half * f[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t const from = owner(int(i));
    if (from != i || !(mass[i] > 0)) continue;
    for (std::size_t k = 0; k < 4; ++k) sum[i][k] /= mass[i];
    result.rates[i] /= mass[i];
    result.local_rates[i] /= mass[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    sum[i] = sum[owner(int(i))];
    result.rates[i] = result.rates[owner(int(i))];
    result.local_rates[i] = result.local_rates[owner(int(i))];
  }
  return result;
}

}  // namespace karman::test
