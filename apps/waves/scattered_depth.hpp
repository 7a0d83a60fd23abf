// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Soundings: depths at scattered points, and the depth between them.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace karman::waves {

/// Soundings x, y, h, one a line, numbers separated by blanks, commas or semicolons. Lines that begin with # or % and
/// empty ones are skipped, and one heading (a first line with a letter before any digit). Throws CaseError (file, line,
/// what was expected) and FileError.
struct Soundings {
  std::vector<std::array<double, 2>> points;
  std::vector<double> values;
};
Soundings read_soundings(std::filesystem::path const& file);

/// The value between soundings: the plane that fits the nearest twelve best, weighted with (1 - d/R)^2 / d^2 where R is
/// the distance of the thirteenth (Franke and Nielson, 1980, Int. J. Numer. Meth. Eng. 15), limited to the least and
/// largest of the twelve. Planes come out exactly; a sounding has its own value. Where the twelve lie on a line, their
/// weighted mean. Outside the convex hull of the soundings: the value of the nearest one.
/// Cost: a search in a grid of cells with some four soundings each; a few microseconds a point.
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
  struct Neighbour {
    double square;  ///< of the distance
    int number;
  };
  static constexpr std::size_t most_neighbours = 13;
  /// The nearest soundings, nearest first.
  std::vector<Neighbour> nearest(std::array<double, 2> const& point) const;
  bool inside(std::array<double, 2> const& point) const;

  Soundings soundings_;
  std::vector<std::array<double, 2>> hull_;  ///< anticlockwise
  std::array<double, 2> origin_{};
  double cell_ = 1;
  std::array<int, 2> cells_{1, 1};
  std::vector<int> begin_, members_;  ///< soundings of each cell
};

}  // namespace karman::waves
