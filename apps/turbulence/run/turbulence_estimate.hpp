// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before it.
#pragma once

#include "common/run/needs.hpp"
#include "turbulence/case/turbulence_case.hpp"

#include <cstdint>

namespace karman::turbulence {

struct TurbulenceEstimate : app::Needs {
  double dt = 0;     ///< s, at the largest expected speed
  double steps = 0;  ///< with that step
};

/// `model_bytes`: memory of the model. `copy_rate`: bytes per second that an array copy moves on the backend; 0:
/// unknown.
TurbulenceEstimate estimate(TurbulenceCase const& turbulence_case, std::int64_t model_bytes, double copy_rate);

}  // namespace karman::turbulence
