// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles and assembly strategies against one loop on the host.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "fem_reference.hpp"
#include "refused_calls.hpp"
#include <karman/mesh/mesh_generators.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fem_kernels.hpp>
#include <karman/solvers/fem/local_matrices.hpp>

#include <gtest/gtest.h>

#include <set>

namespace fem_assembly_test {

using namespace karman;
using namespace karman::test;

/// Two triangles that share a node and nothing else, and a node that no triangle has.
MeshData touching() {
  MeshData mesh = mesh_of({{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}}, {{0, 1, 2}, {3, 4, 0}});
  mesh.nodes.push_back({5, 5});
  return mesh;
}

/// The sample meshes, those with holes and pinched nodes, and sizes near the size of a team.
std::vector<std::pair<std::string, MeshData>> meshes() {
  auto all = sample_meshes();
  all.emplace_back("touching triangles", touching());
  all.emplace_back("annulus", mesh_annulus({.inner_size = 0.3, .outer_size = 0.3}));
  all.emplace_back("disc", shuffled(mesh_disc({.size = 0.2})));
  for (int n : {126, 127, 128, 255, 256}) all.emplace_back("strip of " + std::to_string(n), squares(n, 1));
  return all;
}

template <class Parameter>
class FemAssemblyOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(FemAssemblyOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(FemAssemblyOn, ProfileHoldsNodesAndNeighborsAscending) {
  for (auto const& [title, data] : meshes()) {
    SCOPED_TRACE(title);
    auto const profile = make_fem_profile(this->space, make_triangle_mesh(this->space, data));
    std::vector<std::set<int>> expected(data.nodes.size());
    for (std::size_t n = 0; n < expected.size(); ++n) expected[n].insert(int(n));
    for (auto const& t : data.triangles) {
      for (int i : t) expected[std::size_t(i)].insert(t.begin(), t.end());
    }
    EXPECT_EQ(rows_of(this->space, profile.graph), sorted_rows(expected));
  }
}

TYPED_TEST(FemAssemblyOn, MapsPointAtRowAndColumn) {
  for (auto const& [title, data] : meshes()) {
    SCOPED_TRACE(title);
    auto const profile = make_fem_profile(this->space, make_triangle_mesh(this->space, data));
    auto const rows = rows_of(this->space, profile.graph);
    auto const offsets = host_copy(this->space, profile.graph.offsets);
    auto const check = [&](auto const& places, auto const& elements, std::size_t corners) {
      auto const map = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), places);
      for (std::size_t e = 0; e < elements.size(); ++e) {
        for (std::size_t i = 0; i < corners; ++i) {
          auto const row = std::size_t(elements[e][i]);
          for (std::size_t j = 0; j < corners; ++j) {
            int const column = map(e, corners * i + j) - offsets[row];
            ASSERT_GE(column, 0);
            ASSERT_LT(column, int(rows[row].size()));
            EXPECT_EQ(rows[row][std::size_t(column)], elements[e][j]);
          }
        }
      }
    };
    check(profile.element_entries, data.triangles, 3);
    check(profile.edge_entries, data.edges, 2);
  }
}

/// Nonsymmetric, different for every triangle and corner; sums are exact.
template <class Scalar, class Exec>
void expect_exact(Exec const& space) {
  for (auto const& [title, data] : meshes()) {
    auto const expected = tagged_on_host<Scalar>(data);
    FemProblem<Exec, Scalar> problem(space, data);
    for (auto const& setup : every_setup(sizeof(Scalar))) {
      SCOPED_TRACE(title + ", " + described(setup));
      expect_equal(problem.assembled(setup, TaggedKernel<Scalar>()), expected);
    }
  }
}

TYPED_TEST(FemAssemblyOn, EveryStrategyGivesTheSameSums) { expect_exact<typename TestFixture::T>(this->space); }

TYPED_TEST(FemAssemblyOn, EveryStrategyGivesTheSameComplexSums) {
  expect_exact<Kokkos::complex<typename TestFixture::T>>(this->space);
}

TYPED_TEST(FemAssemblyOn, TheVectorMayBeLeftOut) {
  using T = typename TestFixture::T;
  auto const data = shuffled(squares(12, 13));
  auto expected = tagged_on_host<T>(data);
  FemProblem<typename TestFixture::Exec, T> problem(this->space, data);
  for (auto const& setup : every_setup(sizeof(T))) {
    SCOPED_TRACE(described(setup));
    FemAssembly<typename TestFixture::Exec> const plan(this->space, problem.mesh, problem.profile, setup);
    Kokkos::deep_copy(this->space, problem.matrix.values, T(-1));
    assemble(this->space, plan, TaggedKernel<T>(), problem.matrix);
    auto found = on_host<T>(this->space, problem.matrix, problem.vector);
    found.vector = expected.vector;
    expect_equal(found, expected);
  }
}

TYPED_TEST(FemAssemblyOn, LocalMatricesMultiplyLikeTheAssembledOne) {
  using Exec = typename TestFixture::Exec;
  using Scalar = Kokkos::complex<typename TestFixture::T>;
  for (auto const& [title, data] : meshes()) {
    if (data.nodes.empty()) continue;
    SCOPED_TRACE(title);
    auto const expected = tagged_on_host<Scalar>(data);
    auto const n = data.nodes.size();
    LocalMatrices<Exec, Scalar> local(this->space, make_triangle_mesh(this->space, data));
    EXPECT_EQ(local.extents(), (std::array<int, 3>{1, 1, int(n)}));
    Kokkos::View<Scalar*, typename Exec::memory_space> const vector("vector", n);
    Field<Exec, Scalar> const x("x", 1, 1, n), y("y", 1, 1, n);
    auto const on = Kokkos::create_mirror_view(x);
    std::vector<std::complex<double>> given;
    for (std::size_t i = 0; i < n; ++i) {
      given.emplace_back(double(i % 4) - 1, double(i % 3));
      on(0, 0, i) = Scalar(float(given[i].real()), float(given[i].imag()));
    }
    Kokkos::deep_copy(x, on);
    assemble(this->space, local, TaggedKernel<Scalar>(), vector);
    local.apply(this->space, x, y);
    this->space.fence();
    // Small integers: exact.
    std::vector<std::complex<double>> product(n);
    for (auto const& [place, value] : expected.matrix) {
      product[std::size_t(place.first)] += value * given[std::size_t(place.second)];
    }
    auto const found = host_copy(this->space, y), loads = host_copy(this->space, vector);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(on_host(found[i]), product[i]) << "row " << i;
      EXPECT_EQ(on_host(loads[i]), expected.vector[i]) << "row " << i;
    }
  }
}

TYPED_TEST(FemAssemblyOn, DeterministicStrategiesGiveTheSameBits) {
  using T = typename TestFixture::T;
  using Exec = typename TestFixture::Exec;
  FemProblem<Exec, T> problem(this->space, shuffled(mesh_disc({.size = 0.07})));
  for (auto const& setup : every_setup(sizeof(T))) {
    SCOPED_TRACE(described(setup));
    FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile, setup);
    auto const strategy = plan.strategy();
    bool const any_order =
        strategy == AssemblyStrategy::atomic || (strategy == AssemblyStrategy::row_blocks && !runs_on_host<Exec>);
    EXPECT_EQ(plan.deterministic(), !any_order);
    if (!plan.deterministic()) continue;
    auto const once = problem.assembled(plan, P1Laplacian<T>());
    expect_equal(problem.assembled(plan, P1Laplacian<T>()), once);
    FemAssembly<Exec> const other(this->space, problem.mesh, problem.profile, setup);
    expect_equal(problem.assembled(other, P1Laplacian<T>()), once);
  }
}

TYPED_TEST(FemAssemblyOn, TheOrderFollowsTheMesh) {
  using Exec = typename TestFixture::Exec;
  auto strategy = AssemblyStrategy::row_gather;
  auto const reordered = [&](MeshData const& data, AssemblyOrder order) {
    auto const mesh = make_triangle_mesh(this->space, data);
    FemAssembly<Exec> const plan(this->space, mesh, make_fem_profile(this->space, mesh, false),
                                 {.strategy = strategy, .order = order});
    return plan.reordered();
  };
  EXPECT_FALSE(reordered(squares(40, 40), AssemblyOrder::automatic));
  EXPECT_TRUE(reordered(shuffled(squares(40, 40)), AssemblyOrder::automatic));
  EXPECT_TRUE(reordered(squares(40, 40), AssemblyOrder::along_curve));
  EXPECT_FALSE(reordered(shuffled(squares(40, 40)), AssemblyOrder::as_given));
  strategy = AssemblyStrategy::row_blocks;
  EXPECT_TRUE(reordered(squares(40, 40), AssemblyOrder::automatic));
  EXPECT_FALSE(reordered(squares(40, 40), AssemblyOrder::as_given));
}

TYPED_TEST(FemAssemblyOn, EveryBackendHasItsOwnChoice) {
  using Exec = typename TestFixture::Exec;
  FemProblem<Exec, double> problem(this->space, squares(3, 3));
  FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile);
  EXPECT_EQ(plan.strategy(), runs_on_host<Exec> ? AssemblyStrategy::row_blocks : AssemblyStrategy::row_gather);
}

/// Places within a block have 16 bits.
TYPED_TEST(FemAssemblyOn, BlocksOfTooManyRowsAreHalved) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  auto const data = squares(150, 150);
  FemProblem<Exec, T> problem(this->space, data);
  FemAssemblySetup setup{.strategy = AssemblyStrategy::row_blocks};
  setup.block_rows = 1'000'000;
  expect_equal(problem.assembled(setup, TaggedKernel<T>()), tagged_on_host<T>(data));

  FemProblem<Exec, T> wheel(this->space, fan(65'530, true));
  expect_refused("65530 neighbours", [&] { FemAssembly<Exec>(this->space, wheel.mesh, wheel.profile, setup); });
}

TYPED_TEST(FemAssemblyOn, CoordinatesThatMoveAreUsed) {
  using Exec = typename TestFixture::Exec;
  auto data = squares(6, 5);
  using Nodes = Kokkos::View<double* [2], Kokkos::LayoutRight, typename Exec::memory_space>;
  FemProblem<Exec, double> problem(this->space, data);
  Nodes const nodes("nodes", data.nodes.size());
  Kokkos::deep_copy(nodes, problem.mesh.nodes);
  problem.mesh.nodes = nodes;
  FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile);
  for (auto& [x, y] : data.nodes) x *= 2;
  FemProblem<Exec, double> moved(this->space, data);
  Kokkos::deep_copy(nodes, moved.mesh.nodes);
  expect_equal(problem.assembled(plan, P1Laplacian<double>()), moved.assembled({}, P1Laplacian<double>()));
}

TYPED_TEST(FemAssemblyOn, WrongCallsAreRefused) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using S = AssemblyStrategy;
  FemProblem<Exec, T> problem(this->space, squares(4, 4)), other(this->space, squares(4, 5));
  FemAssembly<Exec> const plan(this->space, problem.mesh, problem.profile);
  expect_refused("other rows", [&] { assemble(this->space, plan, P1Laplacian<T>(), other.matrix); });
  expect_refused("every node", [&] { assemble(this->space, plan, P1Laplacian<T>(), problem.matrix, other.vector); });
  expect_refused("another mesh", [&] { FemAssembly<Exec>(this->space, problem.mesh, other.profile); });
  auto const unmapped = make_fem_profile(this->space, problem.mesh, false);
  for (S strategy : {S::atomic, S::colored, S::colored_blocks, S::expanded}) {
    expect_refused("needs the map",
                   [&] { FemAssembly<Exec>(this->space, problem.mesh, unmapped, {.strategy = strategy}); });
  }
  for (S strategy : {S::row_gather, S::row_blocks}) {
    FemAssembly<Exec> const numberless(this->space, problem.mesh, unmapped,
                                       {.strategy = strategy, .triangle_numbers = false});
    assemble(this->space, numberless, P1Laplacian<T>(), problem.matrix);
    expect_refused("triangle numbers", [&] { assemble(this->space, numberless, TaggedKernel<T>(), problem.matrix); });
  }
  expect_refused("value_bytes",
                 [&] { FemAssembly<Exec>(this->space, problem.mesh, problem.profile, {.value_bytes = 3}); });
  expect_refused("block_rows", [&] { FemAssembly<Exec>(this->space, problem.mesh, unmapped, {.block_rows = -1}); });
  FemAssembly<Exec> const small(this->space, problem.mesh, problem.profile,
                                {.strategy = S::expanded, .value_bytes = 4});
  auto const large = make_csr_matrix<Kokkos::complex<double>>(this->space, problem.profile.graph);
  expect_refused("smaller scalars",
                 [&] { assemble(this->space, small, P1Laplacian<Kokkos::complex<double>>(), large); });

  // Three triangles at one edge cannot be put in order round its nodes.
  auto const book = mesh_of({{0, 0}, {1, 0}, {0, 1}, {0, 2}, {1, 1}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
  auto const pages = make_triangle_mesh(this->space, book);
  auto const profile = make_fem_profile(this->space, pages);
  expect_refused("node 1", [&] { FemAssembly<Exec>(this->space, pages, profile, {.strategy = S::row_gather}); });
  // A boundary edge of no triangle.
  auto stray = squares(2, 2);
  stray.edges.push_back({0, 8});
  stray.edge_labels.push_back(1);
  expect_refused("no edge of any triangle",
                 [&] { make_fem_profile(this->space, make_triangle_mesh(this->space, stray)); });
}

}  // namespace fem_assembly_test
