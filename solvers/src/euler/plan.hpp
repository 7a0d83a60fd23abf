// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data of the Euler right-hand side.
#pragma once

#include "boundary_flux.hpp"
#include <karman/core/backend.hpp>
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/graph.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace karman::detail {

template <class Exec, class T>
using EulerArray = Kokkos::View<T*, typename Exec::memory_space>;

/// Half a boundary edge at a node.
template <class T>
struct EulerHalfEdge {
  T nx, ny;       ///< outward normal times half the length
  int condition;  ///< place in the table of conditions
  int end;        ///< place among the ends of the edges with this condition
};

/// Nodes that a separate kernel finishes: it sums their partial sums and adds the fluxes through the boundary. A row
/// holds one node, or all nodes of one periodic group.
template <class Exec, class T>
struct EulerRows {
  using Numbers = EulerArray<Exec, int>;
  int count = 0;
  Numbers node_begin = Numbers(), nodes = Numbers();  ///< empty: row r is node r
  Numbers slot_begin = Numbers(), slots = Numbers();  ///< places of the partial sums; empty: places of the nodes
  Numbers half_edge_begin = Numbers();                ///< empty: no boundary
  EulerArray<Exec, EulerHalfEdge<T>> half_edges = EulerArray<Exec, EulerHalfEdge<T>>();
  /// First and last node of the edge of each half edge.
  Kokkos::View<int* [2], Kokkos::LayoutRight, typename Exec::memory_space> half_edge_ends =
      Kokkos::View<int* [2], Kokkos::LayoutRight, typename Exec::memory_space>();
};

/// A label of the boundary and the ends of its edges, in the order of EulerRhs::boundary_ends().
struct EulerLabel {
  int label;
  std::vector<EulerBoundaryEnd> ends;
};

/// Triangles of one colour after the other.
template <class Exec>
struct EulerColors {
  Graph<Exec> classes;
  std::vector<int> begin = {};  ///< of each colour, and the end
};

/// Two edges of a triangle: its second and third corner relative to the first one.
template <class T>
struct alignas(16) EulerEdges {
  T x1, y1, x2, y2;
};

/// 16 bytes of EulerEdges. Where the first pieces of all triangles lie together, so that neighbouring threads copy
/// neighbouring pieces.
template <class T>
struct alignas(16) EulerEdgePiece {
  static constexpr int length = 16 / static_cast<int>(sizeof(T)), count = 4 / length;
  T v[length];
};

/// Whether the blocks of a device read the edges of their triangles from memory.
template <class Exec>
constexpr bool euler_edges_stored() {
  return !runs_on_host<Exec>;
}

/// A triangle of a block on a device, whose teams add the triangles of a batch in turns, colour by colour.
struct alignas(8) EulerBlockTriangle {
  std::uint16_t node[3];     ///< places of the corners among the nodes of the block
  std::uint8_t turn, turns;  ///< its own one; that of the last triangle of its batch
};

/// Blocks of triangles, beyond their colouring.
template <class Exec>
struct EulerBlocks {
  BlockedColoring<Exec> parts;  ///< on a device without local_nodes
  /// Of each place of parts.nodes: the slot of its sum, or ~node of a node that the block finishes.
  EulerArray<Exec, int> targets = EulerArray<Exec, int>();
  EulerArray<Exec, EulerBlockTriangle> triangles = EulerArray<Exec, EulerBlockTriangle>();  ///< of a device
};

/// The triangles around each node, for stored contributions: entry 3 t + m is corner m of triangle t.
template <class Exec>
struct EulerCorners {
  EulerArray<Exec, int> begin = EulerArray<Exec, int>(), corners = EulerArray<Exec, int>();
};

/// Neighbours of each node in turn, anticlockwise: two in succession and the node are a triangle. A negative entry ~n
/// begins a new chain at the neighbour n; around an inner node the first neighbour is the last one, too.
template <class Exec>
struct EulerRings {
  EulerArray<Exec, int> begin = EulerArray<Exec, int>(), nodes = EulerArray<Exec, int>();
};

/// Geometry of nodes that move. Empty, except for `points`, where they do not.
template <class Exec, class T>
struct EulerGeometry {
  using Table = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  Table own_points = Table();                                     ///< memory of `points`
  typename TriangleMesh<Exec>::template Table<double, 2> points;  ///< that kernels read: those at half the step
  EulerArray<Exec, T> velocity = EulerArray<Exec, T>();           ///< component c of node i: c * nodes + i
  EulerArray<Exec, T> mass_rate = EulerArray<Exec, T>();          ///< change of the mass of each node per unit of time
  EulerRings<Exec> rings;                                         ///< around nodes without partners
  EulerCorners<Exec> corners;  ///< around all nodes of a group of more than one, at its lowest; empty: no groups
  EulerArray<Exec, int> owner = EulerArray<Exec, int>();  ///< lowest node of the group; empty: no groups
  bool moving = false;                                    ///< now

  bool possible() const { return own_points.data() != nullptr; }
};

/// An edge of the finite-volume scheme, see DualEdge.
template <class T>
struct EulerDualEdge {
  int node[2], behind[2][2];
  T weight[2][2];
  T nx, ny;
};

/// Edges of the finite-volume scheme and values of a residual. Empty for other schemes.
template <class Exec, class T>
struct EulerDual {
  using Numbers = EulerArray<Exec, int>;
  using Values = EulerArray<Exec, T>;
  static constexpr int no_row = -1, other_member = -2;
  EulerArray<Exec, EulerDualEdge<T>> edges = EulerArray<Exec, EulerDualEdge<T>>();
  Numbers begin = Numbers(), ends = Numbers(), neighbors = Numbers();  ///< around each node: 2 edge + end, other node
  Numbers targets = Numbers();  ///< of each node: its row, no_row, or other_member of a group than its lowest one
  Values closure = Values();    ///< sum of the normals around the node of each row, out of the node
  Values states = Values();     ///< density, velocity, pressure of node i at 4 i
  Values jumps = Values();      ///< of the pressure around each node, relative
  Values fluxes = Values();     ///< through edge e at 4 e
  Values speeds = Values();     ///< fastest wave times half the face, of each edge
  T threshold = 0;              ///< square of the relative jump that counts as smooth

  int count() const { return static_cast<int>(edges.extent(0)); }
};

template <class Exec, class T>
struct EulerPlan {
  TriangleMesh<Exec> mesh;
  EulerRows<Exec, T> rows;
  EulerColors<Exec> colors;
  EulerBlocks<Exec> blocks;
  EulerDual<Exec, T> dual;
  /// Piece n of the edges at place p of the blocks: n * places + p. Or none.
  EulerArray<Exec, EulerEdgePiece<T>> edges = EulerArray<Exec, EulerEdgePiece<T>>();
  EulerCorners<Exec> corners;
  EulerGeometry<Exec, T> motion;
  std::int64_t slots = 0;                                    ///< partial sums per component
  EulerArray<Exec, T> partial = EulerArray<Exec, T>();       ///< component c of slot s: c * slots + s
  EulerArray<Exec, T> expanded = EulerArray<Exec, T>();      ///< values of all triangles, see ExpandedTriangles
  EulerArray<Exec, T> inverse_mass = EulerArray<Exec, T>();  ///< of each node; that of its group where it has one
  EulerArray<Exec, T> projection = EulerArray<Exec, T>();    ///< component c of node i: c * nodes + i
  EulerArray<Exec, EulerSide<T>> sides = EulerArray<Exec, EulerSide<T>>();
  EulerArray<Exec, double> launch_rates = EulerArray<Exec, double>();  ///< per launch of a strategy without blocks
  EulerArray<Exec, T> triangle_rates = EulerArray<Exec, T>();          ///< for the rates of the nodes

  int nodes() const { return mesh.node_count(); }
};

/// Destination of a residual: result = du/dt, base + factor dt du/dt or factor dt du/dt.
/// Component c of node i: c * nodes + i.
template <class T>
struct EulerTarget {
  T* result;
  T const* base;     ///< null: zeros
  double const* dt;  ///< null, with no local_dt: the residual itself
  T factor;
  T const* inverse_mass;
  std::int64_t nodes;
  T const* mass_rate;           ///< of moving nodes, in which `inverse_mass` is that at the start of the step
  T const* u;                   ///< of moving nodes: vector at which the residual is taken
  T const* local_dt = nullptr;  ///< of each node, instead of dt

  KOKKOS_FORCEINLINE_FUNCTION T step(int node) const {
    if (local_dt != nullptr) return factor * local_dt[node];
    return dt != nullptr ? static_cast<T>(factor * *dt) : T(1);
  }

  /// `moving`: the sums are d(M U)/dt, and the step ends with the mass M + factor dt dM/dt:
  /// (M base + factor dt sum) / (M + factor dt dM/dt), as a change of base. The residual itself: that of U.
  /// \param inverse inverse_mass[node]
  template <bool moving>
  KOKKOS_FORCEINLINE_FUNCTION void store(int node, T inverse, T const (&sum)[4]) const {
    // All reads before the first write, which a compiler must assume to overlap them.
    bool const stage = base != nullptr;
    T const* const before = moving && !stage ? u : base;
    T old[4];
    for (int c = 0; c < 4; ++c) old[c] = before != nullptr ? before[c * nodes + node] : T(0);
    if constexpr (moving) {
      T const growth = mass_rate[node], step = stage ? static_cast<T>(factor * *dt) : T(0);
      T const scale = inverse / (1 + step * inverse * growth) * (stage ? step : T(1)), keep = stage ? T(1) : T(0);
      for (int c = 0; c < 4; ++c) result[c * nodes + node] = keep * old[c] + scale * (sum[c] - growth * old[c]);
    } else {
      T const scale = inverse * step(node);
      for (int c = 0; c < 4; ++c) result[c * nodes + node] = old[c] + scale * sum[c];
    }
  }
  template <bool moving = false>
  KOKKOS_FORCEINLINE_FUNCTION void store(int node, T const (&sum)[4]) const {
    store<moving>(node, inverse_mass[node], sum);
  }
};

/// Input of the kernels over triangles.
template <class T>
struct EulerSource {
  T const* u;
  T const* projection;  ///< null without stabilisation
  double const* dt;     ///< null: no limit of the stabilisation by the time step
  T gamma, shock;
  std::int64_t nodes;
  T const* velocity;  ///< of the nodes; read where they move

  KOKKOS_FORCEINLINE_FUNCTION EulerNumbers<T> numbers() const {
    return {gamma, shock, dt != nullptr && *dt > 0 ? 2 / static_cast<T>(*dt) : T(0)};
  }
};

}  // namespace karman::detail
