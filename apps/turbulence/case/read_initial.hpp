// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Vorticity at the start of a turbulence case.
#pragma once

#include "read_plane.hpp"
#include "turbulence_case.hpp"
#include <karman/io/error.hpp>

#include <cstdint>
#include <vector>

namespace karman::turbulence {

/// Evaluates `/initial`. Adds a problem for a state that does not fit the box, and for wrong formulas. Throws FileError
/// for a file that cannot be read. A sample has only the energy, and reads no file.
InitialState read_initial(Case const& input, TurbulenceProblem const& problem, std::vector<CaseProblem>& problems,
                          Evaluation evaluation);

/// Modes of the vorticity with random phases and amplitudes whose mean is k / sqrt(1 + (k / peak)^4), of an energy. A
/// mode depends on its number and the seed alone, except for the common factor: equal flows at any number of points.
std::vector<double> random_modes(VorticitySetup const& setup, double energy, double peak, std::uint64_t seed);

/// Mean kinetic energy of modes of a vorticity.
double energy_of(VorticitySetup const& setup, std::vector<double> const& modes);

}  // namespace karman::turbulence
