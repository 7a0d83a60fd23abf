// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Plan of the zones of the vegetation.
#pragma once

#include "zones.hpp"

#include <vector>

namespace karman::wind {

/// Law of a canopy of height `top` over ground of the roughness z0 < top. The displacement d joins the slopes of both
/// parts at the top, a U_H kappa / u* = H / (H - d). It is 0 for a canopy too thin for that, a < 1 / ln(H / z0).
CanopyLaw canopy_law(double top, double attenuation, double roughness);

/// Attenuation of rows at an angle to the wind: (a_across^3 |sin| + a_along^3 |cos|)^(1/3).
double row_attenuation(double across, double along, double sine, double cosine);

/// Empty where the case has no vegetation or has it switched off. `buildings`: the buildings of the plan. Cost:
/// O(walls) and comparisons with the buildings on the same lines of the wind.
VegetationPlan plan_vegetation(WindCase const& wind_case, std::vector<BuildingZones> const& buildings);

}  // namespace karman::wind
