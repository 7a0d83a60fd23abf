// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed Karman, checked through Kokkos' tools. Work runs on the caller's instance, and every label
// starts with karman::. solve() neither allocates nor waits, except for its instance.
#include "backends.hpp"
#include "fields.hpp"
#include "recorded_events.hpp"
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace embedding_test {

using namespace karman;
using karman::test::HostField;
using karman::test::initialises_ours;
using karman::test::instances;
using karman::test::is_ours;
using karman::test::record;
using karman::test::RecordedEvent;
using karman::test::to_device;
using Kind = RecordedEvent::Kind;
using Events = std::vector<RecordedEvent>;

template <class Exec>
std::uint32_t device_of(Exec const& space) {
  return Kokkos::Tools::Experimental::device_id(space);
}

/// Labels of a plan or a solve.
void expect_our_labels(Events const& events) {
  for (auto const& event : events) {
    switch (event.kind) {
      case Kind::kernel: EXPECT_TRUE(is_ours(event.label) || initialises_ours(event.label)) << event.label; break;
      case Kind::allocation: EXPECT_TRUE(is_ours(event.label)) << event.label; break;
      case Kind::copy:
        EXPECT_TRUE(is_ours(event.label) && is_ours(event.source)) << event.label << " <- " << event.source;
        break;
      case Kind::fence: break;  // Kokkos names its own after its own functions
    }
  }
}

template <class Exec>
void expect_kernels_on(Exec const& space, Events const& events) {
  int kernels = 0;
  for (auto const& event : events) {
    if (event.kind != Kind::kernel || !is_ours(event.label)) continue;
    ++kernels;
    EXPECT_EQ(event.device, device_of(space)) << event.label;
  }
  EXPECT_GT(kernels, 0);
}

/// No kernel of Kokkos' own either, and no allocation.
void expect_only_our_kernels(Events const& events) {
  for (auto const& event : events) {
    EXPECT_NE(event.kind, Kind::allocation) << "allocates " << event.label;
    if (event.kind == Kind::kernel) {
      EXPECT_TRUE(is_ours(event.label)) << event.label;
    }
  }
}

template <class Exec>
void expect_fences_of(Exec const& space, Events const& events) {
  for (auto const& event : events) {
    if (event.kind == Kind::fence) {
      EXPECT_EQ(event.device, device_of(space)) << event.label;
    }
  }
}

template <class Exec>
bool reports_fences(Exec const& space) {
  auto const events = record([&] { space.fence(); });
  return std::any_of(events.begin(), events.end(), [](auto const& event) { return event.kind == Kind::fence; });
}

template <class Parameter>
class EmbeddingOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(EmbeddingOn, karman::test::AllBackends, karman::test::BackendNames);

/// Events during the construction of an object, and during its use.
struct Recorded {
  Events plan, use;
};

/// A plan with this storage, boundary values on one side, and a solve whose monitor stores every check.
template <class Exec, class T>
Recorded run_sor(Exec const& space, UniformGrid const& grid, SorStorage storage, Boundaries const& sides) {
  auto const extents = grid.extents(Location::cell);
  SevenPointProblem<Exec, T> const problem(grid, sides, make_wall_codes(space, grid, sides));
  auto const lambda = to_device(space, HostField<T>(extents, T(0)));
  auto const rhs = to_device(space, HostField<T>(extents, T(1)));
  auto const looked_at = to_device(space, HostField<T>(extents, T(0)));
  auto const values =
      karman::test::make_plane<T>(space, grid.nz(), grid.ny(), [](int k, int j) { return k + 0.5 * j; });
  space.fence();
  Recorded result;
  std::unique_ptr<RedBlackSor<Exec, T>> sor;
  result.plan = record([&] { sor = std::make_unique<RedBlackSor<Exec, T>>(space, problem, SorSetup{storage}); });
  SorOptions options{.omega = 1.5, .tolerance = 0, .max_iterations = 7, .check_every = 3};
  options.monitor = [&](ResidualSample const&) {
    sor->store(space, looked_at);
    return true;
  };
  SolveReport report;
  result.use = record([&] {
    sor->set_boundary_values(space, Side::east, values);
    report = sor->solve(space, lambda, rhs, options);
  });
  EXPECT_EQ(report.iterations, 7);
  return result;
}

/// Both forms, every storage.
template <class Exec, class T>
std::vector<Recorded> run_every_sor(Exec const& space) {
  std::vector<Recorded> runs;
  for (SorStorage storage : {SorStorage::coefficients, SorStorage::folded, SorStorage::packed}) {
    runs.push_back(run_sor<Exec, T>(space, UniformGrid({37, 5, 9}, {1, 1, 1}), storage, {}));
    runs.push_back(
        run_sor<Exec, T>(space, UniformGrid({37, 11, 1}, {1, 1, 1}), storage, Boundaries::planar(Boundary::dirichlet)));
  }
  return runs;
}

// The first test: Kokkos keeps the scratch memory that it once allocated, so that later ones would show less.
TYPED_TEST(EmbeddingOn, SolveAllocatesNothing) {
  for (auto const& space : instances(this->space)) {
    for (auto const& run : run_every_sor<typename TestFixture::Exec, typename TestFixture::T>(space)) {
      // The listener works: a plan does allocate.
      EXPECT_TRUE(std::any_of(run.plan.begin(), run.plan.end(), [](auto const& event) {
        return event.kind == Kind::allocation && event.label == "karman::sor::x";
      }));
      expect_only_our_kernels(run.use);
    }
  }
}

TYPED_TEST(EmbeddingOn, EveryKernelOfSorRunsOnTheCallersInstance) {
  for (auto const& space : instances(this->space)) {
    for (auto const& run : run_every_sor<typename TestFixture::Exec, typename TestFixture::T>(space)) {
      expect_kernels_on(space, run.plan);
      expect_kernels_on(space, run.use);
    }
  }
}

TYPED_TEST(EmbeddingOn, EveryLabelOfSorIsOurs) {
  for (auto const& run : run_every_sor<typename TestFixture::Exec, typename TestFixture::T>(this->space)) {
    expect_our_labels(run.plan);
    expect_our_labels(run.use);
  }
}

TYPED_TEST(EmbeddingOn, SolveWaitsForItsInstanceOnly) {
  if (!reports_fences(this->space)) {
    GTEST_SKIP() << "Kokkos " << compat::kokkos_version() << " does not report fences to tools: not checked here";
  }
  for (auto const& space : instances(this->space)) {
    for (auto const& run : run_every_sor<typename TestFixture::Exec, typename TestFixture::T>(space)) {
      EXPECT_TRUE(
          std::any_of(run.use.begin(), run.use.end(), [](auto const& event) { return event.kind == Kind::fence; }));
      expect_fences_of(space, run.use);
    }
  }
}

template <class T>
struct Weighted {
  KOKKOS_FUNCTION T operator()(std::int64_t n) const { return T(n % 7); }
};

/// Every call of a Reducer that has a kernel of its own kind.
template <class Exec, class T>
Recorded run_reductions(Exec const& space) {
  // Enough values for more than one team.
  HostField<T> host({30, 40, 50});
  host.fill([](int k, int j, int i) { return k - j + 0.5 * i; });
  auto const a = to_device(space, host);
  auto const b = to_device(space, host);
  auto const out = to_device(space, host);
  Kokkos::View<T, typename Exec::memory_space> const left_there(Kokkos::view_alloc(space, "karman::test::result"));
  Kokkos::View<T***, Kokkos::LayoutStride, typename Exec::memory_space> const strided =
      Kokkos::subview(a, std::make_pair(1, 20), std::make_pair(2, 30), std::make_pair(3, 40));
  space.fence();
  Recorded result;
  std::unique_ptr<Reducer<Exec>> reducer;
  result.plan = record([&] { reducer = std::make_unique<Reducer<Exec>>(space); });
  result.use = record([&] {
    EXPECT_EQ(reducer->max(space, a), T(29 + 24.5));
    EXPECT_EQ(reducer->max_abs_difference(space, a, b), T(0));
    EXPECT_EQ(reducer->max_abs_difference(space, strided, strided), T(0));
    EXPECT_EQ(reducer->min_max_sum(space, a).min, T(-39));
    EXPECT_GT(reducer->norm_l2(space, a), 0);
    EXPECT_GT(reducer->max_speed(space, a, a, b), T(0));
    EXPECT_EQ(reducer->reduce(space, 20000, Weighted<T>{}, MaxOf<T>{}), T(6));
    reducer->max(space, a, left_there);
    reducer->rescale_to_unit(space, a, out);
    space.fence();
  });
  return result;
}

TYPED_TEST(EmbeddingOn, ReductionsKeepTheSameRules) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    auto const run = run_reductions<Exec, T>(space);
    expect_kernels_on(space, run.plan);
    expect_kernels_on(space, run.use);
    expect_our_labels(run.plan);
    expect_our_labels(run.use);
    expect_only_our_kernels(run.use);
    expect_fences_of(space, run.use);
  }
}

/// Checks that the tools distinguish a kernel on another instance from one on the caller's.
TYPED_TEST(EmbeddingOn, ToolsDistinguishInstances) {
  auto const all = instances(this->space);
  if (all.size() < 2) {
    GTEST_SKIP() << "Kokkos " << compat::kokkos_version()
                 << " makes no second instance here: kernels were checked against the backend, not the instance";
  }
  if (device_of(all[0]) == device_of(all[1])) {
    GTEST_SKIP() << "Kokkos " << compat::kokkos_version()
                 << " gives all instances of this backend one number: kernels were checked against the backend only";
  }
  // Work on the second instance is reported there.
  auto const events = record([&] { make_wall_codes(all[1], UniformGrid({4, 4, 4}, {1, 1, 1}), {}); });
  expect_kernels_on(all[1], events);
}

}  // namespace embedding_test
