// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Comparison of the memory that a plan announces, reports and keeps.
#pragma once

#include "allocated_bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace karman::test {

/// Compares the bytes that a plan announces, those that it reports, and the memory that it keeps.
inline void expect_kept_bytes(std::string const& name, std::int64_t announced, std::int64_t reported,
                              AllocatedBytes const& kept) {
  EXPECT_EQ(reported, announced) << name;
  EXPECT_GE(kept.beyond(announced), 0) << name;
  EXPECT_LE(kept.beyond(announced), 7 * kept.views) << name;
}

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
    expect_kept_bytes(name, announced, made->workspace_bytes(), kept);
  }
};

}  // namespace karman::test
