// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "domain_box.hpp"

#include "wind/case/buildings/read_buildings.hpp"
#include "wind/case/case_number.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <cmath>

namespace karman::wind {

DomainBox box_around_buildings(Case const& input, std::vector<double> const& layers, CityLayers& files,
                               DomainPlace const& place) {
  // One cell that holds every position of a case.
  constexpr double widest = 4e8;
  UniformGrid const whole =
      UniformGrid::with_layers({1, 1}, {widest, widest}, layers, {-0.5 * widest, -0.5 * widest, 0});
  std::vector<CaseProblem> problems;
  std::vector<std::string> ignored;
  DomainPlace found = place;
  std::vector<Building> const buildings = read_buildings(input, whole, files, found, problems, ignored);
  if (problems.empty() && buildings.empty())
    problems.push_back(input.problem("/domain/around", "expected buildings, found none"));
  if (!problems.empty()) throw CaseError(input.source(), problems);
  PlanBounds box;
  double highest = 0;
  for (Building const& building : buildings) {
    auto const [ex, ey] = building.half_extents();
    double const x = building.x + whole.origin()[0], y = building.y + whole.origin()[1];
    box.include({x - ex, y - ey});
    box.include({x + ex, y + ey});
    highest = std::max(highest, building.top());
  }
  auto const spacing = input.get<std::array<double, 2>>("/domain/spacing");
  double const margin = input.get<double>("/domain/margin") * highest;
  constexpr double most_cells_along = 32768;
  DomainBox result;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    double const first = std::floor((box.low[axis] - margin) / spacing[axis]);
    double const count = std::ceil((box.high[axis] + margin) / spacing[axis]) - first;
    if (!(count <= most_cells_along)) {
      throw input.error("/domain/around", "expected at most " + number(most_cells_along) +
                                              " cells along an axis, found " + number(count) +
                                              " around the buildings, which cover " +
                                              number(box.high[axis] - box.low[axis]) + " m");
    }
    result.origin[axis] = first * spacing[axis];
    result.cells[axis] = static_cast<int>(count);
  }
  return result;
}

}  // namespace karman::wind
