// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The self-check of a backend: right kernels pass, and each answer is really checked.
#include "backends.hpp"
#include "base/backend_probe_run.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/core/backend_check.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

namespace backend_check_test {

using karman::BackendVerdict;
using karman::test::RecordedEvent;

template <class On>
class BackendCheck : public ::testing::Test {};
TYPED_TEST_SUITE(BackendCheck, karman::test::AllBackendsDouble, karman::test::BackendNames);

TYPED_TEST(BackendCheck, FindsTheKernelsOfThisBuildRight) {
  using Exec = typename TypeParam::execution_space;
  for (Exec const& space : karman::test::instances(Exec())) {
    BackendVerdict const verdict = karman::check_backend(space);
    EXPECT_TRUE(verdict.sound()) << verdict.problem;
    EXPECT_FALSE(verdict.device_lost);
  }
}

TYPED_TEST(BackendCheck, OneWrongAnswerOfAnyKernelIsAProblem) {
  using Exec = typename TypeParam::execution_space;
  std::set<std::string> lines;
  for (karman::detail::Probe const probe : karman::detail::probes) {
    BackendVerdict const verdict = karman::detail::run_backend_probes(Exec(), probe);
    EXPECT_FALSE(verdict.sound());
    EXPECT_FALSE(verdict.device_lost);
    lines.insert(verdict.problem);
  }
  // Each line contains the name of its kernel.
  EXPECT_EQ(lines.size(), karman::detail::probes.size());
}

TYPED_TEST(BackendCheck, TheProblemNamesBackendKokkosCompilerAndCure) {
  using Exec = typename TypeParam::execution_space;
  std::string const line = karman::detail::run_backend_probes(Exec(), karman::detail::Probe::many_views).problem;
  auto const has = [&](std::string const& words) { return line.find(words) != std::string::npos; };
  EXPECT_TRUE(has(std::string(name(karman::backend_of<Exec>())))) << line;
  EXPECT_TRUE(has("Kokkos " + karman::build_info().kokkos_version)) << line;
  EXPECT_TRUE(has("functors with many Views")) << line;
  if (karman::runs_on_host<Exec>) {
    EXPECT_TRUE(has(karman::build_info().compiler)) << line;
  } else {
    EXPECT_TRUE(has("nvcc " + karman::build_info().cuda_version)) << line;
    EXPECT_TRUE(has("-DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON")) << line;
  }
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TYPED_TEST(BackendCheck, RunsOnTheInstanceOfItsCallerUnderLabelsOfItsOwn) {
  using Exec = typename TypeParam::execution_space;
  for (Exec const& space : karman::test::instances(Exec())) {
    karman::check_backend(space);  // allocates the workspace of Kokkos for teams and reductions
    auto const events = karman::test::record([&] { karman::check_backend(space); });
    int kernels = 0;
    for (RecordedEvent const& event : events) {
      if (event.kind != RecordedEvent::Kind::kernel) continue;
      EXPECT_EQ(event.label.rfind("karman::check_backend::", 0), 0U) << event.label;
      EXPECT_EQ(event.device, static_cast<std::uint32_t>(Kokkos::Tools::Experimental::device_id(space))) << event.label;
      ++kernels;
    }
    EXPECT_EQ(kernels, 9);
  }
}

}  // namespace backend_check_test
