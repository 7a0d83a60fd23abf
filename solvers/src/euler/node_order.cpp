// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_order.hpp"

#include "mesh/curve_order.hpp"
#include "mesh/periodic_groups.hpp"
#include "mesh/scattered_nodes.hpp"
#include <karman/core/host_copy.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace karman::detail {

namespace {

template <class Exec>
struct InvertOrder {
  typename EulerNodeOrder<Exec>::Numbers order;
  EulerArray<Exec, int> place;
  KOKKOS_FUNCTION void operator()(int i) const { place(order(i)) = i; }
};

/// Rows of node numbers in their new order, with new numbers. An empty order keeps the rows where they are.
template <class Exec, int columns>
struct RenumberRows {
  typename TriangleMesh<Exec>::template Table<int, columns> from;
  typename EulerNodeOrder<Exec>::Numbers order, place;
  Kokkos::View<int* [columns], Kokkos::LayoutRight, typename Exec::memory_space> to;
  KOKKOS_FUNCTION void operator()(int i) const {
    int const row = order.data() != nullptr ? order(i) : i;
    for (int c = 0; c < columns; ++c) to(i, c) = place(from(row, c));
  }
};

template <class Exec, int columns>
typename TriangleMesh<Exec>::template Table<int, columns> renumber_rows(
    Exec const& space, typename TriangleMesh<Exec>::template Table<int, columns> const& from,
    typename EulerNodeOrder<Exec>::Numbers const& order, typename EulerNodeOrder<Exec>::Numbers const& place,
    char const* label) {
  RenumberRows<Exec, columns> rows{from, order, place, {}};
  rows.to =
      decltype(rows.to)(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), from.extent(0));
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec>(space, 0, from.extent(0)), rows);
  return rows.to;
}

/// The lowest node of each group has other numbers in another order.
std::vector<int> renumbered_groups(std::vector<int> const& group, std::vector<int> const& given) {
  if (group.empty()) return {};
  std::vector<int> lowest(group.size(), -1), result(group.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    int& first = lowest[static_cast<std::size_t>(group[static_cast<std::size_t>(given[i])])];
    if (first < 0) first = static_cast<int>(i);
    result[i] = first;
  }
  return result;
}

}  // namespace

template <class Exec>
EulerNodeOrder<Exec> make_node_order(Exec const& space, TriangleMesh<Exec> const& mesh, EulerOrder order,
                                     std::vector<int> const& group) {
  require_groups(group, mesh.node_count(), "EulerRhs");
  EulerNodeOrder<Exec> result{.mesh = mesh, .groups = group};
  bool const curve = order == EulerOrder::automatic ? is_scattered(space, mesh) : order == EulerOrder::along_curve;
  if (!curve || mesh.node_count() == 0) return result;
  auto const nodes = mesh.nodes.extent(0);
  result.given = nodes_along_curve(space, mesh);
  auto const place = allocate<Exec, int>(space, nodes, "karman::euler::node_places");
  Kokkos::parallel_for("karman::euler::node_places", Kokkos::RangePolicy<Exec>(space, 0, nodes),
                       InvertOrder<Exec>{result.given, place});
  result.place = place;
  auto const triangles = triangles_along_curve(space, mesh);
  using Points = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  Points const points(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::euler::mesh_nodes")),
                      nodes);
  Kokkos::parallel_for("karman::euler::mesh_nodes", Kokkos::RangePolicy<Exec>(space, 0, nodes),
                       GatherPoints<decltype(mesh.nodes), Points>{result.given.data(), mesh.nodes, points});
  result.mesh.nodes = points;
  result.mesh.triangles =
      renumber_rows<Exec, 3>(space, mesh.triangles, triangles, result.place, "karman::euler::mesh_triangles");
  result.mesh.edges = renumber_rows<Exec, 2>(space, mesh.edges, {}, result.place, "karman::euler::mesh_edges");
  result.mesh.regions = {};
  result.on_host = host_copy(space, result.given);
  result.groups = renumbered_groups(group, result.on_host);
  return result;
}

#define KARMAN_INSTANTIATE(Exec)                                                                    \
  template EulerNodeOrder<Exec> make_node_order(Exec const&, TriangleMesh<Exec> const&, EulerOrder, \
                                                std::vector<int> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
