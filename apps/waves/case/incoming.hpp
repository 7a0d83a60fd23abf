// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waves that enter through the incident boundaries.
#pragma once

#include "waves/case/wave_problem.hpp"

#include <optional>
#include <vector>

namespace karman::waves {

/// True where at least one wave enters through an incident boundary: it travels inwards at a node of an incident edge.
/// Waves within 1e-6 rad of the boundary do not count. Where no wave of a component enters, none brings energy in, and
/// its solution has outgoing waves alone. Preconditions: problems_of() finds none. Cost: at most one dispersion
/// relation per wave and node of the incident boundaries, none without Refraction. Ends at the first edge where a wave
/// enters.
bool any_enters(WaveProblem const& problem, double period, std::vector<IncidentWave> const& waves);

/// Direction of travel, rad anticlockwise from +x, of a wave that crosses the incident boundaries straight inwards. It
/// is opposite to the mean of their outward normals, weighted with length. Empty where that mean vanishes.
std::optional<double> straight_inwards(WaveProblem const& problem);

}  // namespace karman::waves
