// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time that a step took, for reports.
#pragma once

#include <chrono>

namespace karman::waves {

/// Runs from its construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace karman::waves
