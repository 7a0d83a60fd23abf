// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Buildings from GeoJSON files and shapefiles.
#pragma once

#include "building.hpp"
#include <karman/io/error.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
}  // namespace karman

namespace karman::wind {

/// Metres per degree of longitude and of latitude on the ellipsoid of WGS 84, at a latitude in degrees:
///   N cos(latitude) pi / 180 and M pi / 180, N = a / sqrt(q), M = a (1 - e^2) / q^1.5, q = 1 - e^2 sin(latitude)^2.
/// x = (longitude - longitude_0) times the first and y = (latitude - latitude_0) times the second are the local
/// equirectangular projection. Its relative error in x is tan(latitude_0) (latitude - latitude_0) in radians: 0.1 % at
/// 50 degrees and 5 km to the north.
std::array<double, 2> metres_per_degree(double latitude);

/// Reads the file of entry `entry` and appends its buildings, one per polygon. Their `member` is the number of the
/// feature. Adds a problem for each feature that is no building, and one warning with the number of buildings skipped.
/// Throws CaseError for a malformed file or too many buildings, FileError for a file that cannot be read.
void read_city_file(Case const& input, std::size_t entry, UniformGrid const& grid, std::vector<Building>& buildings,
                    std::vector<CaseProblem>& problems, std::vector<std::string>& warnings);

}  // namespace karman::wind
