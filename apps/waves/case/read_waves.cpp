// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read_waves.hpp"

#include "common/case/direction.hpp"
#include "read_spectrum_file.hpp"
#include "wave_options_json.hpp"
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace karman::waves {
namespace {

using app::degree;

app::DirectionConvention convention_of(Case const& input) {
  return read_options<app::DirectionConvention>(input, "/waves/convention");
}

/// A direction of the case as the angle of travel.
double travel(Case const& input, std::string const& pointer) {
  return app::travel_degrees(input.get<double>(pointer), convention_of(input)) * degree;
}

/// Convention of the directions in the case.
std::string directions_text(Case const& input) {
  constexpr char const *come = "where the waves come from", *go = "where the waves travel to";
  if (input.has("/waves/direction"))
    return app::direction_text(input.get<double>("/waves/direction"), convention_of(input), come, go);
  return "directions are " + app::convention_text(convention_of(input), come, go);
}

WaveComponent read_wave(Case const& input, std::string const& pointer) {
  double const phase = input.has(pointer + "/phase") ? input.get<double>(pointer + "/phase") : 0;
  double const height = input.get<double>(pointer + "/height");
  return {input.get<double>(pointer + "/period"),
          {{0.5 * height, travel(input, pointer + "/direction"), phase * degree}},
          height};
}

std::vector<WaveComponent> read_list(Case const& input) {
  bool const coherent = input.get<bool>("/waves/coherent");
  std::vector<WaveComponent> components;
  for (std::size_t n = 0; n < input.size("/waves/waves"); ++n) {
    WaveComponent const wave = read_wave(input, "/waves/waves/" + std::to_string(n));
    auto const same = std::find_if(components.begin(), components.end(),
                                   [&](WaveComponent const& other) { return other.period == wave.period; });
    if (coherent && same != components.end()) {
      same->waves.push_back(wave.waves.front());
      same->height = std::hypot(same->height, wave.height);
    } else {
      components.push_back(wave);
    }
  }
  return components;
}

Spectrum read_spectrum(Case const& input) {
  auto spectrum = read_options<Spectrum>(input, "/waves");
  if (input.get<std::string>("/waves/shape") == "pierson_moskowitz") spectrum.peak_enhancement = 1;
  spectrum.direction = travel(input, "/waves/direction");
  return spectrum;
}

std::vector<WaveComponent> read_scan(Case const& input) {
  double const from = input.get<double>("/waves/from"), to = input.get<double>("/waves/to");
  if (!(from < to)) throw input.error("/waves/to", "expected more than /waves/from");
  int const count = input.get<int>("/waves/count");
  bool const by_period = input.get<std::string>("/waves/spacing") == "period";
  double const height = input.get<double>("/waves/height");
  IncidentWave const wave{0.5 * height, travel(input, "/waves/direction"), 0};
  std::vector<WaveComponent> components;
  for (int n = 0; n < count; ++n) {
    double const share = static_cast<double>(n) / (count - 1);
    double const period = by_period ? from + share * (to - from) : 1 / (1 / from + share * (1 / to - 1 / from));
    components.push_back({n == 0 ? from : n == count - 1 ? to : period, {wave}, height});
  }
  return components;
}

}  // namespace

void read_waves(Case const& input, WaveCase& result) {
  result.directions = directions_text(input);
  result.set = read_options<WaveSet>(input, "/waves/kind");
  result.random_phases =
      are_superposed(result.set) && !(result.set == WaveSet::list && input.get<bool>("/waves/coherent"));
  auto const take = [&](SeaState sea) {
    result.components = std::move(sea.components);
    result.frequency_at = std::move(sea.frequency_at);
  };
  switch (result.set) {
    case WaveSet::regular: result.components = {read_wave(input, "/waves")}; break;
    case WaveSet::list: result.components = read_list(input); break;
    case WaveSet::spectrum: take(sea_state_of(read_spectrum(input))); break;
    case WaveSet::spectrum_file: take(read_spectrum_file(input, result.remarks)); break;
    case WaveSet::period_scan: result.components = read_scan(input); break;
  }
  if (input.get<std::string>("/waves/coast/kind") == "straight") {
    double const along = input.get<double>("/waves/coast/along") * degree;
    for (WaveComponent& component : result.components) {
      for (std::size_t n = 0, count = component.waves.size(); n < count; ++n) {
        IncidentWave image = component.waves[n];
        image.direction = 2 * along - image.direction;
        component.waves.push_back(image);
      }
      component.images = component.waves.size() / 2;
    }
  }
  if (input.get<std::string>("/waves/refraction/kind") == "parallel_contours") {
    result.problem.refraction = {true, input.get<double>("/waves/refraction/depth"),
                                 input.get<double>("/waves/refraction/across") * degree};
  }
}

}  // namespace karman::waves
