// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Directions and speeds of the wind over the year.
#pragma once

#include <span>
#include <vector>

namespace karman {
class Case;
struct CaseProblem;
}  // namespace karman

namespace karman::wind {

/// One direction of a rose. The speed U at the reference height follows a Weibull distribution: the fraction of the
/// sector's time with a speed above t is exp(-(t / scale)^shape).
struct Sector {
  double direction = 0;  ///< degrees, where the wind comes from
  double frequency = 0;  ///< fraction of the year, 0 to 1
  double scale = 1;      ///< m/s
  double shape = 2;
};

/// A sweep over directions: one field each, and maps at one height.
struct Sweep {
  std::vector<Sector> sectors;
  bool has_statistics = false;   ///< the sectors have frequencies and distributions
  double reference_height = 10;  ///< m above the ground, of the speeds of the rose
  double height = 1.75;          ///< m above the ground, of the maps
};

/// Fraction of the year in which the speed at a place exceeds `threshold` (m/s): the sum over the sectors of
/// frequency exp(-(threshold / (ratio scale))^shape). The rest of the year is calm.
///
/// \param ratios speed at the place over that at the reference height, one per sector. The field is proportional to the
/// speed of the undisturbed wind, so that one field serves all speeds of its direction.
double exceedance(std::span<Sector const> sectors, std::span<float const> ratios, double threshold);

/// Reads /sweep of a case that has one, with problems beyond the schema: frequencies of more than 1 in all, a direction
/// that comes twice, a height of the maps above the domain.
Sweep read_sweep(Case const& input, double top, std::vector<CaseProblem>& problems);

}  // namespace karman::wind
