// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a solve, estimated before any allocation.
#pragma once

#include "common/run/needs.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/case/time_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>

namespace karman::poisson {

struct Estimate : app::Needs {
  Method method = Method::mg_pcg;  ///< of the case, or the choice of `auto`
  std::int64_t cells = 0;
  int iterations = 1;  ///< in a box without solid cells and with a constant coefficient
};

/// On a backend of this build; Kokkos must be initialised. `copy_rate`: bytes per second that the backend copies, 0 for
/// an unknown rate. Memory and time are of the process with most cells among so many.
Estimate estimate(PoissonCase const& poisson_case, Backend backend, double copy_rate, int processes = 1);

/// Of a problem in time, whose model takes `model_bytes` and sends `sent_bytes` in a step.
app::Needs estimate(TimeCase const& time_case, std::int64_t model_bytes, std::int64_t sent_bytes, double copy_rate,
                    int processes = 1);

/// Bytes that the process with most cells among so many sends in a step.
std::int64_t sent_bytes(HeatCase const& heat_case, int processes);

}  // namespace karman::poisson
