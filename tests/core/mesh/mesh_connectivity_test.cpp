// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "mesh/graph_build.hpp"
#include "sample_meshes.hpp"
#include <karman/mesh/mesh_connectivity.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <stdexcept>
#include <vector>

namespace mesh_connectivity_test {

using namespace karman;
using karman::test::Rows;
using karman::test::rows_of;
using karman::test::sample_meshes;

template <class Parameter>
class ConnectivityOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(ConnectivityOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

Rows neighbors(MeshData const& mesh) {
  std::vector<std::set<int>> sets(mesh.nodes.size());
  for (auto const& t : mesh.triangles) {
    for (int const a : t) {
      for (int const b : t) {
        if (a != b) sets[std::size_t(a)].insert(b);
      }
    }
  }
  return karman::test::sorted_rows(sets);
}

Rows boundary_edges(MeshData const& mesh) {
  Rows rows(mesh.nodes.size());
  for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
    for (int const node : mesh.edges[e]) rows[std::size_t(node)].push_back(int(e));
  }
  return rows;
}

Rows edge_neighbors_of(MeshData const& mesh) {
  Rows const sharing_a_node = karman::test::conflicts(mesh);
  Rows rows(mesh.triangles.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    std::set<int> const own(mesh.triangles[t].begin(), mesh.triangles[t].end());
    for (int const other : sharing_a_node[t]) {
      int shared = 0;
      for (int const node : mesh.triangles[std::size_t(other)]) shared += int(own.count(node));
      if (shared == 2) rows[t].push_back(other);
    }
  }
  return rows;
}

TYPED_TEST(ConnectivityOn, GraphsAreThoseOfAPlainSearch) {
  for (auto const& [name, data] : sample_meshes()) {
    SCOPED_TRACE(name);
    auto const mesh = make_triangle_mesh(this->space, data);
    EXPECT_EQ(rows_of(this->space, triangles_around_nodes(this->space, mesh)), karman::test::triangles_around(data));
    EXPECT_EQ(rows_of(this->space, boundary_edges_around_nodes(this->space, mesh)), boundary_edges(data));
    EXPECT_EQ(rows_of(this->space, node_neighbors(this->space, mesh)), neighbors(data));
    EXPECT_EQ(rows_of(this->space, element_conflicts(this->space, mesh)), karman::test::conflicts(data));
    EXPECT_EQ(rows_of(this->space, edge_neighbors(this->space, mesh)), edge_neighbors_of(data));
  }
}

TYPED_TEST(ConnectivityOn, EveryEdgeIsListedOnce) {
  for (auto const& [name, data] : sample_meshes()) {
    SCOPED_TRACE(name);
    auto const edges = mesh_edges(this->space, make_triangle_mesh(this->space, data));
    auto const nodes = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), edges.nodes);
    auto const triangles = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), edges.triangles);
    auto const sides = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), edges.triangle_edges);
    // every triangle has 3 sides, two triangles share an inner edge
    ASSERT_EQ(std::size_t(2 * edges.count()), 3 * data.triangles.size() + data.edges.size());
    int on_boundary = 0;
    for (int e = 0; e < edges.count(); ++e) {
      ASSERT_LT(nodes(e, 0), nodes(e, 1));
      if (e > 0) {
        ASSERT_TRUE(nodes(e - 1, 0) < nodes(e, 0) || (nodes(e - 1, 0) == nodes(e, 0) && nodes(e - 1, 1) < nodes(e, 1)));
      }
      on_boundary += triangles(e, 0) < 0 || triangles(e, 1) < 0;
      ASSERT_TRUE(triangles(e, 0) >= 0 || triangles(e, 1) >= 0);
    }
    EXPECT_EQ(std::size_t(on_boundary), data.edges.size());
    ASSERT_EQ(sides.extent(0), data.triangles.size());
    for (std::size_t t = 0; t < data.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        int const from = data.triangles[t][k], to = data.triangles[t][(k + 1) % 3];
        int const e = sides(t, k);
        ASSERT_EQ(nodes(e, from < to ? 0 : 1), from);
        ASSERT_EQ(nodes(e, from < to ? 1 : 0), to);
        ASSERT_EQ(triangles(e, from < to ? 0 : 1), int(t));
      }
    }
  }
}

TYPED_TEST(ConnectivityOn, SecondTimeTheSame) {
  auto const mesh = make_triangle_mesh(this->space, karman::test::shuffled(karman::test::squares(70, 41)));
  auto const once = rows_of(this->space, triangles_around_nodes(this->space, mesh));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rows_of(this->space, triangles_around_nodes(this->space, mesh)), once);
}

/// A node with very many triangles: n log n steps, not n^2.
TYPED_TEST(ConnectivityOn, ManyTrianglesAroundANode) {
  auto const data = karman::test::shuffled(karman::test::fan(100000, true));
  auto const mesh = make_triangle_mesh(this->space, data);
  EXPECT_EQ(rows_of(this->space, triangles_around_nodes(this->space, mesh)), karman::test::triangles_around(data));
  EXPECT_EQ(mesh_edges(this->space, mesh).count(), 200000);
}

TYPED_TEST(ConnectivityOn, TooManyEntriesAreNoticed) {
  auto const sum_of_three = [&](int count) {
    Kokkos::View<int*, Kokkos::HostSpace> host("karman::test::counts", 4);
    for (int row = 0; row < 3; ++row) host(row) = count;
    auto const counts = Kokkos::create_mirror_view_and_copy(typename TestFixture::Exec::memory_space(), host);
    return karman::detail::make_offsets(this->space, counts, "test");
  };
  EXPECT_EQ(sum_of_three(715827882), 2147483646);
  EXPECT_THROW(sum_of_three(715827883), std::invalid_argument);
}

}  // namespace mesh_connectivity_test
