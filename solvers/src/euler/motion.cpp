// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "motion.hpp"

#include <Kokkos_Core.hpp>

namespace karman::detail {

namespace {

/// Points at half the step, velocities in the type of the fields, masses and their rates of change, per node. Areas are
/// quadratic in time: dt times their rate at half the step is their whole change. M + dt dM/dt is the mass of the next
/// step.
template <class Exec, class T>
struct MoveNodes {
  using Table = typename TriangleMesh<Exec>::template Table<double, 2>;
  Table points;    ///< at the start of the step
  Table velocity;  ///< empty: at rest
  double const* dt;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  EulerGeometry<Exec, T> to;
  EulerArray<Exec, T> inverse_mass;

  KOKKOS_FUNCTION void operator()(int node) const {
    bool const moving = velocity.data() != nullptr;
    double const step = moving ? *dt : 0;
    std::int64_t const nodes = static_cast<std::int64_t>(to.own_points.extent(0));
    for (int axis = 0; axis < 2; ++axis) {
      double const w = moving ? velocity(node, axis) : 0;
      to.own_points(node, axis) = points(node, axis) + 0.5 * step * w;
      to.velocity(axis * nodes + node) = static_cast<T>(w);
    }
    Sums sums{};
    if (to.rings.begin(node) < to.rings.begin(node + 1)) {
      if (moving) add_ring<true>(node, step, sums);
      else add_ring<false>(node, step, sums);
    } else if (to.owner.extent(0) != 0) {
      int const row = to.owner(node);
      for (int n = to.corners.begin(row); n < to.corners.begin(row + 1); ++n) {
        int const t = to.corners.corners(n) / 3, a = triangles(t, 0);
        if (moving) sums.template add<true>(from(a, triangles(t, 1), true), from(a, triangles(t, 2), true), step);
        else sums.template add<false>(from(a, triangles(t, 1), false), from(a, triangles(t, 2), false), step);
      }
    }
    inverse_mass(node) = sums.mass > 0 ? static_cast<T>(6 / sums.mass) : T(0);
    to.mass_rate(node) = static_cast<T>(sums.rate / 6);
  }

 private:
  /// A node relative to another one: place and velocity.
  struct Spoke {
    double x, y, u, v;
  };

  /// Twice the areas and their rates at half the step.
  struct Sums {
    double mass, rate;

    template <bool moving>
    KOKKOS_FORCEINLINE_FUNCTION void add(Spoke const& b, Spoke const& c, double step) {
      mass += b.x * c.y - c.x * b.y;
      if constexpr (moving) rate += (b.u * c.y - c.u * b.y) + (b.x * c.v - c.x * b.v) + step * (b.u * c.v - c.u * b.v);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION Spoke from(int a, int b, bool moving) const {
    Spoke spoke{points(b, 0) - points(a, 0), points(b, 1) - points(a, 1), 0, 0};
    if (!moving) return spoke;
    spoke.u = velocity(b, 0) - velocity(a, 0);
    spoke.v = velocity(b, 1) - velocity(a, 1);
    return spoke;
  }

  template <bool moving>
  KOKKOS_FORCEINLINE_FUNCTION void add_ring(int node, double step, Sums& sums) const {
    Spoke last{};
    for (int n = to.rings.begin(node); n < to.rings.begin(node + 1); ++n) {
      int const entry = to.rings.nodes(n);
      Spoke const next = from(node, entry < 0 ? ~entry : entry, moving);
      if (entry >= 0) sums.template add<moving>(last, next, step);
      last = next;
    }
  }
};

/// Outward normals of the half edges, from the points at half the step.
template <class Exec, class T>
struct MoveHalfEdges {
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  EulerRows<Exec, T> rows;

  KOKKOS_FUNCTION void operator()(int n) const {
    int const a = rows.half_edge_ends(n, 0), b = rows.half_edge_ends(n, 1);
    rows.half_edges(n).nx = static_cast<T>(0.5 * (points(b, 1) - points(a, 1)));
    rows.half_edges(n).ny = static_cast<T>(-0.5 * (points(b, 0) - points(a, 0)));
  }
};

/// Edges at each place of the blocks.
template <class Exec, class T>
struct StoreEdges {
  typename TriangleMesh<Exec>::template Table<double, 2> points;
  typename TriangleMesh<Exec>::template Table<int, 3> triangles;
  typename Graph<Exec>::Numbers order;
  EulerArray<Exec, EulerEdgePiece<T>> edges;

  KOKKOS_FUNCTION void operator()(int place) const {
    int const t = order(place), a = triangles(t, 0), b = triangles(t, 1), c = triangles(t, 2);
    double const x = points(a, 0), y = points(a, 1);
    T const values[4] = {static_cast<T>(points(b, 0) - x), static_cast<T>(points(b, 1) - y),
                         static_cast<T>(points(c, 0) - x), static_cast<T>(points(c, 1) - y)};
    using Piece = EulerEdgePiece<T>;
    for (int n = 0; n < Piece::count; ++n) {
      Piece piece;
      for (int k = 0; k < Piece::length; ++k) piece.v[k] = values[n * Piece::length + k];
      edges(n * order.extent(0) + std::size_t(place)) = piece;
    }
  }
};

}  // namespace

template <class Exec, class T>
void refresh_edges(Exec const& space, EulerPlan<Exec, T> const& plan) {
  if (plan.edges.extent(0) == 0) return;
  Kokkos::parallel_for(
      "karman::euler::store_edges",
      Kokkos::RangePolicy<Exec>(space, 0, static_cast<std::int64_t>(plan.blocks.parts.triangles.entries.extent(0))),
      StoreEdges<Exec, T>{plan.motion.points, plan.mesh.triangles, plan.blocks.parts.triangles.entries, plan.edges});
}

template <class Exec, class T>
void refresh_geometry(Exec const& space, NodePaths<Exec> const& paths, EulerPlan<Exec, T>& plan) {
  using Range = Kokkos::RangePolicy<Exec>;
  plan.motion.moving = paths.velocity.data() != nullptr;
  Kokkos::parallel_for(
      "karman::euler::move_nodes", Range(space, 0, plan.nodes()),
      MoveNodes<Exec, T>{paths.points, paths.velocity, paths.dt, plan.mesh.triangles, plan.motion, plan.inverse_mass});
  Kokkos::parallel_for("karman::euler::move_half_edges",
                       Range(space, 0, static_cast<std::int64_t>(plan.rows.half_edges.extent(0))),
                       MoveHalfEdges<Exec, T>{plan.motion.points, plan.rows});
  refresh_edges(space, plan);
}

#define KARMAN_INSTANTIATE(Exec)                                                                \
  template void refresh_edges(Exec const&, EulerPlan<Exec, float> const&);                      \
  template void refresh_edges(Exec const&, EulerPlan<Exec, double> const&);                     \
  template void refresh_geometry(Exec const&, NodePaths<Exec> const&, EulerPlan<Exec, float>&); \
  template void refresh_geometry(Exec const&, NodePaths<Exec> const&, EulerPlan<Exec, double>&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
