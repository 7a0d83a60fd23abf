// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before it.
#pragma once

#include "common/run/needs.hpp"
#include "euler/case/flow_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>

namespace karman::euler {

struct FlowEstimate : app::Needs {
  std::int64_t nodes = 0, triangles = 0;
  double rate = 0;   ///< 1/s, largest one of the start
  double dt = 0;     ///< s, of the first step
  double steps = 0;  ///< with that step; the most of a steady case
};

/// `copy_rate`: bytes per second that an array copy moves on the backend; 0: unknown.
FlowEstimate estimate(FlowCase const& flow_case, double copy_rate, Backend backend);

}  // namespace karman::euler
