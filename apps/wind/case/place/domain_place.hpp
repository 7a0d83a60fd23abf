// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The place of the domain on a map.
#pragma once

#include <karman/io/error.hpp>

#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
struct MapPlace;
}  // namespace karman

namespace karman::wind {

class CityLayers;

/// Coordinate system of the positions of a case.
struct DomainPlace {
  std::string system;  ///< as for describe_map_system(); empty: unknown
  bool given = false;  ///< by /domain/crs; else found in a file whose coordinates the domain has
  double north = 0;    ///< direction of grid north in degrees from true north, clockwise; 0 unless given

  bool empty() const { return system.empty(); }
};

/// Greatest relative difference of a length in a map to the length on the ground that counts as none.
inline constexpr double scale_slack = 1e-3;
/// Greatest such difference of coordinates that are used as they are, with a warning.
inline constexpr double most_scale_error = 1e-2;

/// The greater relative difference of the two scales of a place to 1.
double scale_error(MapPlace const& place);

/// Reads /domain/crs: a projection in metres, or "auto", a zone of UTM. It has the middle of the first file of
/// buildings, else of vegetation, else of the terrain. Empty where the case has none, and with a problem. Without it a
/// domain around buildings may be "auto" too, with a warning: where the scale of a file is wrong by more than
/// `scale_slack` and no file has an `origin`.
DomainPlace read_place(Case const& input, CityLayers& layers, std::vector<CaseProblem>& problems,
                       std::vector<std::string>& warnings);

/// Sets `north` of a given system at the middle of the domain. Adds a problem for a domain outside of the projection,
/// and for a scale there that is wrong by more than `most_scale_error`; a warning beyond `scale_slack`. A domain far
/// from its files has no good place: the caller reports that in place of these problems.
void locate(DomainPlace& place, UniformGrid const& grid, Case const& input, std::vector<CaseProblem>& problems,
            std::vector<std::string>& warnings);

/// A map and its north in words; empty for an unknown place. `turns_readings`: the case has readings from true north.
std::string place_text(DomainPlace const& place, bool turns_readings);

/// Name and code of a system: "ETRS89 / UTM zone 32N (EPSG:25832)".
std::string system_name(std::string const& system);

}  // namespace karman::wind
