// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Switches of flow zones that QUIC and QES-Winds share, as parameterisations of a case.
#pragma once

#include "case_draft.hpp"

namespace karman::wind {

/// Switches of the empirical zones. The numbers are the same in both programs.
struct BuildingMethods {
  ForeignFlag rooftop;        ///< 0 none, 1 logarithmic, 2 vortex
  ForeignFlag upwind;         ///< 0 none, 1 Roeckle, 2 MVP, 3 HMVP
  ForeignFlag canyon;         ///< 0 none, 1 Roeckle, 2 modified or CPB, 3 PKK, 4 Roeckle with Fackrell
  ForeignFlag intersection;   ///< 0 or 1
  ForeignFlag wake;           ///< 0 none, 1 Roeckle, 2 modified; QUIC also 3 area scaled
  ForeignFlag sidewall;       ///< 0 or 1
  bool high_rise = false;     ///< QES-Winds
  double wall_roughness = 0;  ///< m; 0: not given
};

/// Largest values of the switches.
inline constexpr int most_rooftop = 2, most_upwind = 3, most_canyon = 4, most_wake = 4;

/// Adds the switches to the parameterisations of the draft. Remarks name methods that Karman lacks.
void put_methods(BuildingMethods const& methods, CaseDraft& draft);

}  // namespace karman::wind
