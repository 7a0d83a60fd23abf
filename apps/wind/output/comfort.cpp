// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comfort.hpp"

#include <algorithm>
#include <cstddef>

namespace karman::wind {
namespace {

constexpr double lawson_time = 0.05;
constexpr std::array lawson_speeds{4.0, 6.0, 8.0, 10.0};
constexpr double nen_speed = 5, nen_danger_speed = 15;
constexpr std::array nen_times{0.025, 0.05, 0.1, 0.2};
constexpr std::array danger_times{0.0005, 0.003};

/// Number of limits that a value reaches.
template <std::size_t N>
std::uint8_t rank(double value, std::array<double, N> const& limits) {
  return static_cast<std::uint8_t>(std::count_if(limits.begin(), limits.end(), [&](double l) { return value >= l; }));
}

}  // namespace

Comfort comfort_of(std::span<Sector const> sectors, std::span<float const> ratios) {
  Comfort result;
  std::array<double, comfort_speeds.size()> time{};
  for (std::size_t n = 0; n < comfort_speeds.size(); ++n) {
    time[n] = exceedance(sectors, ratios, comfort_speeds[n]);
    result.exceedance[n] = static_cast<float>(time[n]);
  }
  auto const above = [&](double speed) {
    return time[static_cast<std::size_t>(std::find(comfort_speeds.begin(), comfort_speeds.end(), speed) -
                                         comfort_speeds.begin())];
  };
  result.lawson = static_cast<LawsonClass>(std::count_if(lawson_speeds.begin(), lawson_speeds.end(),
                                                         [&](double speed) { return above(speed) > lawson_time; }));
  result.nen = static_cast<NenClass>(rank(above(nen_speed), nen_times));
  result.danger = static_cast<NenDanger>(rank(above(nen_danger_speed), danger_times));
  return result;
}

}  // namespace karman::wind
