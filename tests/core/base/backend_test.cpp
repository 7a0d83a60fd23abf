// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/backend.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace backend_test {

using karman::Backend;

TEST(Backend, NamesAndParsesEveryBackend) {
  for (Backend backend : {Backend::serial, Backend::openmp, Backend::threads, Backend::cuda}) {
    EXPECT_EQ(karman::parse_backend(karman::name(backend)), backend);
  }
  EXPECT_FALSE(karman::parse_backend("CUDA").has_value());
  EXPECT_FALSE(karman::parse_backend("").has_value());
}

TEST(Backend, DispatchesToTheSpaceOfThatName) {
  ASSERT_FALSE(karman::enabled_backends().empty());
  for (Backend backend : karman::enabled_backends()) {
    Backend const reached = karman::dispatch(
        backend, [](auto const& space) { return karman::backend_of<std::decay_t<decltype(space)>>(); });
    EXPECT_EQ(reached, backend);
    EXPECT_GE(karman::describe(backend).concurrency, 1);
    EXPECT_FALSE(karman::describe(backend).device.empty());
  }
}

TEST(Backend, RefusesABackendThatThisBuildLacks) {
  for (Backend backend : {Backend::serial, Backend::openmp, Backend::threads, Backend::cuda}) {
    bool enabled = false;
    for (Backend present : karman::enabled_backends()) enabled = enabled || present == backend;
    if (!enabled) {
      EXPECT_THROW(karman::dispatch(backend, [](auto const&) {}), std::invalid_argument);
    }
  }
}

TEST(Backend, BuildInfoIsComplete) {
  auto const info = karman::build_info();
  EXPECT_FALSE(info.karman_version.empty());
  EXPECT_FALSE(info.commit.empty());
  EXPECT_FALSE(info.kokkos_version.empty());
  EXPECT_NE(info.compiler, "unknown");
}

}  // namespace backend_test
