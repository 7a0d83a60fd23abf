// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sensors of another program as the wind of a case.
#pragma once

#include "case_draft.hpp"
#include "wind/case/wind/profile.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace karman::wind {

/// Wind at a sensor at one time.
struct ForeignReading {
  std::optional<std::int64_t> time;  ///< seconds from any origin; empty: unknown
  Profile profile;                   ///< its direction is where the wind comes from, clockwise from +y
  ForeignPlace place;
};

struct ForeignSensor {
  std::string name;
  std::optional<std::array<double, 2>> position;  ///< in the case; empty: unknown
  ForeignPlace place;
  std::vector<ForeignReading> readings;
};

/// Boundary layers of QUIC and QES-Winds: 0 uniform, 1 logarithmic, 2 power law, 3 urban canopy, 4 data points.
inline constexpr int most_boundary_layer = 4;

/// Parameters of a boundary layer as both programs give them.
struct BoundaryLayer {
  int kind = 1;
  double roughness = 0.1;          ///< m; the exponent of a power law
  double reciprocal = 0;           ///< 1/L, 1/m; 0: neutral
  double canopy_height = 0;        ///< m
  double attenuation = 0;          ///< of the canopy
  std::vector<double> heights;     ///< m
  std::vector<double> speeds;      ///< m/s
  std::vector<double> directions;  ///< degrees
};

/// The profile of a boundary layer. Directions lose `rotation`, the angle of +y clockwise from north. Throws CaseError
/// for numbers without meaning.
Profile profile_of(BoundaryLayer const& layer, double rotation, ForeignPlace const& place);

/// Writes /wind, and /series for several times. Uses the times of all sensors in common, the first `most_times` of
/// them; 0 means all.
/// \par Requires
/// at least one sensor, each with a reading; the domain of the draft
void put_wind(std::vector<ForeignSensor> sensors, std::size_t most_times, CaseDraft& draft);

}  // namespace karman::wind
