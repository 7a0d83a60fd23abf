// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comparison of the memory that a plan announces, reports and keeps.
#pragma once

#include "allocated_bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace karman::test {

template <class Parameter>
class WorkspaceCase : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;

  /// Compares the memory kept by make() with the announced one and with the object's own report.
  template <class Make>
  void expect_kept(std::string const& name, std::int64_t announced, Make const& make) {
    decltype(make()) made;
    auto const kept = allocated_bytes<Exec>([&] {
      made = make();
      space.fence();
    });
    EXPECT_EQ(made->workspace_bytes(), announced) << name;
    EXPECT_GE(kept.beyond(announced), 0) << name;
    EXPECT_LE(kept.beyond(announced), 7 * kept.views) << name;
  }
};

}  // namespace karman::test
