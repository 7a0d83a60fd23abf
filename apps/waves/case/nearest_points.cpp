// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only translation unit that includes nanoflann.
#include "nearest_points.hpp"

#include <karman/core/error.hpp>

#include <nanoflann.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace karman::waves {
namespace {

struct NumberedPoint {
  std::array<double, 2> place{};
  int number = 0;

  bool operator<(NumberedPoint const& other) const {
    return place != other.place ? place < other.place : number < other.number;
  }
};

/// The points of the tree, in the form that nanoflann requires.
struct HeldPoints {
  std::vector<NumberedPoint> all;

  std::size_t kdtree_get_point_count() const { return all.size(); }
  double kdtree_get_pt(std::size_t held, std::size_t axis) const { return all[held].place[axis]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// Squared distance in the plane, limited to finite numbers: a search never finds an infinite one.
struct PlaneMetric {
  using ElementType = double;
  using DistanceType = double;

  explicit PlaneMetric(HeldPoints const& points) : held(points) {}
  double evalMetric(double const* place, std::uint32_t point, std::size_t) const {
    double const dx = place[0] - held.kdtree_get_pt(point, 0), dy = place[1] - held.kdtree_get_pt(point, 1);
    return std::min(dx * dx + dy * dy, std::numeric_limits<double>::max());
  }
  double accum_dist(double a, double b, std::size_t) const { return (a - b) * (a - b); }

  HeldPoints const& held;
};

/// Receives points from a search and keeps the nearest.
class Nearest {
 public:
  using DistanceType = double;

  Nearest(HeldPoints const& held, std::size_t count) : held_(held), count_(count) { found_.reserve(count); }
  std::size_t size() const { return found_.size(); }
  bool empty() const { return found_.empty(); }
  bool full() const { return found_.size() == count_; }
  void sort() {}  // they are sorted already
  bool addPoint(double square, std::uint32_t point) {
    Neighbor const candidate{square, held_.all[point].number};
    if (full()) {
      if (!(candidate < found_.back())) return true;
      found_.pop_back();
    }
    found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate), candidate);
    return true;
  }
  /// Larger than the distance of the farthest point. A point at equal distance may have a lower number, and the bounds
  /// of the search have rounding errors.
  double worstDist() const {
    constexpr double slack = 1e-12;
    return full() ? (1 + slack) * found_.back().square + std::numeric_limits<double>::min()
                  : std::numeric_limits<double>::infinity();
  }
  std::vector<Neighbor> take() { return std::move(found_); }

 private:
  HeldPoints const& held_;
  std::size_t count_;
  std::vector<Neighbor> found_;
};

/// Sorted points without repetitions: per place at most `most`, those with the lowest numbers.
HeldPoints without_repetitions(std::span<std::array<double, 2> const> points, std::size_t most) {
  std::vector<NumberedPoint> sorted;
  sorted.reserve(points.size());
  for (auto const& place : points) sorted.push_back({place, static_cast<int>(sorted.size())});
  std::sort(sorted.begin(), sorted.end());
  std::size_t kept = 0;
  for (NumberedPoint const& point : sorted) {
    if (kept < most || sorted[kept - most].place != point.place) sorted[kept++] = point;
  }
  sorted.resize(kept);
  return {std::move(sorted)};
}

}  // namespace

struct NearestPoints::Tree {
  Tree(std::span<std::array<double, 2> const> points, std::size_t wanted)
      : count(wanted), held(without_repetitions(points, wanted)), index(2, held) {}

  std::size_t count;
  HeldPoints held;
  nanoflann::KDTreeSingleIndexAdaptor<PlaneMetric, HeldPoints, 2> index;
};

NearestPoints::NearestPoints(std::span<std::array<double, 2> const> points, std::size_t count) {
  require(!points.empty() && count > 0, "NearestPoints: needs at least one point, and a count of at least one");
  tree_ = std::make_unique<Tree>(points, count);
}

NearestPoints::NearestPoints(NearestPoints&&) noexcept = default;
NearestPoints::~NearestPoints() = default;

std::vector<Neighbor> NearestPoints::operator()(std::array<double, 2> const& place) const {
  Nearest found(tree_->held, tree_->count);
  tree_->index.radiusSearchCustomCallback(place.data(), found);
  return found.take();
}

}  // namespace karman::waves
