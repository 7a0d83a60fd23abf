// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mesh_predicates.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace karman::detail {
namespace {

/// A number as the exact sum of doubles that do not overlap, the smallest first, none of them zero.
class Expansion {
 public:
  void add(double value) {
    // Each component becomes the rounded part of the sum; the rounding error remains behind.
    std::size_t kept = 0;
    for (double const component : components_) {
      double const sum = value + component;
      double const of_component = sum - value;
      double const lost = (value - (sum - of_component)) + (component - of_component);
      value = sum;
      if (lost != 0) components_[kept++] = lost;
    }
    components_.resize(kept);
    if (value != 0) components_.push_back(value);
  }

  void add_product(double a, double b) {
    double const product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }

  static Expansion difference(double a, double b) {
    Expansion result;
    result.add(a);
    result.add(-b);
    return result;
  }

  friend Expansion operator*(Expansion const& a, Expansion const& b) {
    Expansion result;
    for (double const x : a.components_) {
      for (double const y : b.components_) result.add_product(x, y);
    }
    return result;
  }

  friend Expansion operator+(Expansion a, Expansion const& b) {
    for (double const y : b.components_) a.add(y);
    return a;
  }

  friend Expansion operator-(Expansion a, Expansion const& b) {
    for (double const y : b.components_) a.add(-y);
    return a;
  }

  /// The largest component: it has the sign of the whole, and nearly its magnitude.
  double estimate() const { return components_.empty() ? 0 : components_.back(); }

 private:
  std::vector<double> components_;
};

constexpr double half_ulp = 0x1p-53;
// Bounds of the rounding errors of the expressions below, relative to the same expressions with all signs positive.
// Three roundings for the first, ten for the second, plus the roundings of the bounds themselves.
constexpr double orientation_bound = (3 + 16 * half_ulp) * half_ulp;
constexpr double in_circle_bound = (10 + 96 * half_ulp) * half_ulp;

double exact_orientation(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c) {
  auto const difference = Expansion::difference;
  return (difference(a[0], c[0]) * difference(b[1], c[1]) - difference(a[1], c[1]) * difference(b[0], c[0])).estimate();
}

double exact_in_circle(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c, PlanePoint const& d) {
  auto const difference = Expansion::difference;
  Expansion const ax = difference(a[0], d[0]), ay = difference(a[1], d[1]);
  Expansion const bx = difference(b[0], d[0]), by = difference(b[1], d[1]);
  Expansion const cx = difference(c[0], d[0]), cy = difference(c[1], d[1]);
  return ((ax * ax + ay * ay) * (bx * cy - by * cx) + (bx * bx + by * by) * (cx * ay - cy * ax) +
          (cx * cx + cy * cy) * (ax * by - ay * bx))
      .estimate();
}

}  // namespace

double orientation(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c) {
  double const left = (a[0] - c[0]) * (b[1] - c[1]);
  double const right = (a[1] - c[1]) * (b[0] - c[0]);
  double const value = left - right;
  if (std::abs(value) > orientation_bound * (std::abs(left) + std::abs(right))) return value;
  return exact_orientation(a, b, c);
}

double in_circle(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c, PlanePoint const& d) {
  double const ax = a[0] - d[0], ay = a[1] - d[1];
  double const bx = b[0] - d[0], by = b[1] - d[1];
  double const cx = c[0] - d[0], cy = c[1] - d[1];
  double const a2 = ax * ax + ay * ay, b2 = bx * bx + by * by, c2 = cx * cx + cy * cy;
  double const value = a2 * (bx * cy - by * cx) + b2 * (cx * ay - cy * ax) + c2 * (ax * by - ay * bx);
  double const positive = a2 * (std::abs(bx * cy) + std::abs(by * cx)) + b2 * (std::abs(cx * ay) + std::abs(cy * ax)) +
                          c2 * (std::abs(ax * by) + std::abs(ay * bx));
  if (std::abs(value) > in_circle_bound * positive) return value;
  return exact_in_circle(a, b, c, d);
}

}  // namespace karman::detail
