// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A domain around the buildings of a case.
#pragma once

#include "city_layers.hpp"
#include "domain_place.hpp"

#include <array>
#include <string>
#include <vector>

namespace karman::wind {

/// Corner and cells of a domain in plan.
struct DomainBox {
  std::array<double, 2> origin{0, 0};
  std::array<int, 2> cells{1, 1};
  std::string warning;  ///< of few buildings far from all others; empty without
};

/// The box of all buildings with a margin on every side: /domain/margin times the highest roof above the ground. It
/// consists of whole cells of /domain/spacing, and its corners are multiples of the spacing. Few buildings that lie
/// more than two margins from all others give a warning with the box of the others. Cost: O(n log n) for n buildings.
/// \param layers thicknesses of the layers
/// \throws CaseError with every fault of the buildings, for none, and for more than 32768 cells along an axis
DomainBox box_around_buildings(Case const& input, std::vector<double> const& layers, CityLayers& files,
                               DomainPlace const& place);

}  // namespace karman::wind
