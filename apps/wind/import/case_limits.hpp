// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranges of imported values: as in the schema of a case, or wider where the schema then checks.
#pragma once

#include "foreign_value.hpp"

#include <cstddef>

namespace karman::wind::limits {

inline constexpr Range any_number{-1e12, 1e12};
inline constexpr Range coordinate{-1e8, 1e8};    ///< m
inline constexpr Range length{0, 1e5, true};     ///< m
inline constexpr Range base_height{0, 1e5};      ///< m
inline constexpr Range cell_size{0, 1e4, true};  ///< m
inline constexpr Range turn{-360, 360};          ///< degrees

inline constexpr Range speed{0, 150};           ///< m/s
inline constexpr Range direction{-3600, 3600};  ///< degrees
inline constexpr Range reading_height{0, 1e4, true};
inline constexpr Range roughness{1e-6, 100};  ///< m, of ground and walls
inline constexpr Range exponent{0, 2};
inline constexpr Range reciprocal{-1, 1};  ///< of the Obukhov length, 1/m
inline constexpr Range canopy_height{0, 1000, true};

inline constexpr Range plant_height{0, 1000, true};  ///< m
inline constexpr Range plant_base{0, 1000};          ///< m
inline constexpr Range attenuation{0, 20, true};     ///< of plants and canopies

inline constexpr int most_cells_of_side = 32768;
inline constexpr std::size_t most_buildings = 10000;
inline constexpr std::size_t most_plants = 100000;
inline constexpr std::size_t most_sensors = 64;
inline constexpr std::size_t most_times = 10000;

}  // namespace karman::wind::limits
