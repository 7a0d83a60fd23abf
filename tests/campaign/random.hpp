// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Random numbers of the campaign: the same for a seed on every machine.
#pragma once

#include <cmath>
#include <cstdint>

namespace karman::campaign {

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 <= result < n.
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
  /// low <= result <= high.
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(double share) { return uniform(0, 1) < share; }
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Powers of ten with exponents from low to high.
  double decade(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  /// Extents on a logarithmic scale.
  int extent(int low, int high) {
    return static_cast<int>(std::lround(std::exp(uniform(std::log(double(low)), std::log(double(high))))));
  }

 private:
  std::uint64_t state_;
};

}  // namespace karman::campaign
