// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before any allocation.
#pragma once

#include "wind_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>
#include <string>

namespace karman::wind {

struct WindEstimate {
  std::int64_t cells = 0;
  std::int64_t model_bytes = 0;  ///< in the memory of the backend
  std::int64_t host_bytes = 0;   ///< buffers of the output, and recorded slices, in host memory
  std::int64_t disk_bytes = 0;   ///< output and two checkpoints, uncompressed
  std::int64_t iterations = 0;   ///< of over-relaxation with this factor in an empty domain of this grid
  double seconds = 0;            ///< of these iterations at a given copy rate; 0 for an unknown rate
};

/// On a backend of this build. `copy_rate`: bytes per second that the backend copies, 0 for an unknown rate. The
/// iterations are those after which the slowest error in the empty domain has fallen to the tolerance; walls and zones
/// change them somewhat.
WindEstimate estimate(WindCase const& wind_case, Backend backend, double copy_rate);

/// Throws CannotRun with needed and free memory, in one line, if memory is too small. `host` describes the host memory,
/// which holds the output buffers and, for host backends, everything.
void require_memory(WindEstimate const& need, BackendInfo const& backend, BackendInfo const& host);

/// The lines of `--dry-run`.
std::string dry_run_report(WindCase const& wind_case, WindEstimate const& need, BackendInfo const& backend);

}  // namespace karman::wind
