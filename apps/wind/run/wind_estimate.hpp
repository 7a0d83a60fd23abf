// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, estimated before any allocation.
#pragma once

#include "common/run/needs.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/core/backend_name.hpp>

#include <cstdint>

namespace karman::wind {

struct WindEstimate : app::Needs {
  std::int64_t cells = 0;
  std::int64_t iterations = 0;  ///< of over-relaxation with this factor in an empty domain of this grid
};

/// On a backend of this build. `copy_rate`: bytes per second that the backend copies, 0 for an unknown rate. The
/// iterations are those after which the slowest error in the empty domain has fallen to the tolerance; walls and zones
/// change them somewhat. `processes`: number of those that solve the case; the memory is that of each.
WindEstimate estimate(WindCase const& wind_case, Backend backend, double copy_rate, int processes = 1);

}  // namespace karman::wind
