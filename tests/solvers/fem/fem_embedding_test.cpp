// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed finite-element assembly. It allocates nothing and waits for nothing, work runs on the
// caller's instance, and labels start with karman::.
#include "backends.hpp"
#include "core/mesh/sample_meshes.hpp"
#include "fem_reference.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fem_kernels.hpp>
#include <karman/solvers/fem/fixed_values.hpp>
#include <karman/solvers/fem/local_matrices.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace fem_embedding_test {

using namespace karman;
using namespace karman::test;
using Kind = RecordedEvent::Kind;
using Events = std::vector<RecordedEvent>;

/// A set-up: kernels and memory of Karman, besides the scratch memory that Kokkos makes for its teams.
template <class Exec>
void expect_ours(Exec const& space, Events const& events) {
  for (auto const& event : events) {
    if (event.kind == Kind::kernel) {
      EXPECT_TRUE(is_ours(event.label) || initialises_ours(event.label)) << event.label;
      if (is_ours(event.label)) {
        EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(space)) << event.label;
      }
    }
    if (event.kind == Kind::allocation) {
      EXPECT_TRUE(is_ours(event.label) || event.label.rfind("Kokkos::", 0) == 0) << event.label;
    }
  }
}

template <class Parameter>
class FemEmbeddingOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(FemEmbeddingOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(FemEmbeddingOn, AssemblingLaunchesKernelsAndDoesNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    FemProblem<Exec, T> problem(space, shuffled(squares(17, 19)));
    auto const fixed = boundary_nodes(space, problem.mesh);
    for (auto const& setup : every_setup(sizeof(T))) {
      SCOPED_TRACE(described(setup));
      std::unique_ptr<FemAssembly<Exec>> plan;
      auto const made =
          record([&] { plan = std::make_unique<FemAssembly<Exec>>(space, problem.mesh, problem.profile, setup); });
      expect_ours(space, made);
      EXPECT_TRUE(std::any_of(made.begin(), made.end(), [](auto const& e) { return e.kind == Kind::allocation; }));
      EXPECT_GT(plan->workspace_bytes(), 0);
      auto const run = [&] {
        assemble(space, *plan, TaggedKernel<T>(), problem.matrix, problem.vector);
        add_boundary(space, *plan, EdgeTerms<T>{T(1)}, problem.matrix, problem.vector);
        fix_values<Exec, T>(space, problem.matrix, problem.vector, fixed, problem.vector);
      };
      run();  // Kokkos allocates the scratch of teams once
      space.fence();
      expect_kernels_only(space, record(run));
      space.fence();
    }
  }
}

TYPED_TEST(FemEmbeddingOn, LocalMatricesToo) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    auto const mesh = make_triangle_mesh(space, squares(17, 19));
    LocalMatrices<Exec, T> local(space, mesh);
    Field<Exec, T> const x("x", 1, 1, mesh.node_count()), y("y", 1, 1, mesh.node_count());
    Kokkos::View<T*, typename Exec::memory_space> const vector("vector", mesh.node_count());
    expect_kernels_only(space, record([&] {
                          assemble(space, local, TaggedKernel<T>(), vector);
                          local.apply(space, x, y);
                        }));
    space.fence();
    Field<Exec, T> const other("other", 1, 1, 3);
    EXPECT_THROW(local.apply(space, x, other), std::invalid_argument);
  }
}

TYPED_TEST(FemEmbeddingOn, ProfilesAreMadeOnTheCallersInstance) {
  using Exec = typename TestFixture::Exec;
  for (auto const& space : instances(this->space)) {
    auto const mesh = make_triangle_mesh(space, squares(9, 8));
    FemProfile<Exec> profile;
    expect_ours(space, record([&] { profile = make_fem_profile(space, mesh); }));
  }
}

}  // namespace fem_embedding_test
