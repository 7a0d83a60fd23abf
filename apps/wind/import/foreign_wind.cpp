// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "foreign_wind.hpp"

#include "case_limits.hpp"
#include "wind/case/case_number.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace karman::wind {
namespace {

double around(double degrees) {
  double const turned = std::fmod(degrees, 360);
  return turned < 0 ? turned + 360 : turned;
}

/// The same angle within half a turn.
double short_way(double degrees) {
  double const turned = around(degrees);
  return turned > 180 ? turned - 360 : turned;
}

/// Height at which a series gives the speeds of this profile.
double reading_height(Profile const& profile) {
  return profile.kind == Profile::Kind::measured ? profile.heights.front() : profile.height;
}

OrderedJson json_of(Profile const& profile) {
  OrderedJson json;
  switch (profile.kind) {
    case Profile::Kind::log: json["kind"] = "log"; break;
    case Profile::Kind::power: json["kind"] = "power"; break;
    case Profile::Kind::canopy: json["kind"] = "canopy"; break;
    case Profile::Kind::measured: json["kind"] = "measured"; break;
  }
  if (profile.kind == Profile::Kind::measured) {
    json["heights"] = profile.heights;
    json["speeds"] = profile.speeds;
    if (!profile.turning.empty()) json["turning"] = profile.turning;
  } else {
    json["speed"] = profile.speed;
    json["height"] = profile.height;
  }
  if (profile.kind == Profile::Kind::power) {
    json["exponent"] = profile.exponent;
    return json;
  }
  json["roughness"] = profile.roughness;
  if (profile.kind == Profile::Kind::canopy) {
    json["canopy_height"] = profile.canopy_height;
    json["attenuation"] = profile.attenuation;
  }
  if (profile.obukhov_length != 0) json["obukhov_length"] = profile.obukhov_length;
  return json;
}

/// True if one profile is the other times a factor.
bool same_shape(Profile const& a, Profile const& b) {
  constexpr double rounding = 1e-9;
  for (std::size_t n = 0; n < a.speeds.size() && n < b.speeds.size(); ++n) {
    double const left = a.speeds[n] * b.speeds.front(), right = b.speeds[n] * a.speeds.front();
    if (std::abs(left - right) > rounding * std::max(left, right)) return false;
  }
  return a.kind == b.kind && a.height == b.height && a.roughness == b.roughness && a.exponent == b.exponent &&
         a.canopy_height == b.canopy_height && a.attenuation == b.attenuation && a.obukhov_length == b.obukhov_length &&
         a.heights == b.heights && a.turning == b.turning;
}

/// Reading of every sensor at one time.
using ReadingsOfTime = std::vector<ForeignReading const*>;

class WindWriter {
 public:
  WindWriter(std::vector<ForeignSensor> sensors, CaseDraft& draft) : sensors_(std::move(sensors)), draft_(draft) {}

  void write(std::size_t most_times) {
    if (sensors_.size() > limits::most_sensors) {
      refuse(sensors_[limits::most_sensors].place, std::to_string(sensors_.size()) + " sensors",
             "expected at most " + std::to_string(limits::most_sensors));
    }
    find_times();
    if (most_times > 0 && times_.size() > most_times) times_.resize(most_times);
    if (times_.size() > limits::most_times) {
      refuse(sensors_.front().place, std::to_string(times_.size()) + " times",
             "expected at most " + std::to_string(limits::most_times));
    }
    if (sensors_.size() == 1 && times_.size() == 1) {
      Profile const& profile = times_.front().second.front()->profile;
      draft_.wind["profile"] = json_of(profile);
      draft_.wind["direction"] = profile.direction;
      return;
    }
    set_places();
    set_names();
    draft_.wind["sensors"] = OrderedJson::array();
    for (std::size_t s = 0; s < sensors_.size(); ++s) {
      Profile const& profile = times_.front().second[s]->profile;
      draft_.wind["sensors"].push_back({{"name", sensors_[s].name},
                                        {"position", *sensors_[s].position},
                                        {"profile", json_of(profile)},
                                        {"direction", profile.direction}});
    }
    if (times_.size() > 1) write_series();
  }

 private:
  void find_times() {
    bool const single = std::all_of(sensors_.begin(), sensors_.end(),
                                    [](ForeignSensor const& sensor) { return sensor.readings.size() == 1; });
    bool const stamped = std::all_of(sensors_.begin(), sensors_.end(), [](ForeignSensor const& sensor) {
      return std::all_of(sensor.readings.begin(), sensor.readings.end(),
                         [](ForeignReading const& reading) { return reading.time.has_value(); });
    });
    if (single && !stamped) {
      ReadingsOfTime all;
      for (ForeignSensor const& sensor : sensors_) all.push_back(&sensor.readings.front());
      times_.emplace_back(0, std::move(all));
      return;
    }
    std::map<std::int64_t, std::map<std::size_t, ForeignReading const*>> found;
    for (std::size_t s = 0; s < sensors_.size(); ++s) {
      for (ForeignReading const& reading : sensors_[s].readings) {
        if (!reading.time) refuse(reading.place, "", "expected a time: a sensor has several readings");
        found[*reading.time].emplace(s, &reading);
      }
    }
    std::size_t left_out = 0;
    for (auto const& [time, readings] : found) {
      if (readings.size() < sensors_.size()) {
        ++left_out;
        continue;
      }
      ReadingsOfTime all;
      for (auto const& [sensor, reading] : readings) all.push_back(reading);
      times_.emplace_back(time, std::move(all));
    }
    if (times_.empty()) refuse(sensors_.back().place, "", "expected a time at which all sensors have a reading");
    if (left_out > 0) {
      draft_.remark(sensors_.front().place, std::to_string(left_out) + (left_out == 1 ? " time is" : " times are") +
                                                " left out: a series needs a reading of every sensor");
    }
  }

  /// Karman refuses sensors outside of the domain. One sensor acts the same everywhere: it is put into a corner, where
  /// no building is likely.
  void set_places() {
    DraftDomain const& domain = draft_.domain;
    if (sensors_.size() == 1) {
      sensors_.front().position = domain.origin;
      return;
    }
    for (ForeignSensor& sensor : sensors_) {
      if (!sensor.position)
        refuse(sensor.place, "", "expected a position in the domain or in UTM, because there are several sensors");
      std::array<double, 2> const given = *sensor.position;
      for (std::size_t axis = 0; axis < 2; ++axis)
        (*sensor.position)[axis] = std::clamp(given[axis], domain.origin[axis], domain.end(axis));
      if (*sensor.position != given) {
        draft_.remark(sensor.place, "sensor outside of the domain: moved from x = " + number(given[0]) +
                                        ", y = " + number(given[1]) + " to its nearest point");
      }
    }
  }

  void set_names() {
    constexpr std::size_t longest = 90;
    std::set<std::string> taken;
    for (std::size_t s = 0; s < sensors_.size(); ++s) {
      std::string& name = sensors_[s].name;
      std::erase_if(name, [](char c) { return c < ' ' || c > '~' || c == ','; });
      name = name.substr(0, longest);
      name = std::string(trimmed(name));
      if (name.empty()) name = "sensor " + std::to_string(s + 1);
      while (!taken.insert(name).second) name += '_';
    }
  }

  void write_series() {
    OrderedJson times = OrderedJson::array();
    constexpr double hour = 3600;
    for (auto const& [time, readings] : times_) {
      OrderedJson entries = OrderedJson::array();
      for (std::size_t s = 0; s < sensors_.size(); ++s) {
        Profile const& base = times_.front().second[s]->profile;
        Profile const& profile = readings[s]->profile;
        bool const alike = same_shape(base, profile);
        if (!alike && changing_.insert(s).second) {
          draft_.remark(
              readings[s]->place,
              "the profile of \"" + sensors_[s].name +
                  "\" changes its shape from here on: a series keeps the first shape and takes the speed at " +
                  number(reading_height(base)) + " m");
        }
        double const speed = alike ? profile.speed : profile.speed_at(reading_height(base));
        entries.push_back({speed, profile.direction});
      }
      times.push_back({{"time", static_cast<double>(time - times_.front().first) / hour}, {"readings", entries}});
    }
    draft_.series["times"] = times;
  }

  std::vector<ForeignSensor> sensors_;
  CaseDraft& draft_;
  std::vector<std::pair<std::int64_t, ReadingsOfTime>> times_;
  std::set<std::size_t> changing_;  ///< sensors with a remark about their shape
};

void require_rising(std::vector<double> const& heights, ForeignPlace const& place) {
  for (std::size_t n = 1; n < heights.size(); ++n) {
    if (!(heights[n] > heights[n - 1])) refuse(place, number(heights[n]), "expected heights that increase");
  }
}

}  // namespace

Profile profile_of(BoundaryLayer const& layer, double rotation, ForeignPlace const& place) {
  constexpr double neutral = 1e-6;  // 1/m; longer Obukhov lengths are neutral air
  Profile profile;
  profile.direction = around(layer.directions.front() - rotation);
  profile.speed = layer.speeds.front();
  profile.height = layer.heights.front();
  profile.roughness = layer.roughness;
  if (std::abs(layer.reciprocal) >= neutral) profile.obukhov_length = 1 / layer.reciprocal;
  switch (layer.kind) {
    case 0:
    case 2:
      profile.kind = Profile::Kind::power;
      profile.exponent = layer.kind == 0 ? 0 : layer.roughness;
      profile.roughness = Profile().roughness;
      profile.obukhov_length = 0;
      break;
    case 3:
      profile.kind = Profile::Kind::canopy;
      profile.canopy_height = layer.canopy_height;
      profile.attenuation = layer.attenuation;
      if (!(profile.roughness < profile.canopy_height))
        refuse(place, number(profile.roughness), "expected a roughness below the height of the canopy");
      if (!(profile.attenuation >= least_attenuation(profile))) {
        refuse(place, number(profile.attenuation),
               "expected an attenuation of the canopy >= " + number(least_attenuation(profile)));
      }
      break;
    case 4:
      profile.kind = Profile::Kind::measured;
      require_rising(layer.heights, place);
      profile.heights = layer.heights;
      profile.speeds = layer.speeds;
      for (double const direction : layer.directions)
        profile.turning.push_back(short_way(direction - layer.directions.front()));
      if (std::all_of(profile.turning.begin(), profile.turning.end(), [](double turn) { return turn == 0; }))
        profile.turning.clear();
      profile.obukhov_length = 0;
      break;
    default: profile.kind = Profile::Kind::log;
  }
  return profile;
}

void put_wind(std::vector<ForeignSensor> sensors, std::size_t most_times, CaseDraft& draft) {
  WindWriter(std::move(sensors), draft).write(most_times);
}

}  // namespace karman::wind
