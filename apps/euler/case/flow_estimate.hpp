// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before it.
#pragma once

#include "flow_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::euler {

struct FlowEstimate {
  std::int64_t nodes = 0, triangles = 0;
  double dt = 0;     ///< s, of the first step
  double steps = 0;  ///< with that step; the most of a steady case
  std::int64_t device_bytes = 0, host_bytes = 0, disk_bytes = 0;
  double seconds = 0;  ///< on the backend, 0 before copy_rate is known
};

/// `copy_rate`: bytes per second that an array copy moves on the backend; 0: unknown.
FlowEstimate estimate(FlowCase const& flow_case, double copy_rate);

/// The report of --dry-run.
std::string dry_run_report(FlowCase const& flow_case, FlowEstimate const& need, BackendInfo const& backend);

}  // namespace karman::euler
