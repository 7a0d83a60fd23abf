// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wall_faces.hpp"

#include "wind/case/wind/angles.hpp"
#include "zones.hpp"

#include <algorithm>
#include <cmath>

namespace karman::wind {
namespace {

/// Allows for round-off in angles at their limit.
constexpr double slack = 1e-12;

bool across_the_wind(WallFace const& wall, double largest_angle) {
  return -wall.normal[0] >= direction_cosines(largest_angle)[0] - slack;
}

bool along_the_wind(WallFace const& wall, double largest_angle) {
  return std::abs(wall.normal[0]) <= direction_cosines(90 - largest_angle)[0] + slack;
}

WallFace wall_between(std::array<double, 2> const& start, std::array<double, 2> const& end) {
  WallFace wall{start, end, {}, {}, 0};
  double const dx = end[0] - start[0];
  double const dy = end[1] - start[1];
  wall.length = std::hypot(dx, dy);
  if (!(wall.length > 0)) return wall;
  wall.tangent = {dx / wall.length, dy / wall.length};
  wall.normal = {wall.tangent[1], -wall.tangent[0]};
  return wall;
}

/// True if `next` continues straight where `wall` ends. Corners in the middle of a wall are common in maps of cities.
bool goes_on_straight(WallFace const& wall, WallFace const& next) {
  constexpr double largest_turn = 1e-6;
  double const turn = wall.tangent[0] * next.tangent[1] - wall.tangent[1] * next.tangent[0];
  double const along = wall.tangent[0] * next.tangent[0] + wall.tangent[1] * next.tangent[1];
  return std::abs(turn) <= largest_turn && along > 0;
}

/// Runs of chosen walls that follow each other. Each becomes one straight wall from its first to its last corner. The
/// nose of a round building is such a run.
template <class Chosen>
std::vector<WallFace> straight_runs(std::vector<WallFace> const& walls, Chosen const& is_chosen) {
  std::vector<WallFace> runs;
  for (std::size_t first = 0; first < walls.size(); ++first) {
    std::size_t const before = (first + walls.size() - 1) % walls.size();
    if (!is_chosen(walls[first]) || is_chosen(walls[before])) continue;
    std::size_t last = first;
    while (is_chosen(walls[(last + 1) % walls.size()])) last = (last + 1) % walls.size();
    runs.push_back(last == first ? walls[first] : wall_between(walls[first].start, walls[last].end));
  }
  return runs;
}

FrontalFace frontal_face(WallFace const& wall) {
  FrontalFace face;
  face.x = 0.5 * (wall.start[0] + wall.end[0]);
  face.y = 0.5 * (wall.start[1] + wall.end[1]);
  face.slope = wall.slope();
  face.half_width = 0.5 * (wall.highest_y() - wall.lowest_y());
  face.normal_x = -wall.normal[0];
  face.normal_y = -wall.normal[1];
  return face;
}

/// Walls closer to the direction of the wind than this (0.006 degrees) bound no canyon.
constexpr double least_cosine = 1e-4;

}  // namespace

std::vector<WallFace> wall_faces(Building const& building, std::array<double, 2> const& heading) {
  auto const corners = building.corners();
  auto const wind_aligned = [&](std::size_t corner) {
    auto const& [x, y] = corners[corner % corners.size()];
    return std::array{x * heading[0] + y * heading[1], y * heading[0] - x * heading[1]};
  };
  std::vector<WallFace> walls;
  for (std::size_t c = 0; c < corners.size(); ++c) {
    WallFace const wall = wall_between(wind_aligned(c), wind_aligned(c + 1));
    if (!(wall.length > 0)) continue;
    if (!walls.empty() && goes_on_straight(walls.back(), wall)) {
      walls.back() = wall_between(walls.back().start, wall.end);
    } else {
      walls.push_back(wall);
    }
  }
  if (walls.size() > 1 && goes_on_straight(walls.back(), walls.front())) {
    walls.front() = wall_between(walls.back().start, walls.front().end);
    walls.pop_back();
  }
  return walls;
}

std::vector<FrontalFace> frontal_faces(std::vector<WallFace> const& walls, double height,
                                       Parameterisations const& settings) {
  std::vector<FrontalFace> faces;
  if (settings.upwind_cavity) {
    double const coefficient = settings.upwind_length.value_or(settings.upwind_model == UpwindModel::roeckle ? 2 : 1.5);
    bool const by_width = settings.upwind_model == UpwindModel::hmvp;
    auto const is_frontal = [&](WallFace const& wall) { return across_the_wind(wall, settings.upwind_angle); };
    for (WallFace const& run : straight_runs(walls, is_frontal)) {
      FrontalFace face = frontal_face(run);
      double const width = 2 * face.half_width;
      face.cavity_length = upwind_cavity_length(coefficient, width, height);
      face.cavity_height = upwind_cavity_height * height;
      face.inner_height = upwind_cavity_height * (by_width ? std::min(width, height) : height);
      faces.push_back(face);
    }
  }
  if (settings.rooftop != RooftopModel::vortex) return faces;
  // The wind meets the edge of the roof at each wall itself.
  for (WallFace const& wall : walls) {
    if (!across_the_wind(wall, settings.rooftop_angle)) continue;
    FrontalFace face = frontal_face(wall);
    face.rooftop_vortex = true;
    faces.push_back(face);
  }
  return faces;
}

std::vector<SideWall> side_walls(std::vector<WallFace> const& walls, double scale, Parameterisations const& settings) {
  std::vector<SideWall> zones;
  for (std::size_t w = 0; w < walls.size(); ++w) {
    WallFace const& wall = walls[w];
    if (!along_the_wind(wall, settings.sidewall_angle)) continue;
    // Counter-clockwise, the wall before the left one and the wall after the right one meet it at its upwind edge.
    bool const left = wall.normal[1] > 0;
    WallFace const& front = walls[(w + (left ? 1 : walls.size() - 1)) % walls.size()];
    if (!across_the_wind(front, settings.sidewall_angle)) continue;
    double const with_wind = left ? -1 : 1;
    SideWall zone;
    zone.x = left ? wall.end[0] : wall.start[0];
    zone.y = left ? wall.end[1] : wall.start[1];
    zone.tangent_x = with_wind * wall.tangent[0];
    zone.tangent_y = with_wind * wall.tangent[1];
    zone.normal_x = wall.normal[0];
    zone.normal_y = wall.normal[1];
    zone.length = wall.length;
    zone.vortex_length = settings.sidewall_length * scale;
    zone.vortex_width = settings.sidewall_width * scale;
    zones.push_back(zone);
  }
  return zones;
}

std::optional<StreetCanyon> canyon_between(WallFace const& lee, WallFace const& downwind, double most_width,
                                           Parameterisations const& settings) {
  if (lee.normal[0] < least_cosine || downwind.normal[0] > -least_cosine) return std::nullopt;
  double const cosine = -(lee.normal[0] * downwind.normal[0] + lee.normal[1] * downwind.normal[1]);
  if (cosine < direction_cosines(settings.canyon_angle)[0] - slack) return std::nullopt;
  // Round-off must not decide about lines along the very ends of a wall.
  double const margin = 1e-9 * std::max(lee.length, downwind.length);
  StreetCanyon canyon;
  canyon.right = std::max(lee.lowest_y(), downwind.lowest_y()) + margin;
  canyon.left = std::min(lee.highest_y(), downwind.highest_y()) - margin;
  if (canyon.right >= canyon.left) return std::nullopt;
  double const width_right = downwind.x_at(canyon.right) - lee.x_at(canyon.right);
  double const width_left = downwind.x_at(canyon.left) - lee.x_at(canyon.left);
  if (std::max(width_right, width_left) <= 0 || std::min(width_right, width_left) >= most_width) return std::nullopt;
  canyon.lee_x = lee.start[0];
  canyon.lee_y = lee.start[1];
  canyon.lee_slope = lee.slope();
  canyon.downwind_x = downwind.start[0];
  canyon.downwind_y = downwind.start[1];
  canyon.downwind_slope = downwind.slope();
  canyon.most_width = most_width;
  canyon.normal_x = -downwind.normal[0];
  canyon.normal_y = -downwind.normal[1];
  return canyon;
}

}  // namespace karman::wind
