// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The local projection of longitudes and latitudes.
#pragma once

#include <array>

namespace karman::wind {

/// Metres per degree of longitude and of latitude on the ellipsoid of WGS 84, at a latitude in degrees:
///   N cos(latitude) pi / 180 and M pi / 180, N = a / sqrt(q), M = a (1 - e^2) / q^1.5, q = 1 - e^2 sin(latitude)^2.
/// x = (longitude - longitude_0) times the first and y = (latitude - latitude_0) times the second are the local
/// equirectangular projection. Its relative error in x is tan(latitude_0) (latitude - latitude_0) in radians: 0.1 % at
/// 50 degrees and 5 km to the north.
std::array<double, 2> metres_per_degree(double latitude);

}  // namespace karman::wind
