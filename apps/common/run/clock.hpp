// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The clock of a run.
#pragma once

#include <chrono>

namespace karman::app {

using Clock = std::chrono::steady_clock;

/// Seconds since a moment.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace karman::app
