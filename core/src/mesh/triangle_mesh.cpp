// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/mesh/triangle_mesh.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace karman {

namespace {

template <std::size_t columns, class Exec, class T>
auto table(Exec const& space, std::vector<std::array<T, columns>> const& rows, char const* label) {
  static_assert(sizeof(std::array<T, columns>) == columns * sizeof(T));
  using Device = Kokkos::View<T* [columns], Kokkos::LayoutRight, typename Exec::memory_space>;
  using Host =
      Kokkos::View<T const* [columns], Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Device device(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), rows.size());
  if (!rows.empty()) Kokkos::deep_copy(space, device, Host(rows.front().data(), rows.size()));
  return device;
}

template <class Exec>
auto labels(Exec const& space, std::vector<int> const& values, char const* label) {
  using Host = Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::View<int*, typename Exec::memory_space> device(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), values.size());
  if (!values.empty()) Kokkos::deep_copy(space, device, Host(values.data(), values.size()));
  return device;
}

void require_countable(std::size_t count, char const* what) {
  require(count <= std::size_t(std::numeric_limits<int>::max()),
          std::string("TriangleMesh: more than 2^31 - 1 ") + what);
}

}  // namespace

template <ExecutionSpace Exec>
TriangleMesh<Exec> make_triangle_mesh(Exec const& space, MeshData const& mesh) {
  require_countable(mesh.nodes.size(), "nodes");
  require_countable(mesh.triangles.size(), "triangles");
  require_countable(mesh.edges.size(), "boundary edges");
  require(mesh.regions.size() == mesh.triangles.size(), "TriangleMesh: every triangle needs a region label");
  require(mesh.edge_labels.size() == mesh.edges.size(), "TriangleMesh: every boundary edge needs a label");
  TriangleMesh<Exec> result;
  result.nodes = table<2>(space, mesh.nodes, "karman::mesh::nodes");
  result.triangles = table<3>(space, mesh.triangles, "karman::mesh::triangles");
  result.regions = labels(space, mesh.regions, "karman::mesh::regions");
  result.edges = table<2>(space, mesh.edges, "karman::mesh::edges");
  result.edge_labels = labels(space, mesh.edge_labels, "karman::mesh::edge_labels");
  compat::fence(space, "karman::mesh::copied");
  return result;
}

#define KARMAN_INSTANTIATE(Exec) template TriangleMesh<Exec> make_triangle_mesh(Exec const&, MeshData const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
