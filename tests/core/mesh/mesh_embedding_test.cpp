// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed connectivity and colouring. Work runs on the caller's instance and waits for nothing else.
// Labels start with karman::, and every instance gives the same numbers.
#include "backends.hpp"
#include "sample_meshes.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/mesh/blocked_coloring.hpp>
#include <karman/mesh/coloring.hpp>
#include <karman/mesh/mesh_connectivity.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mesh_embedding_test {

using namespace karman;
using namespace karman::test;
using Kind = RecordedEvent::Kind;

/// Memory and kernels of Karman, besides the scratch that Kokkos makes for reductions and prefix sums.
template <class Exec>
void expect_ours(Exec const& space, std::vector<RecordedEvent> const& events) {
  auto const begins = [](std::string const& label, char const* with) { return label.rfind(with, 0) == 0; };
  auto const own = Kokkos::Tools::Experimental::device_id(space);
  int kernels = 0;
  for (auto const& event : events) {
    SCOPED_TRACE(event.label);
    if (event.kind == Kind::kernel) {
      EXPECT_TRUE(begins(event.label, "karman::") || begins(event.label, "Kokkos::View::initialization [karman::"));
      if (!begins(event.label, "karman::")) continue;
      ++kernels;
      EXPECT_EQ(event.device, own);
    }
    if (event.kind == Kind::allocation) {
      EXPECT_TRUE(begins(event.label, "karman::") || begins(event.label, "Kokkos::"));
    }
    if (event.kind == Kind::fence && begins(event.label, "karman::")) {
      EXPECT_EQ(event.device, own);
    }
  }
  EXPECT_GT(kernels, 0);
}

template <class Parameter>
class MeshEmbeddingOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  Exec space;
};
TYPED_TEST_SUITE(MeshEmbeddingOn, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(MeshEmbeddingOn, RunsOnTheInstanceThatIsGiven) {
  using Exec = typename TestFixture::Exec;
  auto const data = shuffled(squares(19, 17));
  auto const first = color_elements(this->space, make_triangle_mesh(this->space, data));
  for (auto const& space : instances(this->space)) {
    auto const mesh = make_triangle_mesh(space, data);
    expect_ours(space, record([&] { edge_neighbors(space, mesh); }));
    expect_ours(space, record([&] { boundary_edges_around_nodes(space, mesh); }));
    expect_ours(space, record([&] { element_conflicts(space, mesh); }));
    Coloring<Exec> coloring;
    expect_ours(space, record([&] { coloring = color_elements(space, mesh, {.balanced = true}); }));
    expect_ours(space, record([&] { EXPECT_TRUE(is_valid(space, mesh, coloring)); }));
    BlockedColoring<Exec> blocked;
    expect_ours(space, record([&] { blocked = color_blocks(space, mesh, {.triangles_a_block = 32}); }));
    expect_ours(space, record([&] { EXPECT_TRUE(is_valid(space, mesh, blocked)); }));
    EXPECT_EQ(rows_of(space, color_elements(space, mesh).classes), rows_of(space, first.classes));
  }
}

}  // namespace mesh_embedding_test
