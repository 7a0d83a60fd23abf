// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions and small passes over a flow.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/reduction_operations.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace karman::euler {

/// Density, velocity and pressure of a node.
struct Primitive {
  double rho, vx, vy, p;

  template <class Field>
  KOKKOS_FUNCTION Primitive(double gamma, Field const& u, std::int64_t node) {
    rho = double(u(node, 0));
    vx = double(u(node, 1)) / rho;
    vy = double(u(node, 2)) / rho;
    p = (gamma - 1) * (double(u(node, 3)) - 0.5 * rho * (vx * vx + vy * vy));
  }
};

/// Sums and extremes over the nodes.
struct Totals {
  double total[4];  ///< integrals
  double square;    ///< integral of (d rho/dt)^2
  double least_density, least_pressure, largest_mach;
};

struct JoinTotals {
  using value_type = Totals;
  static constexpr double most = std::numeric_limits<double>::max();
  KOKKOS_FUNCTION static Totals identity() { return {{0, 0, 0, 0}, 0, most, most, 0}; }
  KOKKOS_FUNCTION static Totals join(Totals const& a, Totals const& b) {
    return {{a.total[0] + b.total[0], a.total[1] + b.total[1], a.total[2] + b.total[2], a.total[3] + b.total[3]},
            a.square + b.square,
            MinOf<double>::join(a.least_density, b.least_density),
            MinOf<double>::join(a.least_pressure, b.least_pressure),
            MaxOf<double>::join(a.largest_mach, b.largest_mach)};
  }
};

/// Totals of one node. Nodes of a periodic group share a mass: `share` is 1 / (nodes of the group).
template <class Exec, class T>
struct TotalsOfNode {
  ConstEulerField<Exec, T> u, rate;
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass;
  Kokkos::View<float const*, typename Exec::memory_space> share;  ///< empty: all 1
  double gamma;

  KOKKOS_FUNCTION Totals operator()(std::int64_t node) const {
    namespace math = compat::math;
    Primitive const state(gamma, u, node);
    double const mass = (share.extent(0) == 0 ? 1.0 : double(share(node))) / double(inverse_mass(node));
    double const change = double(rate(node, 0));
    Totals result{{}, mass * change * change, state.rho, state.p, 0};
    for (int c = 0; c < 4; ++c) result.total[c] = mass * double(u(node, c));
    double const square = gamma * state.p / state.rho;
    double const speed = math::sqrt(state.vx * state.vx + state.vy * state.vy);
    result.largest_mach = square > 0 ? speed / math::sqrt(square) : 0;
    return result;
  }
};

/// Square of the rounding of d rho/dt of one node, times its mass: of fluxes of about rho (v + c) over the longest side
/// of its triangles.
template <class Exec, class T>
struct RoundingOfNode {
  ConstEulerField<Exec, T> u;
  Kokkos::View<float const*, typename Exec::memory_space> stretch;  ///< square of that side / mass
  double gamma;
  double epsilon;  ///< of T

  KOKKOS_FUNCTION double operator()(std::int64_t node) const {
    namespace math = compat::math;
    Primitive const state(gamma, u, node);
    double const square = gamma * state.p / state.rho;
    double const speed = math::sqrt(state.vx * state.vx + state.vy * state.vy) + math::sqrt(square > 0 ? square : 0);
    double const rounded = epsilon * state.rho * speed;
    return double(stretch(node)) * rounded * rounded;
  }
};

/// Force and moment of the pressure.
struct Force {
  double x, y, moment;
};

struct JoinForces {
  using value_type = Force;
  KOKKOS_FUNCTION static Force identity() { return {0, 0, 0}; }
  KOKKOS_FUNCTION static Force join(Force const& a, Force const& b) {
    return {a.x + b.x, a.y + b.y, a.moment + b.moment};
  }
};

/// Pressure beyond `reference` on one edge of a wall, linear along the edge; the moment turns the nose up (clockwise,
/// for a flow from the left).
template <class Exec, class T>
struct ForceOfEdge {
  ConstEulerField<Exec, T> u;
  typename TriangleMesh<Exec>::template Table<double, 2> nodes;
  Kokkos::View<int const* [2], Kokkos::LayoutRight, typename Exec::memory_space> edges;
  double gamma, reference, at_x, at_y;

  KOKKOS_FUNCTION Force operator()(std::int64_t n) const {
    int const a = edges(n, 0), b = edges(n, 1);
    double const pa = Primitive(gamma, u, a).p - reference, pb = Primitive(gamma, u, b).p - reference;
    // The domain lies on the left: the normal out of it, times the length.
    double const nx = nodes(b, 1) - nodes(a, 1), ny = nodes(a, 0) - nodes(b, 0);
    double const mean = 0.5 * (pa + pb);
    // Centroid of a pressure that is linear along the edge, as shares of its ends.
    double const first = (2 * pa + pb) / 6, last = (pa + 2 * pb) / 6;
    double const x = first * (nodes(a, 0) - at_x) + last * (nodes(b, 0) - at_x);
    double const y = first * (nodes(a, 1) - at_y) + last * (nodes(b, 1) - at_y);
    return {mean * nx, mean * ny, -(x * ny - y * nx)};
  }
};

/// Shape of a triangle, 1 if it is equilateral.
template <class Exec>
struct QualityOfTriangle {
  typename TriangleMesh<Exec>::template Table<double, 2> nodes;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;

  KOKKOS_FUNCTION double operator()(std::int64_t t) const {
    int const a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
    return shape_quality(nodes(b, 0) - nodes(a, 0), nodes(b, 1) - nodes(a, 1), nodes(c, 0) - nodes(a, 0),
                         nodes(c, 1) - nodes(a, 1));
  }
};

/// Values at gauges.
template <class Exec, class T>
struct ReadGauges {
  ConstEulerField<Exec, T> u;
  Kokkos::View<int const* [3], Kokkos::LayoutRight, typename Exec::memory_space> corners;
  Kokkos::View<double const* [3], Kokkos::LayoutRight, typename Exec::memory_space> weights;
  Kokkos::View<double* [4], Kokkos::LayoutRight, typename Exec::memory_space> values;
  double gamma;

  KOKKOS_FUNCTION void operator()(int gauge) const {
    double sum[4] = {};
    for (int m = 0; m < 3; ++m) {
      Primitive const state(gamma, u, corners(gauge, m));
      double const weight = weights(gauge, m);
      sum[0] += weight * state.rho;
      sum[1] += weight * state.vx;
      sum[2] += weight * state.vy;
      sum[3] += weight * state.p;
    }
    for (int c = 0; c < 4; ++c) values(gauge, c) = sum[c];
  }
};

/// Adds dt times density, velocity, pressure and pressure squared, once the time has come.
template <class Exec, class T>
struct AddAverages {
  ConstEulerField<Exec, T> u;
  Kokkos::View<double* [5], Kokkos::LayoutLeft, typename Exec::memory_space> sums;
  DeviceNumber<Exec> time, dt, seconds;
  double from, gamma;

  KOKKOS_FUNCTION void operator()(int node) const {
    if (!(time() >= from)) return;
    double const step = dt();
    Primitive const state(gamma, u, node);
    sums(node, 0) += step * state.rho;
    sums(node, 1) += step * state.vx;
    sums(node, 2) += step * state.vy;
    sums(node, 3) += step * state.p;
    sums(node, 4) += step * state.p * state.p;
    if (node == 0) seconds() += step;
  }
};

}  // namespace karman::euler
