// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "surface_heights.hpp"

#include "common/case/texts.hpp"
#include "read_buildings.hpp"
#include "wind/case/case_file.hpp"
#include "wind/case/place/placed_raster.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/io/config.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace karman::wind {
namespace {

/// Map from the surface model to the ground near a building. Over a footprint a change of map system is linear.
class LinearMap {
 public:
  /// Through three points and their images.
  LinearMap(std::array<Point, 3> const& from, std::array<Point, 3> const& to) : from_(from[0]), to_(to[0]) {
    auto const way = [](Point const& a, Point const& b) { return Point{b[0] - a[0], b[1] - a[1]}; };
    Point const f1 = way(from[0], from[1]), f2 = way(from[0], from[2]);
    Point const t1 = way(to[0], to[1]), t2 = way(to[0], to[2]);
    double const area = f1[0] * f2[1] - f1[1] * f2[0];
    for (std::size_t axis = 0; axis < 2; ++axis) {
      along_x_[axis] = (t1[axis] * f2[1] - t2[axis] * f1[1]) / area;
      along_y_[axis] = (t2[axis] * f1[0] - t1[axis] * f2[0]) / area;
    }
  }

  Point operator()(double x, double y) const {
    double const dx = x - from_[0], dy = y - from_[1];
    return {to_[0] + along_x_[0] * dx + along_y_[0] * dy, to_[1] + along_x_[1] * dx + along_y_[1] * dy};
  }

 private:
  Point from_, to_;
  Point along_x_{}, along_y_{};
};

/// Rings of a footprint in the surface model, one after the other.
struct Outline {
  std::vector<Point> corners;
  std::vector<std::size_t> ends;  ///< of the rings
};

class SurfaceReader {
 public:
  SurfaceReader(Case const& input, std::size_t entry, UniformGrid const& grid, DomainPlace const& place,
                std::vector<Building>& buildings, std::size_t first)
      : input_(input),
        at_(entry_pointer(entry)),
        corner_{grid.origin()[0], grid.origin()[1]},
        buildings_(buildings),
        first_(first),
        map_is_given_(place.given),
        share_(input.get<double>(at_ + "/heights/percentile") / 100),
        surface_(file_of_case(input, at_ + "/heights/raster"), origin_of_surface(input, at_, place), place),
        ground_(ground_file(), origin_of_ground(place), place) {
    if (input.has(at_ + "/default_height")) default_ = input.get<double>(at_ + "/default_height");
  }

  void read(std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) {
    std::vector<Place> places;
    for (std::size_t n = first_; n < buildings_.size(); ++n) places.push_back(place_of(n));
    // From south to north, so that a part of the raster serves many.
    std::sort(places.begin(), places.end(), [](Place const& a, Place const& b) {
      return std::pair(a.box.low[1], a.building) < std::pair(b.box.low[1], b.building);
    });
    // The terrain has this remark from its own reader.
    for (PlacedRaster const* raster : {&surface_, &ground_}) {
      if (!raster->lacks_system() || (raster == &ground_ && !has_own_ground())) continue;
      warnings.push_back(raster->name() + " names no coordinate system: its positions count as positions in " +
                         (map_is_given_ ? "/domain/crs" : "the coordinates of the case"));
    }
    for (std::size_t begin = 0; begin < places.size();) begin = read_part(places, begin);
    report(problems, warnings);
    std::size_t next = first_;
    auto const begin = buildings_.begin() + static_cast<std::ptrdiff_t>(first_);
    buildings_.erase(
        std::remove_if(begin, buildings_.end(), [&](Building const&) { return left_out_[next++ - first_]; }),
        buildings_.end());
  }

 private:
  /// A building and its box in the surface model.
  struct Place {
    std::size_t building = 0;
    PlanBounds box;
  };

  static std::optional<Point> given(Case const& input, std::string const& key) {
    return input.has(key) ? std::optional(input.get<Point>(key)) : std::nullopt;
  }

  /// Files of metres and their raster mostly have the same coordinates.
  static std::optional<Point> origin_of_surface(Case const& input, std::string const& at, DomainPlace const& place) {
    if (auto const origin = given(input, at + "/heights/origin")) return origin;
    if (!place.empty()) return std::nullopt;
    return input.get<std::string>(at + "/coordinates") == "metres" ? given(input, at + "/origin") : std::nullopt;
  }

  bool has_own_ground() const { return input_.has(at_ + "/heights/ground"); }
  std::filesystem::path ground_file() const {
    return file_of_case(input_, has_own_ground() ? at_ + "/heights/ground" : "/terrain/file");
  }
  std::optional<Point> origin_of_ground(DomainPlace const& place) const {
    return has_own_ground() ? origin_of_surface(input_, at_, place) : given(input_, "/terrain/origin");
  }

  std::string file() const { return file_of_case(input_, at_ + "/file").filename().string(); }

  Point in_case(double x, double y) const { return {x + corner_[0], y + corner_[1]}; }

  Place place_of(std::size_t n) const {
    Building const& b = buildings_[n];
    auto const [ex, ey] = b.half_extents();
    Place place;
    place.building = n;
    for (double const x : {b.x - ex, b.x + ex})
      for (double const y : {b.y - ey, b.y + ey}) place.box.include(surface_.in_file(in_case(x, y)));
    return place;
  }

  /// Reads the part of the surface around as many buildings as it may hold, and their heights.
  /// \return the building after them
  std::size_t read_part(std::vector<Place> const& places, std::size_t begin) {
    constexpr double most_cells = 1 << 22;
    auto const [dx, dy] = surface_.spacing();
    PlanBounds box = places[begin].box;
    std::size_t end = begin + 1;
    for (; end < places.size(); ++end) {
      PlanBounds wider = box;
      wider.include(places[end].box.low);
      wider.include(places[end].box.high);
      double const cells = (wider.high[0] - wider.low[0]) / dx * ((wider.high[1] - wider.low[1]) / dy);
      if (cells > most_cells) break;
      box = wider;
    }
    Raster const* const surface = surface_.part(box);
    Raster const* ground = nullptr;
    if (surface != nullptr) {
      PlanBounds under;
      for (std::size_t n = begin; n < end; ++n) include_ground(places[n], under);
      ground = ground_.part(under);
    }
    left_out_.resize(buildings_.size() - first_, false);
    for (std::size_t n = begin; n < end; ++n) take(buildings_[places[n].building], surface, ground);
    return end;
  }

  /// The three points of a building for the map between the rasters.
  std::array<Point, 3> points_of(Building const& b) const {
    double const size = std::max(b.length, b.width);
    return {in_case(b.x, b.y), in_case(b.x + size, b.y), in_case(b.x, b.y + size)};
  }

  LinearMap to_ground(Building const& b) const {
    std::array<Point, 3> from = points_of(b), to = from;
    for (Point& point : from) point = surface_.in_file(point);
    for (Point& point : to) point = ground_.in_file(point);
    return {from, to};
  }

  void include_ground(Place const& place, PlanBounds& under) const {
    LinearMap const map = to_ground(buildings_[place.building]);
    for (double const x : {place.box.low[0], place.box.high[0]})
      for (double const y : {place.box.low[1], place.box.high[1]}) under.include(map(x, y));
  }

  void take(Building& building, Raster const* surface, Raster const* ground) {
    values_.clear();
    std::size_t const gaps_before = gaps_;
    if (surface != nullptr) collect(building, *surface, ground);
    bool const has_cell = !values_.empty() || gaps_ > gaps_before;
    double height = 0;
    if (!values_.empty()) {
      auto const rank = static_cast<std::ptrdiff_t>(share_ * static_cast<double>(values_.size() - 1) + 0.5);
      std::nth_element(values_.begin(), values_.begin() + rank, values_.end());
      height = values_[static_cast<std::size_t>(rank)] - building.base;
      if (height > 0) {
        building.height = height;
        return;
      }
    }
    if (failed_++ == 0) {
      first_failed_ = building.member;
      first_fault_ = !values_.empty() ? app::formatted(" has %.3g m", height)
                     : has_cell       ? " has gaps only"
                                      : " has no cell";
    }
    if (!values_.empty()) ++low_;
    else if (has_cell) ++only_gaps_;
    if (default_) building.height = *default_;
    else left_out_[static_cast<std::size_t>(&building - buildings_.data()) - first_] = true;
  }

  Outline outline_of(Building const& building) const {
    Outline outline;
    auto const add = [&](Ring const& ring) {
      for (auto const& [x, y] : ring) outline.corners.push_back(surface_.in_file(in_case(x, y)));
      outline.ends.push_back(outline.corners.size());
    };
    add(building.corners());
    for (Ring const& hole : building.holes()) add(hole);
    return outline;
  }

  /// Heights of all cells with their centre inside, by the crossings of the walls with each row of centres.
  void collect(Building const& building, Raster const& surface, Raster const* ground) {
    Outline const outline = outline_of(building);
    LinearMap const map = to_ground(building);
    double low = 1e300, high = -1e300;
    for (Point const& corner : outline.corners) {
      low = std::min(low, corner[1]);
      high = std::max(high, corner[1]);
    }
    auto const cell = [&](double position, std::size_t axis, int count) {
      double const place = (position - surface.corner[axis]) / surface.spacing[axis] - 0.5;
      return static_cast<int>(std::clamp(std::ceil(place), 0.0, static_cast<double>(count)));
    };
    // Rows and columns with low <= centre < high.
    for (int j = cell(low, 1, surface.rows); j < cell(high, 1, surface.rows); ++j) {
      double const y = surface.corner[1] + (j + 0.5) * surface.spacing[1];
      cross(outline, y);
      for (std::size_t n = 0; n + 1 < crossings_.size(); n += 2) {
        int const end = cell(crossings_[n + 1], 0, surface.columns);
        for (int i = cell(crossings_[n], 0, surface.columns); i < end; ++i) {
          double const x = surface.corner[0] + (i + 0.5) * surface.spacing[0];
          auto const [gx, gy] = map(x, y);
          double const top = surface.values[static_cast<std::size_t>(j) * static_cast<std::size_t>(surface.columns) +
                                            static_cast<std::size_t>(i)];
          double const difference = ground != nullptr ? top - ground->at(gx, gy) : std::nan("");
          ++cells_;
          if (std::isfinite(difference)) values_.push_back(difference);
          else ++gaps_;
        }
      }
    }
  }

  /// Sorted x of the walls at a height y. Upper ends are excluded, so that a line through a corner counts it once.
  void cross(Outline const& outline, double y) {
    crossings_.clear();
    std::size_t start = 0;
    for (std::size_t const end : outline.ends) {
      for (std::size_t n = start; n < end; ++n) {
        Point const& a = outline.corners[n];
        Point const& b = outline.corners[n + 1 < end ? n + 1 : start];
        if ((a[1] > y) != (b[1] > y)) crossings_.push_back(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
      }
      start = end;
    }
    std::sort(crossings_.begin(), crossings_.end());
  }

  void report(std::vector<CaseProblem>& problems, std::vector<std::string>& warnings) const {
    std::size_t const count = buildings_.size() - first_;
    std::string const rasters = surface_.name() + " and " + ground_.name();
    if (gaps_ > 0) {
      warnings.push_back(file() + ": " + std::to_string(gaps_) + " of " + std::to_string(cells_) + " cells of " +
                         surface_.name() + " in buildings are gaps there or in " + ground_.name());
    }
    if (failed_ == 0) return;
    std::string const parts = std::to_string(failed_ - low_ - only_gaps_) + " with no cell centre inside, " +
                              std::to_string(only_gaps_) + " with gaps only, " + std::to_string(low_) +
                              " not above the ground";
    bool const is_error = !default_ && input_.get<std::string>(at_ + "/small") == "error";
    if (is_error || (!default_ && failed_ == count)) {
      std::string why = "expected a height in " + rasters + " for " + (is_error ? "every building" : "some building") +
                        "; feature " + std::to_string(first_failed_) + " of " + file() + first_fault_;
      if (failed_ > 1) why += "; of " + std::to_string(failed_) + " buildings " + parts;
      why += "; " + reach_of(surface_) + "; " + reach_of(ground_) + "; give default_height, or another raster";
      problems.push_back(input_.problem(at_ + "/heights/raster", why));
      return;
    }
    warnings.push_back(file() + ": " + std::to_string(failed_) + (failed_ == 1 ? " building" : " buildings") +
                       " without a height in " + rasters + (default_ ? " got default_height" : " left out") + ": " +
                       parts);
  }

  static std::string reach_of(PlacedRaster const& raster) {
    PlanBounds const box = raster.box();
    return raster.name() + (raster.lacks_system() ? ", which names no coordinate system," : "") +
           app::formatted(" reaches from (%.9g, %.9g) to (%.9g, %.9g)", box.low[0], box.low[1], box.high[0],
                          box.high[1]);
  }

  Case const& input_;
  std::string at_;
  Point corner_;  ///< of the domain
  std::vector<Building>& buildings_;
  std::size_t first_;
  bool map_is_given_;
  double share_;
  PlacedRaster surface_;
  PlacedRaster ground_;
  std::optional<double> default_;
  std::vector<bool> left_out_;  ///< of the buildings from `first_` on
  std::vector<double> values_;  ///< of one building
  std::vector<double> crossings_;
  std::size_t cells_ = 0, gaps_ = 0;
  std::size_t failed_ = 0, low_ = 0, only_gaps_ = 0;
  std::size_t first_failed_ = 0;
  std::string first_fault_;
};

}  // namespace

bool has_surface_heights(Case const& input, std::size_t entry) { return input.has(entry_pointer(entry) + "/heights"); }

void take_surface_heights(Case const& input, std::size_t entry, UniformGrid const& grid, DomainPlace const& place,
                          std::size_t first, std::vector<Building>& buildings, std::vector<CaseProblem>& problems,
                          std::vector<std::string>& warnings) {
  if (!has_surface_heights(input, entry)) return;
  std::string const at = entry_pointer(entry);
  std::size_t const before = problems.size();
  auto const refuse = [&](std::string const& key, std::string const& why) {
    problems.push_back(input.problem(at + key, why));
  };
  for (char const* key : {"/height", "/levels"})
    if (input.has(at + key)) refuse(key, "expected this or " + at + "/heights, found both");
  if (input.get<std::string>(at + "/heights_from") == "sea")
    refuse("/heights_from", "expected \"ground\" with " + at + "/heights, which are less the ground");
  if (!input.has(at + "/heights/ground") && !input.has("/terrain"))
    refuse("/heights/ground", "missing, expected the raster of the bare ground, or a /terrain");
  if (place.given && input.has(at + "/heights/origin"))
    refuse("/heights/origin", "expected none with /domain/crs, in whose coordinates /domain/origin is");
  auto const drop_all = [&] {
    buildings.erase(buildings.begin() + static_cast<std::ptrdiff_t>(first), buildings.end());
  };
  if (problems.size() > before) drop_all();
  if (buildings.size() == first) return;
  std::optional<SurfaceReader> reader;
  try {
    reader.emplace(input, entry, grid, place, buildings, first);
  } catch (CaseError const&) {
    throw;
  } catch (FileError const&) {
    throw;
  } catch (std::runtime_error const& error) {
    refuse("/heights/raster", error.what());
    drop_all();
    return;
  }
  reader->read(problems, warnings);
}

}  // namespace karman::wind
