// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Soundings: depths at scattered points, and the depth between them.
#pragma once

#include <karman/mesh/plane_box.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace karman::waves {

/// Soundings x, y, h, one per line, numbers separated by blanks, commas or semicolons. Lines that begin with # or % and
/// empty ones are skipped, and one heading (a first line with a letter before any digit). Throws CaseError (file, line,
/// requirement) and FileError.
struct Soundings {
  std::vector<std::array<double, 2>> points;
  std::vector<double> values;
};
Soundings read_soundings(std::filesystem::path const& file);

/// The value between soundings: the plane that fits the nearest twelve best, weighted with (1 - d/R)^2 / d^2 where R is
/// the distance of the thirteenth (Franke and Nielson, 1980, Int. J. Numer. Meth. Eng. 15), limited to the least and
/// largest of the twelve. Planes come out exactly; a sounding has its own value. Where the twelve lie on a line, their
/// weighted mean. Outside the convex hull of the soundings: the value of the nearest one.
/// Cost: n log n for n soundings, and a search in a k-d tree (Bentley, 1975) of log n steps per point, however the
/// soundings are spread.
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
    double square = 0;  ///< of the distance
    int number = 0;

    bool operator<(Neighbour const& other) const {
      return square != other.square ? square < other.square : number < other.number;
    }
  };
  static constexpr std::size_t most_neighbours = 13;
  /// Soundings first to last - 1 of `order_`, split at their middle along the longer side of their box.
  struct Node {
    PlaneBox box{};
    int first = 0, last = 0;
    int least = 0;              ///< of their numbers
    int left = -1, right = -1;  ///< none: a leaf
    /// Lower bound of the distance to the nearest of them.
    Neighbour bound(std::array<double, 2> const& point) const;
  };
  int build(int first, int last);
  /// Keeps the nearest soundings below a node in `found`, a heap with the farthest on top.
  void search(int node, std::array<double, 2> const& point, std::vector<Neighbour>& found) const;
  /// The nearest soundings, nearest first.
  std::vector<Neighbour> nearest(std::array<double, 2> const& point) const;
  bool inside(std::array<double, 2> const& point) const;

  Soundings soundings_;
  std::vector<std::array<double, 2>> lower_, upper_;  ///< sides of the convex hull, from west to east
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace karman::waves
