// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check_buildings.hpp"

#include "common/case/texts.hpp"
#include "inside_building.hpp"
#include "overlapping_pairs.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/plausibility.hpp"
#include "wind/case/wind/rising_line.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace karman::wind {
namespace {

/// True for a polygon with a cell centre inside, by the walls that each row of centres meets.
bool polygon_holds_a_center(Building const& building, BuildingInterior const& test, UniformGrid const& grid) {
  RisingLine line(building.footprint.walls());
  std::vector<double> x;
  int const first =
      std::max(0, static_cast<int>(std::floor((building.y - building.half_extents()[1]) / grid.dy())) - 1);
  for (int j = first; j < grid.ny(); ++j) {
    double const y = (j + 0.5) * grid.dy();
    if (y > building.y + building.half_extents()[1] + grid.dy()) return false;
    // Centres on a wall count as inside, also on one along the row.
    for (double const aside : {-test.slack, 0.0, test.slack}) {
      line.positions_at(y - building.y + aside, x);
      for (std::size_t n = 0; n + 1 < x.size(); n += 2) {
        double const from = (building.x + x[n] - test.slack) / grid.dx(),
                     to = (building.x + x[n + 1] + test.slack) / grid.dx();
        int const low = std::max(0, static_cast<int>(std::ceil(std::max(from - 0.5, -1.0))));
        int const high = static_cast<int>(std::floor(std::min(to - 0.5, grid.nx() - 1.0)));
        for (int const i : {low + (high - low) / 2, low, high}) {
          if (i >= low && i <= high && test.holds_point((i + 0.5) * grid.dx(), y)) return true;
        }
      }
    }
  }
  return false;
}

/// The reason why no cell of the grid becomes solid, with the change that helps.
std::string too_small(Building const& building, UniformGrid const& grid) {
  auto const plan = [](double x, double y) { return number(x) + " x " + number(y) + " m"; };
  BuildingInterior const test = interior_of(building);
  for (int k = 0; k < grid.nz(); ++k) {
    if (!test.holds_height(grid.z_center(k))) continue;
    std::string const cell = plan(grid.dx(), grid.dy());
    std::string const size = '(' + plan(building.length, building.width) + ") ";
    bool const smaller = std::max(building.length, building.width) < std::min(grid.dx(), grid.dy());
    return size + (smaller ? "is smaller than a cell (" + cell + ')' : "contains no cell centre (cells " + cell + ')') +
           "; refine /domain/spacing";
  }
  return '(' + number(building.height) +
         " m high) contains no layer centre; refine /domain/layers at z = " + number(building.base) + " to " +
         number(building.top()) + " m";
}

}  // namespace

bool holds_a_cell_center(Building const& building, UniformGrid const& grid) {
  BuildingInterior const test = interior_of(building);
  bool layer = false;
  for (int k = 0; k < grid.nz() && !layer; ++k) layer = test.holds_height(grid.z_center(k));
  if (!layer) return false;
  if (!building.is_rectangle()) return polygon_holds_a_center(building, test, grid);
  auto const [ex, ey] = building.half_extents();
  auto const first = [](double from, double spacing) {
    return std::max(0, static_cast<int>(std::floor(from / spacing)) - 1);
  };
  int const i_end = std::min(grid.nx(), first(building.x + ex, grid.dx()) + 3);
  int const j_end = std::min(grid.ny(), first(building.y + ey, grid.dy()) + 3);
  for (int j = first(building.y - ey, grid.dy()); j < j_end; ++j) {
    for (int i = first(building.x - ex, grid.dx()); i < i_end; ++i) {
      if (test.holds_point((i + 0.5) * grid.dx(), (j + 0.5) * grid.dy())) return true;
    }
  }
  return false;
}

std::string outside(Building const& building, UniformGrid const& grid) {
  double const lx = grid.nx() * grid.dx();
  double const ly = grid.ny() * grid.dy();
  double const top = grid.z_face(grid.nz());
  auto const& origin = grid.origin();
  double const slack = 1e-9;
  auto const [ex, ey] = building.half_extents();
  if (building.x - ex < -slack * lx || building.x + ex > (1 + slack) * lx || building.y - ey < -slack * ly ||
      building.y + ey > (1 + slack) * ly) {
    // Six digits would cut the metres of coordinates of maps.
    return app::formatted("reaches outside the domain (x %.9g to %.9g, y %.9g to %.9g m); move it or extend /domain",
                          origin[0], origin[0] + lx, origin[1], origin[1] + ly);
  }
  if (building.top() > (1 + slack) * top) {
    return "is " + number(building.top()) + " m high, above the domain top at " + number(top) +
           " m; extend /domain/layers";
  }
  return {};
}

void check_air_above(std::vector<Building> const& buildings, UniformGrid const& grid, Case const& input,
                     std::vector<CaseProblem>& problems) {
  if (buildings.empty()) return;
  Building const& highest = *std::max_element(buildings.begin(), buildings.end(),
                                              [](Building const& a, Building const& b) { return a.top() < b.top(); });
  if (!interior_of(highest).holds_height(grid.z_center(grid.nz() - 1))) return;
  problems.push_back(input.problem(entry_pointer(highest.entry),
                                   "no air above the building: the roof of " + called(highest, input) + " is at " +
                                       number(highest.top()) + " m, the domain top at " +
                                       number(grid.z_face(grid.nz())) + " m; extend /domain/layers to at least " +
                                       number(least_lid * highest.top()) + " m"));
}

void check_buildings(std::vector<Building> const& buildings, UniformGrid const& grid, Case const& input,
                     std::vector<CaseProblem>& problems) {
  std::optional<std::size_t> wrong_entry;  // one line per entry of the list is enough
  for (Building const& building : buildings) {
    if (building.entry == wrong_entry) continue;
    std::size_t const before = problems.size();
    std::string const pointer = entry_pointer(building.entry);
    if (std::string const why = outside(building, grid); !why.empty()) {
      problems.push_back(input.problem(pointer, called(building, input) + ' ' + why));
    } else if (building.is_solid() && !holds_a_cell_center(building, grid)) {
      problems.push_back(input.problem(pointer, called(building, input) + ' ' + too_small(building, grid)));
    }
    if (problems.size() > before) wrong_entry = building.entry;
  }
  for (auto const& [a, b] : overlapping_pairs(buildings, CaseError::max_reported)) {
    Building const& first = buildings[a];
    Building const& second = buildings[b];
    problems.push_back(input.problem(entry_pointer(second.entry), called(second, input) + " overlaps " +
                                                                      called(first, input) + "; move one of them"));
  }
}

}  // namespace karman::wind
