// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a solve, estimated before any allocation.
#pragma once

#include "poisson_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::poisson {

struct Estimate {
  Method method = Method::mg_pcg;  ///< of the case, or the choice of `auto`
  std::int64_t cells = 0;
  std::int64_t device_bytes = 0;  ///< in the memory of the backend
  std::int64_t host_bytes = 0;    ///< the system and the fields of the residual check, in double precision, on the host
  std::int64_t disk_bytes = 0;    ///< output and two checkpoints, uncompressed
  int iterations = 1;             ///< in a box without solid cells and with a constant coefficient
  double seconds = 0;             ///< of these iterations at a given copy rate; 0 for an unknown rate
};

/// On a backend of this build; Kokkos must be initialised. `copy_rate`: bytes per second that the backend copies, 0 for
/// an unknown rate.
Estimate estimate(PoissonCase const& poisson_case, Backend backend, double copy_rate);

/// The lines of `--dry-run`.
std::string dry_run_report(PoissonCase const& poisson_case, Estimate const& need, BackendInfo const& backend);

}  // namespace karman::poisson
