// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of a case, wrong in turn: missing, misspelt, of the wrong type, negative, not a number, huge.
#include "apps/common/small_case.hpp"
#include "apps/common/wrong_case.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/vector_layer.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <set>
#include <utility>

namespace wind_wrong_case_test {

using namespace karman::test;
using nlohmann::json;

constexpr char const* small_wind_series_file = "met.csv";

/// Cases that contain every key of the schema between them.
std::vector<json> complete_cases() {
  json const first = json::parse(small_wind_case);
  json second = first;
  second["domain"]["layers"] = {{"kind", "list"}, {"thicknesses", {2, 2, 2, 3, 4, 5}}};
  second["wind"]["profile"] = {{"kind", "power"}, {"speed", 4}, {"height", 10}, {"exponent", 0.2}};
  json third = first;
  third["domain"]["layers"] = {{"kind", "uniform"}, {"count", 12}, {"thickness", 2}};
  third["wind"]["profile"] = {{"kind", "canopy"},   {"speed", 4},         {"height", 10},         {"roughness", 0.5},
                              {"canopy_height", 8}, {"attenuation", 1.5}, {"obukhov_length", 200}};
  json fourth = first;
  fourth["wind"]["profile"] = {{"kind", "measured"},
                               {"heights", {2, 10, 40}},
                               {"speeds", {2, 4, 6}},
                               {"turning", {0, 5, 15}},
                               {"roughness", 0.1}};
  json fifth = first;
  fifth["buildings"] = json::parse(small_wind_shapes);
  json sixth = first;
  sixth["outputs"].erase("watch");
  sixth["sweep"] = json::parse(R"({"height": 2, "rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 30, "frequency": 0.7, "scale": 5, "shape": 2}]}})");
  json seventh = sixth;
  seventh["sweep"] = json::parse(R"({"rose": {"kind": "even", "count": 2}})");
  json eighth = first;
  eighth["terrain"] = json::parse(small_wind_terrain);
  json ninth = first;
  ninth["vegetation"] = json::parse(small_wind_vegetation);
  json tenth = first;
  tenth["wind"] = {{"passes", 3}, {"convention", "nautical"}, {"sensors", json::array()}};
  for (auto const& [name, kind] : {std::pair{"west", 0}, {"middle", 1}, {"east", 2}, {"north", 3}}) {
    json const profile = std::array{first, second, third, fourth}[static_cast<std::size_t>(kind)]["wind"]["profile"];
    tenth["wind"]["sensors"].push_back(
        {{"name", name}, {"position", {76 + 5 * kind, -70}}, {"direction", 260 + kind}, {"profile", profile}});
  }
  std::vector<json> cases{first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth};
  tenth["outputs"].erase("watch");
  tenth["series"] = json::parse(R"({"height": 2, "times": [
    {"time": 1, "readings": [[5, 270], [4, 280], [4, 285], [3, 290]]}]})");
  cases.push_back(tenth);
  tenth["series"] = {{"file", small_wind_series_file}};
  cases.push_back(tenth);
  if (!karman::built_with_gdal()) return cases;
  cases.push_back(first);
  cases.back()["buildings"] = json::parse(small_wind_shapefile);
  return cases;
}

class WrongCase : public WrongCaseOf {
 protected:
  WrongCase() : WrongCaseOf("wind") {
    place_.write(small_wind_city_file, small_wind_city);
    place_.write(small_wind_layer_file, small_wind_layer);
    place_.write(small_wind_series_file,
                 "time,west speed,west direction,middle speed,middle direction,east speed,east direction,north "
                 "speed,north direction\n1,5,270,4,280,4,285,3,290\n");
    place_.write(small_wind_heights_file, small_wind_heights);
  }

  Outcome run(std::string const& text) override {
    return checked(text, karman::wind::schema(), [](karman::Case const& input) {
      std::string lines;
      for (std::string const& warning : karman::wind::read_wind_case(input).warnings) lines += warning + '\n';
      return lines;
    });
  }

  static json whole_wind() { return json::parse(small_wind_case)["wind"]; }

  /// Kinds of buildings differ in the keys that they require.
  bool is_required(json const& holder, std::string const& pointer, std::string const& key) const {
    std::string const kind = holder.value("kind", "");
    if (pointer == "/wind/profile" || pointer == "/wind/direction" || pointer == "/wind/sensors" ||
        pointer == "/series/times" || pointer == "/series/file")
      return true;
    if (key == "base") return kind == "bridge";
    if (key == "height" && (kind == "geojson" || kind == "shapefile")) return false;
    return required_.count(without_indices(pointer)) > 0;
  }
};

TEST_F(WrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
  if (!karman::built_with_gdal()) seen.insert("/buildings/layer");
  for (json const& whole : complete_cases()) {
    Outcome const outcome = run(whole.dump(2));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
      seen.insert(without_indices((at / key).to_string()));
    });
  }
  EXPECT_EQ(seen, names_);
}

TEST_F(WrongCase, Missing) {
  every_key(complete_cases(), [&](json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    json wrong = whole;
    wrong.at(at).erase(key);
    // The kind selects a branch, so it is never removed.
    if (is_required(whole.at(at), pointer, key) || key == "kind") {
      refused(wrong.dump(2), key, "without " + pointer);
    } else {
      // A moved domain would no longer contain the buildings, the probes and the terrain.
      if (pointer == "/domain/origin") {
        wrong.erase("buildings");
        wrong.erase("vegetation");
        wrong.erase("outputs");
        wrong.erase("terrain");
        wrong["wind"] = whole_wind();
      }
      EXPECT_EQ(run(wrong.dump(2)).exit_code, 0) << "without " << pointer;
    }
  });
}

TEST_F(WrongCase, Misspelt) { misspelt(complete_cases()); }

TEST_F(WrongCase, OfTheWrongType) {
  every_key(complete_cases(), [&](json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    json wrong = whole;
    json& value = wrong.at(at / key);
    value = value.is_number()   ? json("seven")
            : value.is_string() ? json(17)
            : value.is_array()  ? json("none")
                                : json(3.5);
    refused(wrong.dump(2), pointer, pointer + " of the wrong type");
    wrong.at(at / key) = nullptr;
    refused(wrong.dump(2), pointer, pointer + " null");
  });
}

bool is_signed(std::string const& pointer) {
  std::string const name = without_indices(pointer);
  return name == "/sweep/rose/sectors/direction" || name == "/domain/origin" || name == "/buildings/position" ||
         name == "/buildings/rotation" || name == "/buildings/origin" || name == "/buildings/storeys/offset" ||
         name == "/wind/direction" || name == "/vegetation/footprint/position" ||
         name == "/vegetation/footprint/rotation" || name == "/vegetation/row_rotation" ||
         name == "/wind/profile/obukhov_length" || name == "/wind/profile/turning" ||
         name == "/wind/sensors/position" || name == "/series/times/time" || name == "/wind/sensors/direction" ||
         name == "/wind/sensors/profile/obukhov_length" || name == "/wind/sensors/profile/turning" ||
         name == "/outputs/probes/position" || name == "/outputs/probes/from" || name == "/outputs/probes/to" ||
         name == "/terrain/origin" || name == "/terrain/level" || name == "/outputs/region/x" ||
         name == "/outputs/region/y";
}

TEST_F(WrongCase, Negative) { EXPECT_GT(negative(complete_cases(), is_signed, -1e9), 40); }

TEST_F(WrongCase, Huge) { huge(complete_cases()); }

TEST_F(WrongCase, NotANumber) { not_a_number(complete_cases()); }

TEST_F(WrongCase, AlmostTheRightKeyIsSuggested) {
  json wrong = json::parse(small_wind_case);
  wrong["solver"].erase("omega");
  wrong["solver"]["omgea"] = 1.5;
  Outcome const outcome = run(wrong.dump(2));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("\"omega\""), std::string::npos) << outcome.err;
}

TEST_F(WrongCase, ASpeedBelowTheRangeOfThePrecision) {
  json const whole = json::parse(small_wind_case);
  auto const with_speed = [&](double speed, char const* precision) {
    json slow = whole;
    slow["wind"]["profile"]["speed"] = speed;
    slow["solver"]["precision"] = precision;
    slow["solver"]["tolerance"] = "auto";
    return slow;
  };
  for (auto const& [speed, precision] : {std::pair{1e-100, "f32"}, {1e-14, "f32"}, {1e-150, "f64"}}) {
    Outcome const outcome = run(with_speed(speed, precision).dump(2));
    SCOPED_TRACE(outcome.err);
    EXPECT_EQ(outcome.exit_code, 2) << speed;
    EXPECT_EQ(line_count(outcome.err), 1);
    EXPECT_NE(outcome.err.find("/wind/profile"), std::string::npos);
    EXPECT_NE(outcome.err.find(precision), std::string::npos);
  }
  json sensors = with_speed(5, "f32");
  sensors["wind"] = {{"sensors", json::array()}};
  for (int n = 0; n < 2; ++n) {
    sensors["wind"]["sensors"].push_back({{"name", n == 0 ? "a" : "b"},
                                          {"position", {80 + 20 * n, -60}},
                                          {"direction", 270},
                                          {"profile", with_speed(1e-40, "f32")["wind"]["profile"]}});
  }
  EXPECT_EQ(run(sensors.dump(2)).exit_code, 2);
  sensors["wind"]["sensors"][1]["profile"]["speed"] = 4;
  sensors["outputs"].erase("watch");
  EXPECT_EQ(run(sensors.dump(2)).exit_code, 0) << "a calm at one place";
  // The least speed gives the field of an ordinary one, scaled. A calm has a field of zeros.
  EXPECT_EQ(run(with_speed(1e-12, "f32").dump(2)).exit_code, 0);
  EXPECT_EQ(run(with_speed(0, "f32").dump(2)).exit_code, 0);
}

}  // namespace wind_wrong_case_test
