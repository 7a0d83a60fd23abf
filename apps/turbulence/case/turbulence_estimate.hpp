// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before it.
#pragma once

#include "turbulence_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::turbulence {

struct TurbulenceEstimate {
  double dt = 0;     ///< s, at the largest expected speed
  double steps = 0;  ///< with that step
  std::int64_t device_bytes = 0, host_bytes = 0, disk_bytes = 0;
  double seconds = 0;  ///< on the backend, 0 before copy_rate is known
};

/// `model_bytes`: memory of the model. `copy_rate`: bytes per second that an array copy moves on the backend; 0:
/// unknown.
TurbulenceEstimate estimate(TurbulenceCase const& turbulence_case, std::int64_t model_bytes, double copy_rate);

/// The report of --dry-run. `evaluated`: whether start and forcing were evaluated at all points.
std::string dry_run_report(TurbulenceCase const& turbulence_case, TurbulenceEstimate const& need,
                           BackendInfo const& backend, bool evaluated);

}  // namespace karman::turbulence
