// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernels of the motion of meshes.
#pragma once

#include "joined_nodes.hpp"
#include <karman/core/compat.hpp>
#include <karman/solvers/fem/fem_element.hpp>
#include <karman/solvers/mesh_motion/mesh_motion.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// a(i, j) = integral of kappa grad(N_i) . grad(N_j).
struct MotionStiffness {
  static constexpr bool needs_number = false;
  MotionWeight weight;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& t, ElementMatrix<double, 3>& a,
                                              ElementVector<double, 3>&) const {
    double const x1 = t.x[1] - t.x[0], y1 = t.y[1] - t.y[0], x2 = t.x[2] - t.x[0], y2 = t.y[2] - t.y[0];
    double const twice = x1 * y2 - x2 * y1, mu = shape_quality(x1, y1, x2, y2);
    double factor = 0.5 / twice;
    if (weight != MotionWeight::area) factor *= 2 / twice;
    if (weight == MotionWeight::quality) factor /= mu * mu;
    // Edges opposite to the corners, whose scalar products are the products of the gradients times (2 A)^2.
    double const ex[3] = {x2 - x1, -x2, x1}, ey[3] = {y2 - y1, -y2, y1};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) a(i, j) = factor * (ex[i] * ex[j] + ey[i] * ey[j]);
    }
  }
};

/// One component of the given displacements, 0 at the other nodes; the first guess has it too.
template <class Exec>
struct GiveValues {
  FixedNodes<Exec> fixed;
  ConstNodeVectors<Exec> given;
  double* known;
  double* guess;
  int axis;
  JoinedNodes<Exec> joined;

  KOKKOS_FUNCTION void operator()(int i) const {
    bool const is_given = fixed(i) != 0;
    double const value = is_given ? given(joined.owner_of(i), axis) : 0;
    known[i] = value;
    if (is_given) guess[i] = value;
  }
};

/// Rows of given nodes: diagonal times value.
template <class Exec>
struct GiveRows {
  FixedNodes<Exec> fixed;
  double const* known;
  double const* inverse_diagonal;
  double* rhs;

  KOKKOS_FUNCTION void operator()(int i) const {
    if (fixed(i) != 0) rhs[i] = known[i] / inverse_diagonal[i];
  }
};

/// points = reference + displacement; the given nodes are exactly at their places.
template <class Exec>
struct Displace {
  FixedNodes<Exec> fixed;
  ConstNodeVectors<Exec> given, reference;
  double const* displacement;  ///< component c of node i: c * nodes + i
  std::int64_t nodes;
  NodeVectors<Exec> points;
  JoinedNodes<Exec> joined;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const from = joined.owner_of(i);
    for (int axis = 0; axis < 2; ++axis) {
      points(i, axis) = reference(i, axis) + (fixed(i) != 0 ? given(from, axis) : displacement[axis * nodes + from]);
    }
  }
};

template <class Exec>
struct TakeReference {
  ConstNodeVectors<Exec> from;
  NodeVectors<Exec> reference, points;
  double *displacement, *known;
  std::int64_t nodes;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int axis = 0; axis < 2; ++axis) {
      double const x = from(i, axis);
      reference(i, axis) = x;
      points(i, axis) = x;
      displacement[axis * nodes + i] = 0;
    }
    known[i] = 0;
  }
};

/// Quality and area of triangles; values that are not numbers count as inverted triangles.
template <class Exec>
struct StateOfTriangle {
  ConstNodeVectors<Exec> points;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;

  KOKKOS_FUNCTION MeshState operator()(std::int64_t t) const {
    int const a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
    double const x1 = points(b, 0) - points(a, 0), y1 = points(b, 1) - points(a, 1);
    double const x2 = points(c, 0) - points(a, 0), y2 = points(c, 1) - points(a, 1);
    double const area = 0.5 * (x1 * y2 - x2 * y1);
    MeshState state;
    state.least_quality = shape_quality(x1, y1, x2, y2);
    state.least_area = area;
    state.inverted = area > 0 ? 0 : 1;
    return state;
  }
};

/// Joins the states of triangles; a NaN stays.
struct JoinStates {
  using value_type = MeshState;
  KOKKOS_FUNCTION MeshState identity() const { return {}; }
  KOKKOS_FUNCTION MeshState join(MeshState const& a, MeshState const& b) const {
    MeshState state;
    state.least_quality = lesser(a.least_quality, b.least_quality);
    state.least_area = lesser(a.least_area, b.least_area);
    state.inverted = a.inverted + b.inverted;
    return state;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static double lesser(double a, double b) { return b < a || b != b ? b : a; }
};

/// given = (1, 0) on the body, 0 elsewhere, at the lowest node of a group where the body has any of its nodes; marks
/// the body.
template <class Exec>
struct MarkBody {
  FixedNodes<Exec> body, marks;
  NodeVectors<Exec> given;
  KOKKOS_FUNCTION void operator()(int i) const {
    given(i, 0) = body(i) != 0 ? 1 : 0;
    given(i, 1) = 0;
    if (body(i) != 0) marks(i) = 1;
  }
};

/// Marks periodic nodes, 2 where the body has one.
template <class Exec>
struct HoldPeriodic {
  FixedNodes<Exec> periodic, body, marks;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (periodic(i) != 0) marks(i) = body(i) != 0 ? 2 : 1;
  }
};

/// The field b from a solve for its first component.
template <class Exec>
struct TakeBlend {
  ConstNodeVectors<Exec> reference, points;
  double* blend;
  KOKKOS_FUNCTION void operator()(int i) const {
    double const b = points(i, 0) - reference(i, 0);
    blend[i] = b < 0 ? 0 : b > 1 ? 1 : b;
  }
};

/// Places of the nodes around a rigid body, or the velocities that lead there. Nodes of a group have the displacement
/// and the velocity of the lowest one, to the bit.
template <class Exec>
struct PlaceRigid {
  ConstNodeVectors<Exec> reference;
  double const* blend;  ///< of the shift
  double const* turn;   ///< of the angle; null: the body does not turn
  int const* owner;     ///< lowest node of each group; null: no groups
  typename RigidBodyMotion<Exec>::ConstPose pose;
  double pivot_x, pivot_y;
  double const* dt;             ///< null: places
  ConstNodeVectors<Exec> from;  ///< at the start of the step
  NodeVectors<Exec> to;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const own = owner != nullptr ? owner[i] : i;
    double const b = blend[own];
    double place[2] = {reference(own, 0), reference(own, 1)};
    if (turn != nullptr && turn[own] != 0) rotate(turn[own] * pose().angle, place);
    place[0] += b * pose().shift_x;
    place[1] += b * pose().shift_y;
    double const per_dt = dt != nullptr && *dt > 0 ? 1 / *dt : 0;
    for (int axis = 0; axis < 2; ++axis) {
      if (dt != nullptr) to(i, axis) = (place[axis] - from(own, axis)) * per_dt;
      else to(i, axis) = own == i ? place[axis] : reference(i, axis) + (place[axis] - reference(own, axis));
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void rotate(double angle, double (&place)[2]) const {
    namespace math = karman::compat::math;
    double const x = place[0] - pivot_x, y = place[1] - pivot_y;
    double c, s;
    if (math::fabs(angle) <= 0.5) {
      series(angle, c, s);
    } else {
      c = math::cos(angle);
      s = math::sin(angle);
    }
    place[0] = pivot_x + c * x - s * y;
    place[1] = pivot_y + s * x + c * y;
  }

  /// Cosine and sine of at most half a radian to round-off, in half the time of the library's: the next terms are below
  /// 3e-17.
  KOKKOS_FORCEINLINE_FUNCTION static void series(double angle, double& c, double& s) {
    double const q = angle * angle, r = q * q;
    // Two sums each, which a processor forms at once.
    double const even = 1 + r * (1.0 / 24 + r * (1.0 / 40320 + r * (1.0 / 479001600)));
    double const odd = 1.0 / 2 + r * (1.0 / 720 + r * (1.0 / 3628800 + r * (1.0 / 87178291200)));
    double const even_s = 1 + r * (1.0 / 120 + r * (1.0 / 362880 + r * (1.0 / 6227020800)));
    double const odd_s = 1.0 / 6 + r * (1.0 / 5040 + r * (1.0 / 39916800));
    c = even - q * odd;
    s = angle * (even_s - q * odd_s);
  }
};

}  // namespace karman::detail
