// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbering of the nodes inside a plan where it is not that of the caller, and the fields in that numbering.
#pragma once

#include "plan.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/euler/euler_rhs_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace karman::detail {

/// to_i = base_i + from_index(i), for `columns` values per node, values of one column adjacent. An empty base: zeros.
/// to may be base.
template <class T, int columns>
struct GatherColumns {
  int const* index;
  T const *base, *from;
  T* to;
  std::int64_t nodes;

  KOKKOS_FUNCTION void operator()(int i) const {
    int const other = index[i];
    T values[columns];
    for (int c = 0; c < columns; ++c) {
      values[c] = (base != nullptr ? base[c * nodes + i] : T(0)) + from[c * nodes + other];
    }
    for (int c = 0; c < columns; ++c) to[c * nodes + i] = values[c];
  }
};

/// to(i, :) = from(index(i), :).
template <class From, class To>
struct GatherPoints {
  int const* index;
  From from;
  To to;

  KOKKOS_FUNCTION void operator()(int i) const {
    for (int axis = 0; axis < 2; ++axis) to(i, axis) = from(index[i], axis);
  }
};

/// Mesh, groups and numbers of the nodes of a plan. The two lists of numbers are empty where the caller's are kept.
template <class Exec>
struct EulerNodeOrder {
  using Numbers = Kokkos::View<int const*, typename Exec::memory_space>;
  TriangleMesh<Exec> mesh;        ///< in the numbering of the plan; its boundary edges keep their numbers
  Numbers given = Numbers();      ///< the caller's number of each node of the plan
  Numbers place = Numbers();      ///< the plan's number of each node of the caller
  std::vector<int> groups = {};   ///< lowest node of the group of each node, both numbers of the plan
  std::vector<int> on_host = {};  ///< `given` on the host

  bool changed() const { return given.data() != nullptr; }
};

/// Order along a Hilbert curve where `order` asks for it. Fences `space`. Throws std::invalid_argument for groups that
/// are not of the form that EulerRhs asks for.
template <class Exec>
EulerNodeOrder<Exec> make_node_order(Exec const& space, TriangleMesh<Exec> const& mesh, EulerOrder order,
                                     std::vector<int> const& group);

/// Values of the caller in the numbering of the plan, and of the plan in that of the caller. Does nothing where the
/// numberings are the same.
template <class Exec, class T>
struct EulerNumbering {
  using Fields = EulerArray<Exec, T>;
  using Table = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  using ConstTable = typename TriangleMesh<Exec>::template Table<double, 2>;

  EulerNodeOrder<Exec> order;
  Fields u = Fields(), result = Fields();      ///< four values per node
  Fields base = Fields();                      ///< the same; for plans that may move
  Fields numbers = Fields();                   ///< one per node
  Fields inverse_mass = Fields();              ///< of the caller's nodes
  Fields mass_rate = Fields();                 ///< the same; for plans that may move
  Table points = Table(), velocity = Table();  ///< for plans that may move
  Table moved_points = Table();                ///< the caller's nodes in plans that may move
  ConstTable mesh_points = ConstTable();       ///< the caller's nodes in other plans

  bool changed() const { return order.changed(); }
  std::int64_t nodes() const { return order.mesh.node_count(); }

  /// Values of the caller, copied to `memory`.
  template <int columns>
  T const* inside(Exec const& space, T const* values, Fields const& memory) const {
    if (!changed() || values == nullptr) return values;
    gather<columns>(space, order.given, nullptr, values, memory.data());
    return memory.data();
  }

  /// The caller's to = base + values of the plan.
  template <int columns>
  void outside(Exec const& space, T const* base_values, T const* values, T* to) const {
    gather<columns>(space, order.place, base_values, values, to);
  }

  ConstTable inside(Exec const& space, ConstTable const& values, Table const& memory) const {
    if (!changed() || values.data() == nullptr) return values;
    gather_points(space, order.given, values, memory);
    return memory;
  }

  void outside(Exec const& space, ConstTable const& values, Table const& to) const {
    gather_points(space, order.place, values, to);
  }

  /// The caller's nodes where they are now.
  ConstTable given_points() const { return moved_points.data() != nullptr ? ConstTable(moved_points) : mesh_points; }

  std::int64_t bytes() const {
    if (!changed()) return 0;
    auto const values =
        u.size() + result.size() + base.size() + numbers.size() + inverse_mass.size() + mass_rate.size();
    auto const coordinates = points.size() + velocity.size() + moved_points.size() + order.mesh.nodes.size();
    auto const integers =
        order.given.size() + order.place.size() + order.mesh.triangles.size() + order.mesh.edges.size();
    return static_cast<std::int64_t>(values * sizeof(T) + coordinates * sizeof(double) + integers * sizeof(int));
  }

 private:
  using Range = Kokkos::RangePolicy<Exec>;

  template <int columns>
  void gather(Exec const& space, typename EulerNodeOrder<Exec>::Numbers const& index, T const* base_values,
              T const* from, T* to) const {
    Kokkos::parallel_for("karman::euler::renumber", Range(space, 0, nodes()),
                         GatherColumns<T, columns>{index.data(), base_values, from, to, nodes()});
  }

  void gather_points(Exec const& space, typename EulerNodeOrder<Exec>::Numbers const& index, ConstTable const& from,
                     Table const& to) const {
    Kokkos::parallel_for("karman::euler::renumber_points", Range(space, 0, nodes()),
                         GatherPoints<ConstTable, Table>{index.data(), from, to});
  }
};

/// The order of a plan, and memory for its values. Fences `space`. Throws as make_node_order().
template <class Exec, class T>
EulerNumbering<Exec, T> make_numbering(Exec const& space, TriangleMesh<Exec> const& mesh, EulerRhsSetup const& setup,
                                       std::vector<int> const& group) {
  EulerNumbering<Exec, T> numbering{make_node_order(space, mesh, setup.order, group)};
  if (!numbering.changed()) return numbering;
  auto const nodes = mesh.nodes.extent(0);
  auto const values = [&](std::size_t n) { return allocate<Exec, T>(space, n, "karman::euler::renumbered_values"); };
  auto const points = [&] {
    using Table = typename EulerNumbering<Exec, T>::Table;
    return Table(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::renumbered_points")), nodes);
  };
  numbering.u = values(4 * nodes);
  numbering.result = values(4 * nodes);
  numbering.inverse_mass = values(nodes);
  numbering.numbers = values(nodes);
  numbering.mesh_points = mesh.nodes;
  if (setup.moving) {
    numbering.base = values(4 * nodes);
    numbering.mass_rate = values(nodes);
    numbering.points = points();
    numbering.velocity = points();
    numbering.moved_points = points();
  }
  return numbering;
}

}  // namespace karman::detail
