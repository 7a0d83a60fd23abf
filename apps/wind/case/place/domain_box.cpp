// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_box.hpp"

#include "common/case/texts.hpp"
#include "placed_raster.hpp"
#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace karman::wind {
namespace {

/// Subtracts the ground from roofs that count from the sea: the lowest height of the terrain at the corners and the
/// middle of each building. Its columns are unknown yet. Ground outside of the file counts as 0: read_terrain() reports
/// a domain beyond it.
void lower_to_ground(std::vector<Building>& buildings, UniformGrid const& grid, Case const& input,
                     DomainPlace const& place) {
  std::set<std::size_t> entries;
  for (Building const& building : buildings) {
    std::string const key = entry_pointer(building.entry) + "/heights_from";
    if (input.has(key) && input.get<std::string>(key) == "sea") entries.insert(building.entry);
  }
  if (entries.empty() || !input.has("/terrain")) return;  // subtract_ground() reports the missing terrain
  std::optional<PlacedRaster> opened;
  try {
    opened.emplace(file_of_case(input, "/terrain/file"), input.get<Point>("/terrain/origin"), place);
  } catch (CaseError const&) {
    throw;
  } catch (FileError const&) {
    throw;
  } catch (std::runtime_error const& error) {
    throw input.error("/terrain/file", error.what());
  }
  PlacedRaster& terrain = *opened;
  auto const points_of = [&](Building const& building) {
    Ring points = building.corners();
    points.push_back({building.x, building.y});
    for (Point& point : points) point = terrain.in_file({point[0] + grid.origin()[0], point[1] + grid.origin()[1]});
    return points;
  };
  PlanBounds box;
  for (Building const& building : buildings)
    if (entries.contains(building.entry))
      for (Point const& point : points_of(building)) box.include(point);
  Raster const* const raster = terrain.part(box);
  if (raster == nullptr) return;
  for (Building& building : buildings) {
    if (!entries.contains(building.entry)) continue;
    double lowest = 1e300;
    for (auto const& [x, y] : points_of(building))
      if (double const height = raster->at(x, y); std::isfinite(height)) lowest = std::min(lowest, height);
    if (lowest < 1e300) building.height -= lowest;
  }
}

/// Extent of a building in plan, in the coordinates of the case.
struct Extent {
  Building const* building;
  Point low, high;
};

/// The largest group of extents: between two groups is an empty strip along x or y that is wider than `gap`.
std::vector<Extent> largest_group(std::vector<Extent> group, double gap) {
  // A cut along one axis may open a strip along the other.
  for (std::size_t axis = 0, uncut = 0; uncut < 2; axis = 1 - axis) {
    std::sort(group.begin(), group.end(), [&](Extent const& a, Extent const& b) { return a.low[axis] < b.low[axis]; });
    std::size_t first = 0, best_first = 0, best_end = 0;
    double reach = -std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n <= group.size(); ++n) {
      bool const ends = n == group.size() || (n > first && group[n].low[axis] - reach > gap);
      if (ends && n - first > best_end - best_first) {
        best_first = first;
        best_end = n;
      }
      if (n == group.size()) break;
      if (ends) first = n;
      reach = std::max(reach, group[n].high[axis]);
    }
    uncut = best_end - best_first == group.size() ? uncut + 1 : 0;
    group.erase(group.begin() + static_cast<std::ptrdiff_t>(best_end), group.end());
    group.erase(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(best_first));
  }
  return group;
}

double highest_roof(std::vector<Extent> const& extents) {
  double highest = 0;
  for (Extent const& extent : extents) highest = std::max(highest, extent.building->top());
  return highest;
}

/// Whole cells around the extents with a margin.
DomainBox box_around(std::vector<Extent> const& extents, double margin, Case const& input) {
  PlanBounds box;
  for (Extent const& extent : extents) {
    box.include(extent.low);
    box.include(extent.high);
  }
  auto const spacing = input.get<std::array<double, 2>>("/domain/spacing");
  constexpr double most_cells_along = 32768;
  auto const farthest = [&](std::size_t axis) {
    auto const middle = [axis](Extent const& extent) { return 0.5 * (extent.low[axis] + extent.high[axis]); };
    std::vector<double> middles;
    for (Extent const& extent : extents) middles.push_back(middle(extent));
    auto const median = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
    std::nth_element(middles.begin(), median, middles.end());
    auto const apart = [&](Extent const& extent) { return std::abs(middle(extent) - *median); };
    return *std::max_element(extents.begin(), extents.end(),
                             [&](Extent const& a, Extent const& b) { return apart(a) < apart(b); });
  };
  DomainBox result;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double const first = std::floor((box.low[axis] - margin) / spacing[axis]);
    double const count = std::ceil((box.high[axis] + margin) / spacing[axis]) - first;
    if (!(count <= most_cells_along)) {
      throw input.error("/domain/around", "expected at most " + number(most_cells_along) +
                                              " cells along an axis, found " + number(count) +
                                              " around the buildings, which cover " +
                                              number(box.high[axis] - box.low[axis]) + " m, the farthest " +
                                              called(*farthest(axis).building, input));
    }
    result.origin[axis] = first * spacing[axis];
    result.cells[axis] = static_cast<int>(count);
  }
  return result;
}

/// Text on few buildings that lie far from all others, with the domain of the others; empty without.
std::string far_buildings(std::vector<Building> const& buildings, std::vector<Extent> extents, double margin,
                          DomainBox const& whole, Case const& input) {
  std::vector<Extent> const others = largest_group(std::move(extents), 2 * margin);
  std::size_t const far = buildings.size() - others.size();
  constexpr std::size_t few = 10;  // one in so many
  if (far == 0 || far * few > others.size()) return {};
  std::vector<Building const*> kept;
  for (Extent const& extent : others) kept.push_back(extent.building);
  std::sort(kept.begin(), kept.end());
  auto const first = std::find_if(buildings.begin(), buildings.end(), [&](Building const& building) {
    return !std::binary_search(kept.begin(), kept.end(), &building);
  });
  DomainBox const box = box_around(others, input.get<double>("/domain/margin") * highest_roof(others), input);
  return app::formatted(
      "%s lie%s more than %.3g m from all others: the domain has %d x %d columns in place of %d x %d; leave %s out, or "
      "give \"origin\": [%.9g, %.9g] and \"cells\": [%d, %d] for \"around\", and \"outside\": \"skip\" of the file",
      (called(*first, input) + (far > 1 ? app::formatted(" (and %zu more)", far - 1) : std::string())).c_str(),
      far > 1 ? "" : "s", 2 * margin, whole.cells[0], whole.cells[1], box.cells[0], box.cells[1],
      far > 1 ? "them" : "it", box.origin[0], box.origin[1], box.cells[0], box.cells[1]);
}

}  // namespace

DomainBox box_around_buildings(Case const& input, std::vector<double> const& layers, CityLayers& files,
                               DomainPlace const& place) {
  // One cell that holds every position of a case.
  constexpr double widest = 4e8;
  UniformGrid const whole =
      UniformGrid::with_layers({1, 1}, {widest, widest}, layers, {-0.5 * widest, -0.5 * widest, 0});
  std::vector<CaseProblem> problems;
  std::vector<std::string> ignored;
  DomainPlace found = place;
  std::vector<Building> buildings = read_buildings(input, whole, BuildingUse::extents, files, found, problems, ignored);
  if (problems.empty() && buildings.empty())
    problems.push_back(input.problem("/domain/around", "expected buildings, found none"));
  if (!problems.empty()) throw CaseError(input.source(), problems);
  lower_to_ground(buildings, whole, input, found);
  std::vector<Extent> extents;
  extents.reserve(buildings.size());
  for (Building const& building : buildings) {
    auto const [ex, ey] = building.half_extents();
    double const x = building.x + whole.origin()[0], y = building.y + whole.origin()[1];
    extents.push_back({&building, {x - ex, y - ey}, {x + ex, y + ey}});
  }
  double const margin = input.get<double>("/domain/margin") * highest_roof(extents);
  DomainBox result = box_around(extents, margin, input);
  result.warning = far_buildings(buildings, std::move(extents), margin, result, input);
  return result;
}

}  // namespace karman::wind
