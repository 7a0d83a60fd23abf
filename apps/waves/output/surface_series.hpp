// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The surface over time at points, from the complex amplitudes of the components.
#pragma once

#include "waves/case/wave_case.hpp"

#include <complex>
#include <vector>

namespace karman::waves {

/// Times 0, step, 2 step, ... below or at the duration.
std::vector<double> times_of(SurfaceSeries const& series);

/// Surface Re sum eta_c e^(-i omega_c t) at points, m: `elevation[c][p]` is eta of component c at point p. Row n of the
/// result has the points at time n. Where phases are random, each component of a spectrum becomes waves of equal
/// amplitude in equal parts of its band. Their frequencies and phases follow from the seed. Frequencies are about as
/// close as 1 / duration, so that the series does not repeat itself. No two are equal, so that energies add up.
/// The same seed gives the same numbers. Cost: waves x steps x (points + 1) complex products.
std::vector<double> surface_series(WaveCase const& wave_case, SurfaceSeries const& series,
                                   std::vector<std::vector<std::complex<double>>> const& elevation);

/// 4 sqrt(variance) of one column.
double height_of_series(std::vector<double> const& surface, std::size_t points, std::size_t point);

}  // namespace karman::waves
