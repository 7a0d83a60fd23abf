// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Classes of wind comfort and danger for pedestrians.
#pragma once

#include "wind/case/wind/wind_rose.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace karman::wind {

/// Lawson (1990): the calmest activity whose speed is exceeded for at most 5 % of the time. Speeds are hourly means.
enum class LawsonClass : std::uint8_t {
  sitting = 0,           ///< 4 m/s
  standing = 1,          ///< 6 m/s
  strolling = 2,         ///< 8 m/s
  business_walking = 3,  ///< 10 m/s
  uncomfortable = 4      ///< above
};

/// NEN 8100 (2006): classes of the fraction of the year with an hourly mean above 5 m/s.
enum class NenClass : std::uint8_t {
  a = 0,  ///< below 2.5 %: good for sitting
  b = 1,  ///< below 5 %: moderate for sitting, good for strolling
  c = 2,  ///< below 10 %: poor for sitting, moderate for strolling, good for walking
  d = 3,  ///< below 20 %: poor for strolling, moderate for walking
  e = 4   ///< 20 % and more: poor for walking
};

/// NEN 8100 (2006): fraction of the year with an hourly mean above 15 m/s.
enum class NenDanger : std::uint8_t {
  none = 0,     ///< below 0.05 %
  limited = 1,  ///< below 0.3 %
  dangerous = 2
};

/// Marks cells without air in maps of classes.
inline constexpr std::uint8_t no_class = 255;

/// Speeds, m/s, whose exceedance the maps hold: speeds of Lawson's classes, of NEN 8100, and of Lawson's distress (15
/// for the frail, 20 for all).
inline constexpr std::array<double, 7> comfort_speeds{4, 5, 6, 8, 10, 15, 20};

/// The classes of a place, from its speed ratios, one per sector.
struct Comfort {
  std::array<float, comfort_speeds.size()> exceedance{};  ///< fraction of the year above each of comfort_speeds
  LawsonClass lawson = LawsonClass::sitting;
  NenClass nen = NenClass::a;
  NenDanger danger = NenDanger::none;
};
Comfort comfort_of(std::span<Sector const> sectors, std::span<float const> ratios);

}  // namespace karman::wind
