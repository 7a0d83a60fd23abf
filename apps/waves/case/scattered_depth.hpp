// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Soundings: depths at scattered points, and the depth between them.
#pragma once

#include "nearest_points.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace karman::waves {

/// Soundings x, y, h, one per line, numbers separated by blanks, commas or semicolons. Skips empty lines, lines that
/// begin with # or %, and one heading (a first line with a letter before any digit). Throws CaseError (file, line,
/// requirement) and FileError.
struct Soundings {
  std::vector<std::array<double, 2>> points;
  std::vector<double> values;
};
Soundings read_soundings(std::filesystem::path const& file);

/// Interpolates between soundings. The value is that of the plane that fits the nearest twelve best, with the weights
/// (1 - d/R)^2 / d^2. R is the distance of the thirteenth (Franke and Nielson, 1980, Int. J. Numer. Meth. Eng. 15). It
/// is limited to the least and largest of the twelve. Planes are reproduced exactly; a sounding has its own value.
/// Where the twelve lie on a line: their weighted mean. Outside the convex hull of the soundings: the value of the
/// nearest one. Cost: n log n for n soundings, and one search in a k-d tree (Bentley, 1975) per point. A search takes
/// about log n steps near soundings, up to n far from soundings that all lie on one curve.
class ScatteredDepth {
 public:
  /// At least one sounding, all finite.
  explicit ScatteredDepth(Soundings soundings);

  struct Value {
    double depth = 0;
    bool outside = false;  ///< of the convex hull
    double distance = 0;   ///< to the nearest sounding
  };
  Value at(std::array<double, 2> const& point) const;

 private:
  static constexpr std::size_t most_neighbors = 13;
  bool inside(std::array<double, 2> const& point) const;

  Soundings soundings_;
  std::vector<std::array<double, 2>> lower_, upper_;  ///< sides of the convex hull, from west to east
  NearestPoints nearest_;
};

}  // namespace karman::waves
