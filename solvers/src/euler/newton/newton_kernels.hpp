// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes of a Newton step over the nodes. Fields hold the variables one after the other, block vectors node by node.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/reduction_operations.hpp>
#include <karman/solvers/euler/euler_rhs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Scales of the unknowns of the linear systems: variable c of node i over its reference value, times the root of the
/// share of the node in the area. The 2-norm of a scaled residual is the norm of EulerNewton.
template <class Exec, class T>
struct NewtonScales {
  Vector<Exec, T> root;  ///< of the share of each node
  T reference[4];

  KOKKOS_FORCEINLINE_FUNCTION T of(std::int64_t node, int c) const { return root(node) / reference[c]; }
};

/// root = sqrt(mass of the node / area); nodes of a periodic group share their mass.
template <class Exec, class T>
struct RootOfShare {
  Kokkos::View<T const*, typename Exec::memory_space> inverse_mass;
  Kokkos::View<float const*, typename Exec::memory_space> share;  ///< of a node in its group; empty: no groups
  double area;
  Vector<Exec, T> root;

  KOKKOS_FUNCTION double mass(std::int64_t node) const {
    return (share.extent(0) == 0 ? 1.0 : double(share(node))) / double(inverse_mass(node));
  }
  KOKKOS_FUNCTION void operator()(int node) const { root(node) = T(compat::math::sqrt(mass(node) / area)); }
};

/// Masses of the nodes, for their sum.
template <class Exec, class T>
struct MassOfNode {
  RootOfShare<Exec, T> of;
  KOKKOS_FUNCTION double operator()(std::int64_t node) const { return of.mass(node); }
};

/// vector = scaled r(u) - inverse_dt (u - base), the residual of an implicit step.
template <class Exec, class T>
struct StepResidual {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> rate, u, base;  ///< r(u); base may be u
  ConstVector<Exec, T> inverse_dt;
  Vector<Exec, T> vector;
  KOKKOS_FUNCTION void operator()(int node) const {
    for (int c = 0; c < 4; ++c)
      vector(4 * node + c) = scales.of(node, c) * (rate(node, c) - inverse_dt(node) * (u(node, c) - base(node, c)));
  }
};

/// Largest component of a vector of unknowns over its reference value.
template <class Exec, class T>
struct LargestChange {
  NewtonScales<Exec, T> scales;
  ConstVector<Exec, T> vector;
  KOKKOS_FUNCTION double operator()(std::int64_t node) const {
    double largest = 0;
    for (int c = 0; c < 4; ++c) {
      double const here = compat::math::fabs(double(vector(4 * node + c)));
      largest = here <= largest ? largest : here;
    }
    return largest / double(scales.root(node));
  }
};

/// Step of a difference: `relative` in units of the reference values.
struct DifferenceStep {
  double relative;
  double const* largest;  ///< change of the vector
  KOKKOS_FORCEINLINE_FUNCTION double operator()() const { return *largest > 0 ? relative / *largest : relative; }
};

/// Share of a step.
struct StepShare {
  double share;
  KOKKOS_FORCEINLINE_FUNCTION double operator()() const { return share; }
};

/// trial = u + e v for a scaled vector v. `Length`: DifferenceStep or StepShare.
template <class Exec, class T, class Length>
struct Displace {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> u;
  ConstVector<Exec, T> vector;
  Length length;
  EulerField<Exec, T> trial;
  KOKKOS_FUNCTION void operator()(int node) const {
    T const e = static_cast<T>(length());
    for (int c = 0; c < 4; ++c) trial(node, c) = u(node, c) + e * vector(4 * node + c) / scales.of(node, c);
  }
};

/// result = v / dt - scaled (r(u + e v) - r(u)) / e.
template <class Exec, class T>
struct DifferenceProduct {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> rate, displaced;
  ConstVector<Exec, T> inverse_dt, vector;
  DifferenceStep step;
  Vector<Exec, T> result;
  KOKKOS_FUNCTION void operator()(int node) const {
    T const over = static_cast<T>(1 / step());
    for (int c = 0; c < 4; ++c) {
      int const n = 4 * node + c;
      result(n) = inverse_dt(node) * vector(n) - scales.of(node, c) * (over * (displaced(node, c) - rate(node, c)));
    }
  }
};

/// inverse_dt = rate / cfl.
template <class Exec, class T>
struct InverseSteps {
  ConstVector<Exec, T> rates;
  double cfl;
  Vector<Exec, T> inverse_dt;
  KOKKOS_FUNCTION void operator()(int node) const { inverse_dt(node) = static_cast<T>(double(rates(node)) / cfl); }
};

/// Values of the blocks for scaled unknowns and equations.
template <class Exec, class T, class Matrix>
struct ScaleUnknowns {
  NewtonScales<Exec, T> scales;
  Matrix matrix;
  KOKKOS_FUNCTION void operator()(int node) const {
    for (int n = matrix.graph.offsets(node); n < matrix.graph.offsets(node + 1); ++n) {
      int const other = matrix.graph.entries(n);
      for (int r = 0; r < 4; ++r) {
        for (int c = 0; c < 4; ++c) matrix.values(n, r, c) *= scales.of(node, r) / scales.of(other, c);
      }
    }
  }
};

/// All nodes of a periodic group have the unknowns of its lowest node.
template <class Exec, class T>
struct SpreadMembers {
  Kokkos::View<int const*, typename Exec::memory_space> group;
  Vector<Exec, T> x;
  KOKKOS_FUNCTION void operator()(int node) const {
    int const lowest = group(node);
    if (lowest == node) return;
    for (int c = 0; c < 4; ++c) x(4 * node + c) = x(4 * lowest + c);
  }
};

/// result = x in the lowest node of each periodic group, 0 in the others: their rows demand equal unknowns. `result`
/// may be x.
template <class Exec, class T>
struct MaskMembers {
  Kokkos::View<int const*, typename Exec::memory_space> group;
  ConstVector<Exec, T> x;
  Vector<Exec, T> result;
  KOKKOS_FUNCTION void operator()(int node) const {
    bool const own = group(node) == node;
    for (int c = 0; c < 4; ++c) result(4 * node + c) = own ? x(4 * node + c) : T(0);
  }
};

/// Share of a step after which density and pressure of a node have fallen by no more than the given share.
/// The pressure is a concave function of the conservative variables: interpolation finds a safe share.
template <class Exec, class T>
struct SafeShare {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> u;
  ConstVector<Exec, T> step;
  double fall;

  KOKKOS_FUNCTION double operator()(std::int64_t node) const {
    double own[4], change[4];
    for (int c = 0; c < 4; ++c) {
      own[c] = double(u(node, c));
      change[c] = double(step(4 * node + c) / scales.of(node, c));
    }
    double share = 1;
    if (change[0] < -fall * own[0]) share = fall * own[0] / -change[0];
    double const before = thermal(own, change, 0), after = thermal(own, change, share);
    if (!(after >= (1 - fall) * before)) share *= fall * before / (before - after);
    // A step that is not a number: none.
    return share > 0 ? share : 0;
  }

 private:
  /// Thermal energy per volume, in proportion to the pressure.
  KOKKOS_FUNCTION static double thermal(double const (&own)[4], double const (&change)[4], double share) {
    double s[4];
    for (int c = 0; c < 4; ++c) s[c] = own[c] + share * change[c];
    return s[3] - 0.5 * (s[1] * s[1] + s[2] * s[2]) / s[0];
  }
};

/// Squares of the norms of a residual, and of that of the implicit step.
struct NewtonNorms {
  double steady, unsteady;
};

struct JoinNewtonNorms {
  using value_type = NewtonNorms;
  KOKKOS_FUNCTION static NewtonNorms identity() { return {0, 0}; }
  KOKKOS_FUNCTION static NewtonNorms join(NewtonNorms const& a, NewtonNorms const& b) {
    return {a.steady + b.steady, a.unsteady + b.unsteady};
  }
};

/// Squares of r and of r - inverse_dt (u - base) in one node.
template <class Exec, class T>
struct NormsOfNode {
  NewtonScales<Exec, T> scales;
  ConstEulerField<Exec, T> rate, u, base;
  ConstVector<Exec, T> inverse_dt;

  KOKKOS_FUNCTION NewtonNorms operator()(std::int64_t node) const {
    NewtonNorms sum{0, 0};
    for (int c = 0; c < 4; ++c) {
      double const scale = double(scales.of(node, c)), r = double(rate(node, c));
      double const back = double(inverse_dt(node)) * (double(u(node, c)) - double(base(node, c)));
      sum.steady += scale * scale * r * r;
      sum.unsteady += scale * scale * (back - r) * (back - r);
    }
    return sum;
  }
};

}  // namespace karman::detail
