// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_terrain.hpp"

#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/plausibility.hpp"
#include <karman/io/config.hpp>
#include <karman/io/raster.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace karman::wind {
namespace {

class TerrainReader {
 public:
  TerrainReader(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems)
      : input_(input), grid_(grid), problems_(problems), file_(file_of_case(input, "/terrain/file")) {}

  Terrain read() {
    origin_ = input_.get<std::array<double, 2>>("/terrain/origin");
    std::size_t const last = static_cast<std::size_t>(grid_.nx()) * static_cast<std::size_t>(grid_.ny()) - 1;
    RasterWindow const window{in_file(center(0)), in_file(center(last))};
    Raster const raster = read_raster(file_, {.window = window});
    if (!covers_domain(raster)) return {};
    std::vector<double> heights = heights_of(raster);
    if (heights.empty()) return {};
    flatten_sides(grid_, input_.get<double>("/terrain/halo"), heights);
    if (!set_level(heights)) return {};
    Terrain terrain(grid_, std::move(heights));
    double const top = grid_.z_face(grid_.nz());
    if (terrain.highest() > grid_.z_center(grid_.nz() - 1)) {
      refuse("/file", "no air above the terrain: it rises to " + number(terrain.highest()) + " m" +
                          place_of(terrain.heights(), terrain.highest()) + ", the domain top is at " + number(top) +
                          " m; extend /domain/layers to at least " +
                          number(terrain.lowest() + least_lid_over_hills * (terrain.highest() - terrain.lowest())) +
                          " m");
      return {};
    }
    return terrain;
  }

 private:
  void refuse(std::string const& key, std::string const& why) {
    problems_.push_back(input_.problem("/terrain" + key, why));
  }

  std::string name() const { return file_.filename().string(); }

  /// Centre of a column in the coordinates of the case.
  std::array<double, 2> center(std::size_t column) const {
    std::size_t const nx = static_cast<std::size_t>(grid_.nx());
    return {grid_.origin()[0] + (static_cast<double>(column % nx) + 0.5) * grid_.dx(),
            grid_.origin()[1] + (static_cast<double>(column / nx) + 0.5) * grid_.dy()};
  }

  std::array<double, 2> in_file(std::array<double, 2> const& position) const {
    return {position[0] + origin_[0], position[1] + origin_[1]};
  }

  /// " at x = 12, y = 40 m", in the coordinates of the case.
  std::string at(std::size_t column) const {
    auto const [x, y] = center(column);
    return " at x = " + number(x) + ", y = " + number(y) + " m";
  }

  std::string place_of(std::span<double const> heights, double value) const {
    return at(static_cast<std::size_t>(std::find(heights.begin(), heights.end(), value) - heights.begin()));
  }

  bool covers_domain(Raster const& raster) {
    double const cell = std::min(grid_.dx(), grid_.dy());
    auto const end = raster.end();
    bool const could_be_degrees = raster.corner[0] >= -180 && end[0] <= 180 && raster.corner[1] >= -90 && end[1] <= 90;
    if (could_be_degrees && std::max(end[0] - raster.corner[0], end[1] - raster.corner[1]) < cell) {
      refuse("/file", "expected positions in metres: all of " + name() + " lies within " +
                          number(std::max(end[0] - raster.corner[0], end[1] - raster.corner[1])) +
                          " m, less than a cell; project it from degrees to metres");
      return false;
    }
    constexpr std::array<char const*, 2> axes{"x", "y"};
    std::array const counts{grid_.nx(), grid_.ny()};
    std::array const spacing{grid_.dx(), grid_.dy()};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double const first = grid_.origin()[axis] + 0.5 * spacing[axis];
      double const last = grid_.origin()[axis] + (counts[axis] - 0.5) * spacing[axis];
      double const low = raster.corner[axis] - origin_[axis];
      double const high = end[axis] - origin_[axis];
      double const slack = 1e-9 * (high - low);
      if (first >= low - slack && last <= high + slack) continue;
      refuse("/file", "expected heights in the whole domain, " + std::string(axes[axis]) + " from " + number(first) +
                          " to " + number(last) + " m; " + name() + " covers " + number(low) + " to " + number(high) +
                          " m there; change /terrain/origin or the file");
      return false;
    }
    return true;
  }

  std::vector<double> heights_of(Raster const& raster) {
    std::size_t const columns = static_cast<std::size_t>(grid_.nx()) * static_cast<std::size_t>(grid_.ny());
    std::vector<double> heights(columns);
    std::size_t missing = 0;
    std::size_t first_missing = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      auto const [x, y] = center(column);
      // Inside of the raster up to round-off, as covers_domain() found.
      auto const inside = [&](double position, std::size_t axis) {
        return std::clamp(position + origin_[axis], raster.corner[axis], raster.end()[axis]);
      };
      heights[column] = raster.at(inside(x, 0), inside(y, 1));
      if (std::isfinite(heights[column])) continue;
      if (missing++ == 0) first_missing = column;
    }
    if (missing == 0) return heights;
    refuse("/file", "expected heights in the whole domain; " + name() + " has none in " + std::to_string(missing) +
                        " of " + std::to_string(columns) + " columns, the first" + at(first_missing) +
                        "; fill the gaps of the file");
    return {};
  }

  bool set_level(std::vector<double>& heights) {
    auto const lowest = std::min_element(heights.begin(), heights.end());
    nlohmann::json const& given = input_.json().at("terrain").at("level");
    double const level = given.is_number() ? given.get<double>() : *lowest;
    if (*lowest < level) {
      refuse("/level", "expected at most the lowest height of the terrain, " + number(*lowest) + " m" +
                           at(static_cast<std::size_t>(lowest - heights.begin())));
      return false;
    }
    for (double& height : heights) height -= level;
    return true;
  }

  Case const& input_;
  UniformGrid const& grid_;
  std::vector<CaseProblem>& problems_;
  std::filesystem::path file_;
  std::array<double, 2> origin_{0, 0};
};

}  // namespace

Terrain read_terrain(Case const& input, UniformGrid const& grid, std::vector<CaseProblem>& problems) {
  if (!input.has("/terrain")) return {};
  return TerrainReader(input, grid, problems).read();
}

}  // namespace karman::wind
