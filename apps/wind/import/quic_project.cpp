// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quic_project.hpp"

#include "case_limits.hpp"
#include "foreign_wind.hpp"
#include "qes_document.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/error.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace karman::wind {
namespace {

constexpr double seconds_per_hour = 3600;

/// Seconds since 1970, or hours of the day in older versions.
std::int64_t seconds_of(QuicLine const& line, bool in_hours) {
  double const time = line.number(limits::any_number);
  return static_cast<std::int64_t>(std::llround(in_hours ? time * seconds_per_hour : time));
}

class QuicReader {
 public:
  explicit QuicReader(std::filesystem::path const& simulation)
      : folder_(simulation.parent_path()), lines_(simulation) {}

  CaseDraft read() {
    std::error_code ignored;
    auto const whole = std::filesystem::absolute(folder_, ignored).lexically_normal();
    draft_.title = title_of("QUIC", (whole.has_filename() ? whole : whole.parent_path()).filename().string());
    version_ = lines_.version();
    read_grid();
    read_times();
    while (lines_.more()) read_option();
    QuicLines buildings = open("QU_buildings.inp");
    read_quic_buildings(buildings, methods_, draft_);
    if (!draft_.buildings.empty()) put_methods(methods_, draft_);
    read_weather();
    remark_files();
    return std::move(draft_);
  }

 private:
  QuicLines open(std::string const& name) const {
    ForeignPlace const place{lines_.source(), 0, ""};
    return QuicLines(file_of_project(place, name));
  }

  void read_grid() {
    DraftDomain& domain = draft_.domain;
    domain.cells[0] = lines_.next("nx").integer(1, limits::most_cells_of_side);
    domain.cells[1] = lines_.next("ny").integer(1, limits::most_cells_of_side);
    int const layers = lines_.next("nz").integer(1, limits::most_cells_of_side);
    domain.spacing[0] = lines_.next("dx").number(limits::cell_size);
    domain.spacing[1] = lines_.next("dy").number(limits::cell_size);
    QuicLine const next = lines_.peek("vertical stretching flag");
    if (!next.labelled("stretching") && next.labelled("dz")) {
      domain.layers = layers_of(layers, lines_.next("dz").number(limits::cell_size));
      return;
    }
    int const stretching = lines_.next("vertical stretching flag").integer(0, 4);
    if (stretching == 0) {
      domain.layers = layers_of(layers, lines_.next("dz").number(limits::cell_size));
      return;
    }
    if (stretching > 1) {
      lines_.next("surface dz");
      lines_.next("number of uniform surface cells");
    }
    lines_.next("head of the dz array");
    std::vector<double> thicknesses;
    for (int k = 0; k < layers; ++k) thicknesses.push_back(lines_.next("dz array").number(limits::cell_size));
    domain.layers = layers_of(thicknesses);
  }

  void read_times() {
    QuicLine const first = lines_.peek("total time increments");
    if (first.labelled("decimal start time")) {  // the oldest files: start, step and number
      constexpr Range hours{-1e6, 1e6};
      double const start = lines_.next("decimal start time").number(hours);
      double const step = lines_.next("time increment").number(hours);
      int const count = lines_.next("total time increments").integer(1, static_cast<int>(limits::most_times));
      for (int n = 0; n < count; ++n)
        times_.push_back(static_cast<std::int64_t>(std::llround((start + n * step) * seconds_per_hour)));
      return;
    }
    int const count = lines_.next("total time increments").integer(1, static_cast<int>(limits::most_times));
    if (lines_.peek("day of the year").labelled("day of the year")) lines_.next("day of the year");
    lines_.next("UTC conversion");
    bool const in_hours = lines_.next("head of the times").labelled("decimal hours");
    for (int n = 0; n < count; ++n) times_.push_back(seconds_of(lines_.next("time"), in_hours));
  }

  /// A line after the times. Lines differ between versions, so that the label decides.
  void read_option() {
    QuicLine line = lines_.next("option");
    line.place.name = trimmed(std::string_view(line.label).substr(0, line.label.find('(')));
    auto const remark_if = [&](bool condition, char const* text) {
      if (condition) draft_.remark(line.place, text);
    };
    if (line.labelled("rooftop flag")) methods_.rooftop = line.flag(most_rooftop);
    else if (line.labelled("upwind cavity flag")) methods_.upwind = line.flag(most_upwind);
    else if (line.labelled("street canyon flag")) methods_.canyon = line.flag(most_canyon);
    else if (line.labelled("street intersection flag")) methods_.intersection = line.flag(1);
    else if (line.labelled("tree wake flag")) tree_wake_ = line.integer(0, 1) == 1;
    else if (line.labelled("wake flag")) methods_.wake = line.flag(most_wake);
    else if (line.labelled("sidewall flag")) methods_.sidewall = line.flag(1);
    else if (line.labelled("canopy flag")) canopy_ = line.integer(0, 2);
    else if (line.labelled("use diffusion")) remark_if(line.integer(0, 1) == 1, "diffusion has no counterpart");
    else if (line.labelled("domain rotation")) rotation_ = line.number(limits::turn);
    else if (line.labelled("utmx")) has_utm_ = line.number(limits::any_number) != 0;
    else if (line.labelled("utmy"))
      remark_if(has_utm_ && line.number(limits::any_number) != 0,
                "directions count from +y of the grid; QUIC turns them by the convergence of the meridians, too");
    else if (line.labelled("quic-cfd"))
      remark_if(line.integer(0, 100) > 0, "QUIC-CFD has no counterpart: the wind is that of QUIC-URB");
    else if (line.labelled("explosive building damage"))
      remark_if(line.integer(0, 100) > 0, "damage of buildings has no counterpart");
    else if (line.labelled("maximum number of iterations") || line.labelled("residual reduction"))
      remark_if(true, "the solver of Karman has its own limits and tolerance");
    else if (line.labelled("omegarelax")) remark_if(true, "the solver of Karman has its own relaxation");
    else if (line.labelled("season flag") || line.labelled("number of diffusion iterations") ||
             line.labelled("utm zone") || line.labelled("building array flag")) {
      return;
    } else {
      refuse({line.place.file, line.place.line, ""}, line.label.empty() ? line.value : std::string_view(line.label),
             "expected the label of an option of QUIC, such as !wake flag");
    }
  }

  void read_weather() {
    QuicLines weather = open("QU_metparams.inp");
    double const own_version = weather.version();
    if (version_ == 0) version_ = own_version;
    QuicLine const kind = weather.next("met input flag");
    if (kind.integer(0, 100) != 0) {
      refuse(kind.place, kind.value, "expected 0, sensors of QUIC; winds of other models have no counterpart");
    }
    int const count = weather.next("number of measuring sites").integer(1, static_cast<int>(limits::most_sensors));
    weather.next("maximum size of profiles");
    std::vector<ForeignSensor> sensors;
    for (int n = 0; n < count; ++n) {
      QuicLine const name = weather.next("site name");
      weather.next("head of the file name");
      QuicLine const file = weather.next("file name");
      auto const words = words_of(file.value);
      std::string path(words.empty() ? std::string_view() : words.front());
      std::erase_if(path, [](char c) { return c == '"' || c == '\''; });
      QuicLines sensor(file_of_project(file.place, path));
      sensors.push_back(read_sensor(sensor));
      sensors.back().name = std::string(name.value);
    }
    put_wind(std::move(sensors), 0, draft_);
    if (!draft_.vegetation.empty()) {
      if (canopy_ == 0) draft_.parameterisations["vegetation"] = false;
      draft_.parameterisations["vegetation_wake"] = canopy_ != 1 && tree_wake_;
    }
  }

  ForeignSensor read_sensor(QuicLines& lines) const {
    ForeignSensor sensor;
    sensor.place = lines.next("site name").place;
    sensor.place.name = "";
    bool has_flag = version_ >= first_quic_with_elements || version_ == 0;
    QuicLine line = lines.next("site coordinate flag");
    if (line.labelled("upper level") || (line.label.empty() && has_flag)) {
      // Newer files begin with a flag and a height of an upper level.
      lines.next("upper level height");
      line = lines.next("site coordinate flag");
    }
    if (line.labelled("x coordinate")) has_flag = false;
    int const flag = has_flag ? line.integer(1, 3) : 1;
    double const x = (has_flag ? lines.next("x coordinate") : line).number(limits::any_number);
    double const y = lines.next("y coordinate").number(limits::any_number);
    sensor.position = {x, y};
    int const skipped = flag == 2 ? 4 : flag == 3 ? 2 : 0;
    for (int n = 0; n < skipped; ++n) lines.next("site coordinates");
    for (std::size_t n = 0; n < times_.size(); ++n) {
      ForeignReading reading = read_reading(lines);
      reading.time = times_[n];  // the program takes readings in order and ignores their times
      sensor.readings.push_back(std::move(reading));
    }
    return sensor;
  }

  ForeignReading read_reading(QuicLines& lines) const {
    ForeignReading reading;
    reading.place = lines.next("time").place;
    BoundaryLayer layer;
    layer.kind = lines.next("boundary layer flag").integer(1, most_boundary_layer);
    layer.roughness = lines.next(layer.kind == 2 ? "exponent" : "roughness")
                          .number(layer.kind == 2 ? limits::exponent : limits::roughness);
    int count = 1;
    if (layer.kind == 1 || layer.kind == 3)
      layer.reciprocal = lines.next("reciprocal Obukhov length").number(limits::reciprocal);
    if (layer.kind == 3) {
      layer.canopy_height = lines.next("canopy height").number(limits::canopy_height);
      layer.attenuation = lines.next("attenuation coefficient").number(limits::attenuation);
    }
    if (layer.kind == most_boundary_layer) count = lines.next("number of data points").integer(1, 10000);
    lines.next("head of the readings");
    for (int n = 0; n < count; ++n) {
      QuicLine const line = lines.next("height, speed and direction");
      auto const words = words_of(line.value);
      if (words.size() < 3) refuse(line.place, line.value, "expected a height, a speed and a direction");
      layer.heights.push_back(number_in(line.place, words[0], limits::reading_height));
      layer.speeds.push_back(number_in(line.place, words[1], limits::speed));
      layer.directions.push_back(number_in(line.place, words[2], limits::direction));
    }
    reading.profile = profile_of(layer, rotation_, reading.place);
    return reading;
  }

  /// Files of a project that are no part of a case.
  void remark_files() {
    constexpr std::array<std::array<char const*, 2>, 2> others{
        {{"QUIC_fire.inp", "fire has no counterpart"}, {"QP_params.inp", "dispersion has no counterpart"}}};
    std::error_code ignored;
    for (auto const& [name, text] : others) {
      auto const path = folder_ / name;
      if (std::filesystem::exists(path, ignored)) draft_.remark({path.string(), 0, ""}, text);
    }
    remark_terrain("QU_TopoInputs.inp");
    remark_terrain("topo.inp");
    remark_land_use();
  }

  /// Heights of the ground: two lines with a file, then the kind of the terrain; 0 is flat.
  void remark_terrain(char const* name) {
    auto const path = folder_ / name;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    QuicLines lines(path);
    for (int n = 0; n < 2 && lines.more(); ++n) lines.next("file of the terrain");
    if (!lines.more()) return;
    QuicLine const kind = lines.next("terrain flag");
    auto const words = words_of(kind.value);
    if (!words.empty() && words.front() != "0")
      draft_.remark(kind.place, "left out: /terrain of a case needs a file of heights");
  }

  /// A binary file of Fortran: the first number after the length of the record is a switch.
  void remark_land_use() {
    auto const path = folder_ / "QU_landuse.inp";
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    try {
      std::string const bytes = read_text_file(path, most_project_bytes);
      constexpr std::size_t record = 4, number = 4;
      if (bytes.size() < record + number) return;
      if (bytes.compare(record, number, std::string(number, '\0')) != 0)
        draft_.remark({path.string(), 0, ""}, "land use has no counterpart");
    } catch (FileError const&) {  // too large to be read
      draft_.remark({path.string(), 0, ""}, "land use has no counterpart");
    }
  }

  std::filesystem::path folder_;
  QuicLines lines_;
  CaseDraft draft_;
  BuildingMethods methods_;
  std::vector<std::int64_t> times_;  ///< s
  double version_ = 0;
  double rotation_ = 0;  ///< of the domain, degrees clockwise from north
  int canopy_ = 2;       ///< 0 off, 1 without wakes, 2 with wakes
  bool tree_wake_ = true;
  bool has_utm_ = false;
};

}  // namespace

CaseDraft read_quic_project(std::filesystem::path const& simulation) { return QuicReader(simulation).read(); }

}  // namespace karman::wind
