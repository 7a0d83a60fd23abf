// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "qes_project.hpp"

#include "foreign_wind.hpp"
#include "wind/case/case_number.hpp"
#include <karman/io/raster.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <numbers>

namespace karman::wind {
namespace {

std::vector<double> three(QesElement const& parent, char const* name, Range const& range) {
  QesElement const element = parent.needed({name});
  std::vector<double> const values = parent.numbers(name, range);
  if (values.size() != 3) refuse(element.place(), element.text(), "expected three numbers");
  return values;
}

/// Seconds since 1970 of "2020-01-01T00:00:00"; parts may have one digit, and seconds a fraction that is dropped.
std::optional<std::int64_t> seconds_of(std::string_view stamp) {
  constexpr std::string_view marks = "--T::";
  constexpr std::array<std::int64_t, 6> least{0, 1, 1, 0, 0, 0}, most{9999, 12, 31, 23, 59, 60};
  std::array<std::int64_t, 6> parts{};
  char const* at = stamp.data();
  char const* const end = at + stamp.size();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    auto const [after, error] = std::from_chars(at, end, parts[part]);
    if (error != std::errc() || parts[part] < least[part] || parts[part] > most[part]) return std::nullopt;
    at = after;
    if (part == marks.size()) break;
    if (at == end || (*at != marks[part] && !(marks[part] == 'T' && *at == ' '))) return std::nullopt;
    ++at;
  }
  if (at != end && *at != '.' && *at != 'Z') return std::nullopt;
  auto const [year, month, day, hour, minute, second] = parts;
  // Days of the civil calendar, with years that begin in March.
  std::int64_t const y = month <= 2 ? year - 1 : year;
  std::int64_t const m = month <= 2 ? month + 9 : month - 3;
  std::int64_t const days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

class QesReader {
 public:
  explicit QesReader(QesDocument const& document)
      : root_(document.root("QESWindsParameters", "simulationParameters")), file_(document.source()) {}

  CaseDraft read() {
    draft_.title = title_of("QES-Winds", std::filesystem::path(file_).stem().string());
    QesElement const simulation = root_.needed({"simulationParameters"});
    read_frame(simulation);
    read_domain(simulation);
    read_terrain(simulation);
    if (QesElement const buildings = root_.child({"buildingsParams", "buildings"}))
      read_qes_buildings(buildings, simulation, frame_, draft_);
    read_solver(simulation);
    if (QesElement const vegetation = root_.child({"vegetationParams", "canopies"}))
      read_qes_vegetation(vegetation, frame_, draft_);
    read_wind(simulation);
    remark_unused(root_,
                  {"simulationParameters", "buildingsParams", "buildings", "vegetationParams", "canopies", "metParams"},
                  {{"turbParams", "turbulence has no counterpart"},
                   {"localMixingParam", "mixing lengths have no counterpart"},
                   {"fires", "fire has no counterpart"},
                   {"hrrrInput", "winds of HRRR have no counterpart"},
                   {"fileOptions", ""}},
                  draft_.remarks);
    return std::move(draft_);
  }

 private:
  void read_frame(QesElement const& simulation) {
    auto const utm = [&](char const* name, char const* old_name) {
      QesElement const found = simulation.child({name, old_name});
      return found ? number_in(found.place(), found.text(), limits::coordinate) : 0;
    };
    frame_.utm = {utm("UTMx", "UTMX"), utm("UTMy", "UTMY")};
    constexpr Range halo{0, 1e6};
    frame_.halo = {simulation.number("halo_x", halo, 0), simulation.number("halo_y", halo, 0)};
    frame_.rotation = simulation.number("domainRotation", limits::turn, 0);
    if (frame_.rotation != 0) {
      draft_.remark(simulation.child({"domainRotation"}).place(),
                    "wind directions are turned into the domain, but no map; the program of QES-Winds leaves both");
    }
  }

  void read_domain(QesElement const& simulation) {
    std::vector<double> const cells = three(simulation, "domain", {1, limits::most_cells_of_side});
    std::vector<double> const sizes = three(simulation, "cellSize", limits::cell_size);
    for (double const count : cells) {
      if (count != std::floor(count))
        refuse(simulation.needed({"domain"}).place(), number(count), "expected whole numbers of cells");
    }
    DraftDomain& domain = draft_.domain;
    // The halo belongs to the domain; all positions of the file count from the corner inside of it.
    domain.origin = {0 - frame_.halo[0], 0 - frame_.halo[1]};
    domain.cells = {static_cast<int>(cells[0]), static_cast<int>(cells[1])};
    domain.spacing = {sizes[0], sizes[1]};
    int const layers = static_cast<int>(cells[2]);
    domain.layers = layers_of(layers, sizes[2]);
    thinnest_ = std::min({sizes[0], sizes[1], sizes[2]});
    if (simulation.integer("verticalStretching", 0, 1, 0) == 0) return;
    std::vector<double> heights = simulation.numbers("dz_value", limits::cell_size);
    QesElement const place = simulation.child({"dz_value", "verticalStretching"});
    if (heights.size() < cells[2]) {
      refuse(place.place(), std::to_string(heights.size()) + " values of <dz_value>",
             "expected one for each of " + std::to_string(layers) + " layers");
    }
    if (heights.size() > cells[2]) {
      draft_.remark(place.place(), std::to_string(heights.size()) + " layers for " + std::to_string(layers) +
                                       " cells: the upper ones are left out");
      heights.resize(static_cast<std::size_t>(layers));
    }
    thinnest_ = std::min({sizes[0], sizes[1], *std::min_element(heights.begin(), heights.end())});
    domain.layers = layers_of(heights);
  }

  void read_terrain(QesElement const& simulation) {
    QesElement const element = simulation.child({"DEM"});
    if (!element || element.text().empty()) return;
    frame_.has_terrain = true;
    std::filesystem::path const path = file_of_project(element.place(), element.text());
    Raster const raster = read_raster(path);
    bool const by_utm = simulation.integer("originFlag", 0, 1, 0) == 1;
    std::array<double, 2> const shift{simulation.number("DEMDistancex", limits::coordinate, 0),
                                      simulation.number("DEMDistancey", limits::coordinate, 0)};
    std::array<double, 2> origin = raster.corner;
    auto const end = raster.end();
    if (by_utm) {
      // As in the program: an origin beside the map means its corner.
      bool const inside = (frame_.utm[0] > raster.corner[0] || frame_.utm[1] > raster.corner[1]) &&
                          frame_.utm[0] < end[0] && frame_.utm[1] < end[1];
      if (inside) origin = frame_.utm;
    } else {
      origin = {raster.corner[0] + shift[0], raster.corner[1] + shift[1]};
    }
    cut_domain(raster, origin, element);
    draft_.terrain["file"] = path.string();
    draft_.terrain["origin"] = origin;
    // The program subtracts the lowest height, too.
    draft_.terrain["level"] = "lowest";
  }

  /// Karman needs heights in the whole domain; the program continues those at the border of the map.
  void cut_domain(Raster const& raster, std::array<double, 2> const& origin, QesElement const& element) {
    DraftDomain& domain = draft_.domain;
    std::array<int, 2> const all = domain.cells;
    constexpr double slack = 1e-6;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double const low = raster.corner[axis] - origin[axis], high = raster.end()[axis] - origin[axis];
      // The centres of the outermost columns must lie on the map.
      double const size = domain.spacing[axis];
      double const first = std::ceil((low - domain.origin[axis]) / size - 0.5 - slack);
      double const last = std::floor((high - domain.origin[axis]) / size - 0.5 + slack);
      double const from = std::max(first, 0.0), to = std::min(last, domain.cells[axis] - 1.0);
      constexpr double least_share = 0.1;  // a map of less has another unit or another place
      if (!(to - from + 1 >= least_share * all[axis])) {
        refuse(element.place(), element.text(),
               "expected heights in the domain; the map covers " + number(low) + " to " + number(high) + " m along " +
                   (axis == 0 ? "x" : "y") + ", the domain " + number(domain.origin[axis]) + " to " +
                   number(domain.end(axis)) + " m");
      }
      domain.origin[axis] += from * size;
      domain.cells[axis] = static_cast<int>(to - from) + 1;
    }
    if (domain.cells != all) {
      draft_.remark(element.place(), "the domain is cut to the map, from " + std::to_string(all[0]) + " x " +
                                         std::to_string(all[1]) + " to " + std::to_string(domain.cells[0]) + " x " +
                                         std::to_string(domain.cells[1]) +
                                         " cells; QES-Winds continues the heights at its border");
    }
  }

  void read_solver(QesElement const& simulation) {
    if (simulation.integer("meshTypeFlag", 0, 1, 0) == 1) draft_.solver["walls"] = "cut";
    ForeignFlag const law = simulation.flag("logLawFlag", 1, 0);
    if (law.value == 1) {
      double const roughness = draft_.parameterisations.value("wall_roughness", 0.1);
      if (roughness < 0.5 * thinnest_) draft_.parameterisations["wall_law"] = true;
      else draft_.remark(law.place, "left out: the wall law needs a roughness of walls below half of a cell");
    }
    constexpr std::string_view own_solver = "the solver of Karman has its own limits and tolerance";
    constexpr std::string_view own_coefficients = "coefficients from a file have no counterpart";
    constexpr std::string_view weather = "winds and terrain of WRF have no counterpart; sensors of the file are used";
    constexpr std::string_view old_diffusion = "diffusion of momentum has no counterpart";
    bool const reads = simulation.integer("readCoefficientsFlag", 0, 1, 0) == 1;
    remark_unused(simulation,
                  {"domain", "cellSize", "verticalStretching", "dz_value", "DEM", "halo_x", "halo_y", "UTMx", "UTMy",
                   "UTMX", "UTMY", "domainRotation", "originFlag", "DEMDistancex", "DEMDistancey", "meshTypeFlag",
                   "logLawFlag", "totalTimeIncrements"},
                  {{"rooftopFlag", ""},
                   {"upwindCavityFlag", ""},
                   {"streetCanyonFlag", ""},
                   {"streetIntersectionFlag", ""},
                   {"wakeFlag", ""},
                   {"highRiseFlag", ""},
                   {"sidewallFlag", ""},
                   {"maxIterations", own_solver},
                   {"tolerance", own_solver},
                   {"residualReduction", own_solver},
                   {"readCoefficientsFlag", reads ? own_coefficients : ""},
                   {"COEFF", reads ? own_coefficients : ""},
                   {"WRF", weather},
                   {"WRFSensorSample", ""},
                   {"WRFCoupling", ""},
                   {"UTMZone", ""},
                   {"UTMZoneLetter", ""},
                   {"UTCConversion", ""},
                   {"useDiffusion", simulation.integer("useDiffusion", 0, 1, 0) == 1 ? old_diffusion : ""}},
                  draft_.remarks);
  }

  void read_wind(QesElement const& simulation) {
    QesElement const weather = root_.needed({"metParams"});
    std::vector<ForeignSensor> sensors;
    for (QesElement const& element : weather.children({"sensor"})) sensors.push_back(read_sensor(element));
    for (QesElement const& element : weather.children({"sensorName"})) {
      QesDocument const& document = documents_.emplace_back(file_of_project(element.place(), element.text()));
      sensors.push_back(read_sensor(document.root("sensor", "site_coord_flag")));
      sensors.back().name = std::filesystem::path(document.source()).stem().string();
    }
    if (sensors.empty()) refuse(weather.place(), "", "expected <sensor> or <sensorName> inside");
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      if (sensors[s].name.empty()) sensors[s].name = "sensor " + std::to_string(s + 1);
    }
    ForeignFlag const roughness = weather.flag("z0_domain_flag", 1, 0);
    if (roughness.value == 1) {
      draft_.remark(roughness.place,
                    "roughness that changes over the domain has no counterpart: the sensors have their own");
    }
    remark_unused(weather, {"sensor", "sensorName", "z0_domain_flag"}, {}, draft_.remarks);
    int const times = simulation.integer("totalTimeIncrements", 0, std::numeric_limits<int>::max(), 0);
    put_wind(std::move(sensors), static_cast<std::size_t>(times), draft_);
  }

  ForeignSensor read_sensor(QesElement const& element) {
    ForeignSensor sensor;
    sensor.place = element.place();
    int const kind = element.integer("site_coord_flag", 1, 3, 1);
    if (kind == 2 && frame_.has_utm()) {
      double const x = element.number("site_UTM_x", limits::coordinate) - frame_.utm[0];
      double const y = element.number("site_UTM_y", limits::coordinate) - frame_.utm[1];
      double const angle = frame_.rotation * std::numbers::pi / 180;
      sensor.position = {x * std::cos(angle) - y * std::sin(angle), x * std::sin(angle) + y * std::cos(angle)};
    } else if (kind != 3 && element.child({"site_xcoord"}) && element.child({"site_ycoord"})) {
      sensor.position = {element.number("site_xcoord", limits::coordinate),
                         element.number("site_ycoord", limits::coordinate)};
    }
    for (QesElement const& series : element.children({"timeSeries"})) sensor.readings.push_back(read_reading(series));
    if (sensor.readings.empty()) refuse(element.place(), "", "expected <timeSeries> inside");
    remark_unused(element, {"site_coord_flag", "site_xcoord", "site_ycoord", "site_UTM_x", "site_UTM_y", "timeSeries"},
                  {{"site_UTM_zone", ""}, {"site_lon", ""}, {"site_lat", ""}}, draft_.remarks);
    return sensor;
  }

  ForeignReading read_reading(QesElement const& element) {
    BoundaryLayer layer;
    layer.kind = element.integer("boundaryLayerFlag", 0, most_boundary_layer, 1);
    layer.roughness = element.number("siteZ0", layer.kind == 2   ? limits::exponent
                                               : layer.kind == 0 ? limits::any_number
                                                                 : limits::roughness);
    layer.reciprocal = element.number("reciprocal", limits::reciprocal);
    layer.heights = element.numbers("height", limits::reading_height);
    layer.speeds = element.numbers("speed", limits::speed);
    layer.directions = element.numbers("direction", limits::direction);
    if (layer.kind == 3) {
      layer.canopy_height = element.number("canopyHeight", limits::canopy_height);
      layer.attenuation = element.number("attenuationCoefficient", limits::attenuation);
    }
    if (layer.heights.empty() || layer.speeds.size() != layer.heights.size() ||
        layer.directions.size() != layer.heights.size()) {
      refuse(element.place(),
             std::to_string(layer.heights.size()) + " heights, " + std::to_string(layer.speeds.size()) + " speeds, " +
                 std::to_string(layer.directions.size()) + " directions",
             "expected <height>, <speed> and <direction> of each point");
    }
    if (layer.kind != most_boundary_layer && layer.heights.size() > 1)
      draft_.remark(element.place(), "only the first height counts in this boundary layer, as in QES-Winds");
    ForeignReading reading;
    reading.place = element.place();
    reading.time = time_of(element);
    reading.profile = profile_of(layer, frame_.rotation, element.place());
    return reading;
  }

  static std::optional<std::int64_t> time_of(QesElement const& element) {
    if (QesElement const stamp = element.child({"timeStamp"})) {
      auto const seconds = seconds_of(stamp.text());
      if (!seconds) refuse(stamp.place(), stamp.text(), "expected a time such as 2020-01-31T23:00:00");
      return seconds;
    }
    QesElement const epoch = element.child({"timeEpoch"});
    if (!epoch) return std::nullopt;
    constexpr Range seconds{-1e12, 1e12};
    return static_cast<std::int64_t>(number_in(epoch.place(), epoch.text(), seconds));
  }

  QesElement root_;
  std::string file_;
  QesFrame frame_;
  CaseDraft draft_;
  std::deque<QesDocument> documents_;  ///< of the sensors
  double thinnest_ = 1;                ///< side of a cell, m
};

}  // namespace

CaseDraft read_qes_project(QesDocument const& document) { return QesReader(document).read(); }

std::array<double, 2> QesRectangle::center() const {
  double const angle = rotation * std::numbers::pi / 180;
  double const c = std::cos(angle), s = std::sin(angle);
  return {corner[0] + 0.5 * (along * c - across * s), corner[1] + 0.5 * (along * s + across * c)};
}

std::vector<std::array<double, 2>> qes_corners(QesElement const& element) {
  std::vector<double> const x = element.numbers("xVertex", limits::coordinate),
                            y = element.numbers("yVertex", limits::coordinate);
  if (x.size() != y.size() || x.size() < 3) {
    refuse(element.place(), std::to_string(x.size()) + " of <xVertex>, " + std::to_string(y.size()) + " of <yVertex>",
           "expected as many of both, at least three");
  }
  std::vector<std::array<double, 2>> corners(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) corners[n] = {x[n], y[n]};
  return corners;
}

}  // namespace karman::wind
