// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Energy balance of the waves.
#pragma once

#include "boundary_table.hpp"
#include "incident_field.hpp"
#include "mild_slope_kernels.hpp"
#include "wave_model.hpp"

namespace karman::waves {

/// The balance of a solution. Multiplied by eta*, the discrete equation balances the inflow through its boundary terms
/// and the losses inside. Both are summed here exactly as in the equation, in double precision on the host, in a fixed
/// order.
EnergyBalance energy_balance(WaveProblem const& problem, BoundaryTable const& boundary, IncidentField const& incident,
                             double omega, WaveState const& state);

}  // namespace karman::waves
