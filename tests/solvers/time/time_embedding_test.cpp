// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed TimeIntegrator: steps launch kernels of the caller's instance and do nothing else.
#include "backends.hpp"
#include "solvers/common/recorded_events.hpp"
#include "solvers/common/workspace_case.hpp"
#include "time_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace time_embedding_test {

using namespace karman;
using namespace karman::test;
using Kind = RecordedEvent::Kind;

std::vector<TimeIntegratorSetup> every_setup() {
  std::vector<TimeIntegratorSetup> setups;
  for (auto const method : all_methods) {
    setups.push_back({.method = method});
    if (method != TimeMethod::adams_bashforth4) setups.push_back({.method = method, .local_steps = true});
  }
  return setups;
}

template <class Parameter>
class TimeEmbeddingOn : public WorkspaceCase<Parameter> {};
TYPED_TEST_SUITE(TimeEmbeddingOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(TimeEmbeddingOn, StepsLaunchKernelsAndDoNothingElse) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    for (auto const& setup : every_setup()) {
      for (bool const fused : {false, true}) {
        FunctionDerivative<Exec, T, Decay> r(3000, {1}, fused);
        auto const u = device_vector<Exec, T>(space, std::vector<double>(3000, 1.0));
        std::unique_ptr<TimeIntegrator<Exec, T>> integrator;
        auto const plan = record([&] { integrator = std::make_unique<TimeIntegrator<Exec, T>>(space, 3000, setup); });
        for (auto const& event : plan) {
          if (event.kind == Kind::allocation) {
            EXPECT_TRUE(is_ours(event.label)) << event.label;
          }
          if (event.kind == Kind::kernel) {
            EXPECT_TRUE(is_ours(event.label) || initialises_ours(event.label)) << event.label;
          }
        }
        EXPECT_TRUE(std::any_of(plan.begin(), plan.end(), [](auto const& e) { return e.kind == Kind::allocation; }));
        auto const run = [&] {
          integrator->start(space, r, u, 0, {.cfl = 0.1});
          if (!setup.local_steps) integrator->set_end(space, 0.65);
          for (int step = 0; step < 9; ++step) integrator->step(space, r, u);
        };
        run();  // Kokkos allocates the scratch of teams once
        space.fence();
        expect_kernels_only(space, record(run), 19);
        space.fence();
        EXPECT_EQ(integrator->diagnostics(space, u).breakdown, "");
      }
    }
  }
}

/// A check copies once, and waits for its instance only.
TYPED_TEST(TimeEmbeddingOn, ALookCopiesOnce) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& space : instances(this->space)) {
    FunctionDerivative<Exec, T, Decay> r(300, {1});
    auto const u = device_vector<Exec, T>(space, std::vector<double>(300, 1.0));
    TimeIntegrator<Exec, T> integrator(space, 300);
    integrator.start(space, r, u, 0, {});
    integrator.diagnostics(space, u);
    int copies = 0;
    for (auto const& event : record([&] { integrator.diagnostics(space, u); })) {
      EXPECT_NE(event.kind, Kind::allocation) << event.label;
      if (event.kind == Kind::copy) ++copies;
      if (event.kind == Kind::kernel || event.kind == Kind::fence) {
        EXPECT_EQ(event.device, Kokkos::Tools::Experimental::device_id(space)) << event.label;
      }
    }
    EXPECT_EQ(copies, 1);
  }
}

TYPED_TEST(TimeEmbeddingOn, PlansKeepTheAnnouncedBytes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Plan = TimeIntegrator<Exec, T>;
  for (auto const& setup : every_setup()) {
    for (std::int64_t const n : {1, 1001, 70000}) {
      this->expect_kept(std::string(name(setup.method)), Plan::workspace_bytes(n, setup),
                        [&] { return std::make_unique<Plan>(this->space, n, setup); });
    }
  }
}

}  // namespace time_embedding_test
