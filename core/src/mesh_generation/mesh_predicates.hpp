// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Geometric predicates with the results of exact arithmetic: side of a line, inside or outside of a circle.
#pragma once

#include <array>

namespace karman::detail {

using PlanePoint = std::array<double, 2>;

/// The square of the distance.
inline double distance2(PlanePoint const& a, PlanePoint const& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/// Twice the area of the triangle a b c, with the right sign: positive when it is anticlockwise, zero only when the
/// points are collinear. Exact as long as no product of differences leaves the range of doubles: coordinates whose
/// differences lie between 1e-70 and 1e70.
///
/// Uses floating point when an error bound allows, else expansions: sums of doubles that do not overlap (Priest 1991,
/// Shewchuk 1997).
double orientation(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c);

/// Positive when d lies inside the circle through a, b, c (anticlockwise), zero only when it lies on it. Exactness as
/// above.
double in_circle(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c, PlanePoint const& d);

}  // namespace karman::detail
