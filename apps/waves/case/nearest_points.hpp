// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The points of a set that are nearest to a place.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace karman::waves {

/// One point of a set with its distance from a place. Ordered by distance; at equal distance by number.
struct Neighbor {
  double square = 0;  ///< of the distance; the largest finite double where it overflows
  int number = 0;     ///< of the point

  bool operator<(Neighbor const& other) const {
    return square != other.square ? square < other.square : number < other.number;
  }
};

/// Searches a fixed set of points through the k-d tree of nanoflann. Cost: n log n steps for n points, 28 bytes per
/// point and the nodes of the tree. A search takes about log n steps near the points. Far from points that all lie on
/// one curve it takes up to n steps.
class NearestPoints {
 public:
  /// Each search finds `count` points. Needs at least one point; all coordinates finite. Keeps a copy of the points.
  /// Only the `count` lowest numbers of a place are searched, so that repeated points cost no time.
  NearestPoints(std::span<std::array<double, 2> const> points, std::size_t count);
  NearestPoints(NearestPoints&&) noexcept;
  ~NearestPoints();

  /// The nearest `count` points in ascending order; all points where the set has fewer. The result equals that of
  /// sorting all points, ties included.
  std::vector<Neighbor> operator()(std::array<double, 2> const& place) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace karman::waves
