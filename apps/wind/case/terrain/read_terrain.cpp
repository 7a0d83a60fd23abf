// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_terrain.hpp"

#include "common/case/texts.hpp"
#include "raster_gaps.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/case_number.hpp"
#include "wind/case/place/city_layers.hpp"
#include "wind/case/plausibility.hpp"
#include <karman/io/config.hpp>
#include <karman/io/map_system.hpp>
#include <karman/io/raster.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace karman::wind {
namespace {

class TerrainReader {
 public:
  TerrainReader(Case const& input, UniformGrid const& grid, DomainPlace& place, std::vector<CaseProblem>& problems,
                std::vector<std::string>& warnings)
      : input_(input),
        grid_(grid),
        place_(place),
        problems_(problems),
        warnings_(warnings),
        file_(file_of_case(input, "/terrain/file")) {}

  Terrain read() {
    origin_ = input_.get<std::array<double, 2>>("/terrain/origin");
    if (place_.given && origin_ != Point{0, 0}) {
      refuse("/origin", "expected none with /domain/crs, in whose coordinates /domain/origin is");
      return {};
    }
    if (!set_system()) return {};
    Raster raster = read_raster(file_, {.window = window(), .any_system = transform_.has_value()});
    if (!covers_domain(raster)) return {};
    take_system_of(raster);
    gaps_ = remove_impossible_heights(raster);
    if (input_.get<std::string>("/terrain/gaps") == "fill") {
      if (std::size_t const filled = fill_gaps(raster); filled > 0)
        warnings_.push_back(name() + ": " + std::to_string(filled) + (filled == 1 ? " cell" : " cells") +
                            " without a height filled from around");
    }
    std::vector<double> heights = heights_of(raster);
    if (heights.empty()) return {};
    flatten_sides(grid_, input_.get<double>("/terrain/halo"), heights);
    if (!set_level(heights)) return {};
    Terrain terrain(grid_, std::move(heights));
    terrain.set_level(level_);
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

  /// Sets the way from the coordinates of the case to the file; false with a problem.
  bool set_system() {
    if (!place_.given) return true;
    std::string const system = raster_system(file_);
    if (system.empty()) {
      warnings_.push_back(name() + " names no coordinate system: its positions count as positions in /domain/crs");
      return true;
    }
    if (system == place_.system) return true;
    try {
      transform_.emplace(place_.system, system);
    } catch (std::runtime_error const& error) {
      refuse("/file", name() + ": " + error.what());
      return false;
    }
    return true;
  }

  /// The domain takes the system of the file, with the position (0, 0) at /terrain/origin.
  void take_system_of(Raster const& raster) {
    if (!place_.empty() || !built_with_proj() || raster.system.empty()) return;
    try {
      MapSystem const map = describe_map_system(raster.system);
      if (map.degrees || map.metres_per_unit != 1) return;
      bool const same = origin_ == std::array<double, 2>{0, 0};
      place_.system = same ? raster.system : shifted_system(raster.system, origin_);
    } catch (std::runtime_error const& error) {
      warnings_.push_back(name() + ": " + error.what());
    }
  }

  /// Box in the file around the centres of all columns. A transformed box is bent: the outermost columns bound it.
  RasterWindow window() const {
    std::size_t const nx = static_cast<std::size_t>(grid_.nx()), ny = static_cast<std::size_t>(grid_.ny());
    if (!transform_) return {in_file(center(0)), in_file(center(nx * ny - 1))};
    PlanBounds box;
    for (std::size_t i = 0; i < nx; ++i) {
      for (std::size_t const j : {std::size_t{0}, ny - 1}) box.include(in_file(center(j * nx + i)));
    }
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t const i : {std::size_t{0}, nx - 1}) box.include(in_file(center(j * nx + i)));
    }
    return {box.low, box.high};
  }

  std::string name() const { return file_.filename().string(); }

  /// Centre of a column in the coordinates of the case.
  std::array<double, 2> center(std::size_t column) const {
    std::size_t const nx = static_cast<std::size_t>(grid_.nx());
    return {grid_.origin()[0] + (static_cast<double>(column % nx) + 0.5) * grid_.dx(),
            grid_.origin()[1] + (static_cast<double>(column / nx) + 0.5) * grid_.dy()};
  }

  std::array<double, 2> in_file(std::array<double, 2> const& position) const {
    std::array<double, 2> const shifted{position[0] + origin_[0], position[1] + origin_[1]};
    return transform_ ? (*transform_)(shifted) : shifted;
  }

  /// " at x = 12, y = 40 m", in the coordinates of the case.
  std::string at(std::size_t column) const {
    auto const [x, y] = center(column);
    // Six digits would cut the metres of coordinates of maps.
    return app::formatted(" at x = %.9g, y = %.9g m", x, y);
  }

  std::string place_of(std::span<double const> heights, double value) const {
    return at(static_cast<std::size_t>(std::find(heights.begin(), heights.end(), value) - heights.begin()));
  }

  bool covers_domain(Raster const& raster) {
    if (transform_) return true;  // columns outside have no height
    double const cell = std::min(grid_.dx(), grid_.dy());
    auto const end = raster.end();
    bool const could_be_degrees = raster.corner[0] >= -180 && end[0] <= 180 && raster.corner[1] >= -90 && end[1] <= 90;
    if (could_be_degrees && std::max(end[0] - raster.corner[0], end[1] - raster.corner[1]) < cell) {
      refuse("/file", "expected positions in metres: all of " + name() + " lies within " +
                          number(std::max(end[0] - raster.corner[0], end[1] - raster.corner[1])) +
                          " m, less than a cell; project it from degrees to metres");
      return false;
    }
    std::array const counts{grid_.nx(), grid_.ny()};
    std::array const spacing{grid_.dx(), grid_.dy()};
    std::array<double, 2> first{}, last{}, low{}, high{};
    bool covered = true;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      first[axis] = grid_.origin()[axis] + 0.5 * spacing[axis];
      last[axis] = grid_.origin()[axis] + (counts[axis] - 0.5) * spacing[axis];
      low[axis] = raster.corner[axis] - origin_[axis];
      high[axis] = end[axis] - origin_[axis];
      double const slack = 1e-9 * (high[axis] - low[axis]);
      covered = covered && first[axis] >= low[axis] - slack && last[axis] <= high[axis] + slack;
    }
    if (covered) return true;
    auto const box = [](std::array<double, 2> const& from, std::array<double, 2> const& to) {
      return app::formatted("x from %.9g to %.9g and y from %.9g to %.9g m", from[0], to[0], from[1], to[1]);
    };
    refuse("/file", "expected heights in the whole domain, " + box(first, last) + "; " + name() + " covers " +
                        box(low, high) + " there; change /terrain/origin or the file");
    return false;
  }

  std::vector<double> heights_of(Raster const& raster) {
    std::size_t const columns = static_cast<std::size_t>(grid_.nx()) * static_cast<std::size_t>(grid_.ny());
    std::vector<double> heights(columns);
    std::size_t missing = 0;
    std::size_t first_missing = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      auto const [x, y] = center(column);
      // Inside of the raster up to round-off, as covers_domain() found.
      std::array<double, 2> const place = in_file({x, y});
      auto const inside = [&](std::size_t axis) {
        return transform_ ? place[axis] : std::clamp(place[axis], raster.corner[axis], raster.end()[axis]);
      };
      heights[column] = raster.at(inside(0), inside(1));
      if (std::isfinite(heights[column])) continue;
      if (missing++ == 0) first_missing = column;
    }
    if (missing == 0) return heights;
    refuse("/file", "expected heights in the whole domain; " + name() + " has none in " + std::to_string(missing) +
                        " of " + std::to_string(columns) + " columns, the first" + at(first_missing) +
                        undeclared_gaps() + transformed_box() +
                        "; give \"gaps\": \"fill\" in /terrain, or another file");
    return {};
  }

  /// Box of a file in another system, in the coordinates of the domain.
  std::string transformed_box() const {
    if (!transform_) return {};
    Raster const whole = raster_outline(file_);
    MapTransform const back(whole.system, place_.system);
    PlanBounds box;
    for (double const x : {whole.corner[0], whole.end()[0]}) {
      for (double const y : {whole.corner[1], whole.end()[1]}) {
        auto const [px, py] = back({x, y});
        box.include({px - origin_[0], py - origin_[1]});
      }
    }
    if (box.empty()) return {};
    return app::formatted("; it covers x from %.9g to %.9g and y from %.9g to %.9g m there", box.low[0], box.high[0],
                          box.low[1], box.high[1]);
  }

  std::string undeclared_gaps() const {
    if (gaps_.count == 0) return {};
    std::string result = "; " + number(gaps_.value);
    if (transform_) {
      result += app::formatted(" at (%.9g, %.9g) of the file", gaps_.place[0], gaps_.place[1]);
    } else {
      result += app::formatted(" at x = %.9g, y = %.9g m", gaps_.place[0] - origin_[0], gaps_.place[1] - origin_[1]);
    }
    if (gaps_.count > 1) result += " (and " + std::to_string(gaps_.count - 1) + " more)";
    return result + " looks like a gap that the file does not declare";
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
    level_ = level;
    return true;
  }

  Case const& input_;
  UniformGrid const& grid_;
  DomainPlace& place_;
  std::vector<CaseProblem>& problems_;
  std::vector<std::string>& warnings_;
  std::filesystem::path file_;
  std::optional<MapTransform> transform_;  ///< from the coordinates of the case to a file in another system
  RasterGaps gaps_;
  double level_ = 0;  ///< height in the file of z = 0
  std::array<double, 2> origin_{0, 0};
};

}  // namespace

Terrain read_terrain(Case const& input, UniformGrid const& grid, DomainPlace& place, std::vector<CaseProblem>& problems,
                     std::vector<std::string>& warnings) {
  if (!input.has("/terrain")) return {};
  return TerrainReader(input, grid, place, problems, warnings).read();
}

}  // namespace karman::wind
