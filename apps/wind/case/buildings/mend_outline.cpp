// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mend_outline.hpp"

#include "plan_geometry.hpp"
#include "wall_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace karman::wind {
namespace {

/// Two corners at one position, with others between them on both sides.
std::optional<std::pair<std::size_t, std::size_t>> repeated_corner(Ring const& ring) {
  std::vector<std::size_t> order(ring.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return ring[a] != ring[b] ? ring[a] < ring[b] : a < b; });
  for (std::size_t n = 0; n + 1 < order.size(); ++n) {
    if (ring[order[n]] == ring[order[n + 1]]) return std::pair{order[n], order[n + 1]};
  }
  return std::nullopt;
}

/// The two loops of a ring that passes through `at` after corner `first` and again after corner `second`.
std::pair<Ring, Ring> loops(Ring const& ring, std::size_t first, std::size_t second, Point const& at) {
  auto const corner = [&](std::size_t n) { return ring.begin() + static_cast<std::ptrdiff_t>(n); };
  Ring inner(corner(first + 1), corner(second + 1)), outer(ring.begin(), corner(first + 1));
  inner.push_back(at);
  outer.push_back(at);
  outer.insert(outer.end(), corner(second + 1), ring.end());
  return {std::move(inner), std::move(outer)};
}

std::vector<Wall> closed_walls(Ring const& ring) {
  std::vector<Wall> walls;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    Point const& end = ring[(n + 1) % ring.size()];
    walls.push_back({ring[n][0], ring[n][1], end[0], end[1]});
  }
  return walls;
}

}  // namespace

DividedOutline divided_at_crossings(Ring const& outline) {
  constexpr double least_part = 1e-6;
  std::vector<Ring> open{outline}, parts;
  for (int crossings = 0; !open.empty();) {
    Ring const ring = without_repeats(std::move(open.back()));
    open.pop_back();
    if (!has_area(ring)) continue;
    std::optional<std::pair<Ring, Ring>> halves;
    if (auto const pair = find_crossing_walls(closed_walls(ring))) {
      halves = loops(ring, std::min(pair->first, pair->second), std::max(pair->first, pair->second), pair->at);
    } else if (auto const twice = repeated_corner(ring)) {
      halves = loops(ring, twice->first, twice->second, ring[twice->first]);
    }
    if (halves) {
      if (++crossings > most_crossings) return {{}, true};
      open.push_back(std::move(halves->first));
      open.push_back(std::move(halves->second));
    } else if (footprint_fault(ring, {}, {0, 0}).empty()) {
      parts.push_back(ring);
    } else {
      return {};
    }
  }
  auto const size = [](Ring const& ring) { return std::abs(signed_area(ring)); };
  std::stable_sort(parts.begin(), parts.end(), [&](Ring const& a, Ring const& b) { return size(a) > size(b); });
  if (parts.empty()) return {};
  double const least = least_part * size(parts.front());
  std::erase_if(parts, [&](Ring const& part) { return size(part) < least; });
  return {std::move(parts), false};
}

std::size_t fitting_holes(Ring const& outline, std::vector<Ring>& holes) {
  constexpr std::size_t most_trials = 1000;
  std::vector<Ring> kept, dropped;
  for (std::size_t n = 0; n < holes.size(); ++n) {
    kept.push_back(std::move(holes[n]));
    if (n < most_trials && footprint_fault(outline, kept, {0, 0}).empty()) continue;
    dropped.push_back(std::move(kept.back()));
    kept.pop_back();
  }
  std::size_t const count = kept.size();
  holes = std::move(kept);
  std::move(dropped.begin(), dropped.end(), std::back_inserter(holes));
  return count;
}

bool are_plain(Ring const& outer, std::vector<Ring> const& holes) {
  constexpr double farthest = 1e9;  // metres, as footprint_fault() has it
  auto const is_plain = [](Ring const& ring) {
    return has_area(ring) && std::all_of(ring.begin(), ring.end(), [](Point const& corner) {
             return std::abs(corner[0]) <= farthest && std::abs(corner[1]) <= farthest;
           });
  };
  return is_plain(outer) && std::all_of(holes.begin(), holes.end(), is_plain);
}

}  // namespace karman::wind
