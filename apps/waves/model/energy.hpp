// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the energy of the waves comes from and goes to.
#pragma once

#include "boundary_table.hpp"
#include "incident_field.hpp"
#include "mild_slope_kernels.hpp"
#include "wave_model.hpp"

namespace karman::waves {

/// The balance of a solution. Multiplied by eta* the discrete equation says that what flows in through its boundary
/// terms is lost inside; both are summed here as they stand in it, in double precision on the host, in a fixed order.
EnergyBalance energy_balance(WaveProblem const& problem, BoundaryTable const& boundary, IncidentField const& incident,
                             double omega, WaveState const& state);

}  // namespace karman::waves
