// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of the cases of every application, wrong in turn: missing, misspelt, of the wrong type, negative, huge, not
// a number. wrong_cases.json has further faults, an array each: application, number of the case, changed values (null
// removes; { NAME: TEXT } for a file writes it), place that the message names, further words of it. In place of a
// place: 0 where the case is valid, with words of the output, or 4, the exit code of an unusable file.
#include "apps/euler/small_flow_case.hpp"
#include "apps/poisson/small_poisson_case.hpp"
#include "apps/turbulence/small_turbulence_case.hpp"
#include "apps/waves/small_wave_case.hpp"
#include "euler/case/flow_case.hpp"
#include "euler/case/polar_case.hpp"
#include "poisson/case/poisson_case.hpp"
#include "poisson/case/time_case.hpp"
#include "run_command.hpp"
#include "small_case.hpp"
#include "turbulence/case/turbulence_case.hpp"
#include "waves/case/wave_case.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>
#include <karman/io/map_system.hpp>
#include <karman/io/vector_layer.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wrong_case_test {

using namespace karman;
using namespace karman::test;
using Json = nlohmann::json;
using Pointer = Json::json_pointer;
using Words = std::set<std::string>;

/// One application: its small cases, which together have every key, and the exceptions among their keys.
struct WrongCaseRecord {
  std::string application;
  std::vector<Json> cases;
  std::function<void(std::filesystem::path const&)> write_files;
  std::string_view schema;
  /// Reads a case beyond its schema. Returns the lines that the command would print.
  std::function<std::string(Case const&)> read;
  /// Keys that may be negative, by name or by place, and a value below all that they may have.
  Words signed_keys;
  double far_below = 0;
  int fewest_numbers = 0;
  /// Words that are expected without a key, none where it is optional. May change more of the case.
  std::function<std::string(Json& wrong, Pointer const& at, std::string const& key, bool required)> without;
  /// Objects whose keys are names of the case.
  Words named_by_case = {};
  bool has_formulas = true;
  /// Values are evaluated by the command alone.
  bool needs_command = false;

  friend void PrintTo(WrongCaseRecord const& record, std::ostream* out) { *out << record.application; }
};

template <class Lines>
std::string joined(Lines const& lines) {
  std::string text;
  for (std::string const& line : lines) text += line + '\n';
  return text;
}

std::vector<Json> parsed(std::vector<std::string> const& texts) {
  std::vector<Json> cases;
  for (std::string const& text : texts) cases.push_back(Json::parse(text));
  return cases;
}

/// Calls action(pointer of the object, key) for every member of every object.
void for_each_key(Json const& value, Pointer const& at,
                  std::function<void(Pointer const&, std::string const&)> const& action) {
  if (value.is_object()) {
    for (auto const& [key, member] : value.items()) {
      action(at, key);
      for_each_key(member, at / key, action);
    }
  } else if (value.is_array()) {
    for (std::size_t n = 0; n < value.size(); ++n) for_each_key(value[n], at / n, action);
  }
}

/// Names of all properties in a schema, prefixed with the names of the levels above; branches of a choice are merged.
/// Members with free names are "*".
void collect_properties(Json const& given, std::string const& at, Words& names, Words& required, Json const& root) {
  Json const& schema = given.contains("$ref") ? root.at(Pointer(given.at("$ref").get<std::string>().substr(1))) : given;
  for (char const* choice : {"oneOf", "anyOf"}) {
    if (!schema.contains(choice)) continue;
    for (Json const& branch : schema.at(choice)) collect_properties(branch, at, names, required, root);
  }
  if (schema.contains("additionalProperties") && schema.at("additionalProperties").is_object())
    collect_properties(schema.at("additionalProperties"), at + "/*", names, required, root);
  if (schema.contains("items")) collect_properties(schema.at("items"), at, names, required, root);
  if (!schema.contains("properties")) return;
  for (auto const& [key, member] : schema.at("properties").items()) {
    names.insert(at + '/' + key);
    collect_properties(member, at + '/' + key, names, required, root);
  }
  if (!schema.contains("required")) return;
  for (Json const& key : schema.at("required")) required.insert(at + '/' + key.get<std::string>());
}

/// A pointer without array indices, in the form of collect_properties().
std::string without_indices(std::string const& pointer) {
  std::string result;
  for (std::size_t begin = 0; begin < pointer.size();) {
    std::size_t const end = std::min(pointer.find('/', begin + 1), pointer.size());
    std::string const part = pointer.substr(begin, end - begin);
    if (part.find_first_not_of("/0123456789") != std::string::npos) result += part;
    begin = end;
  }
  return result;
}

/// Cases of wind that contain every key of the schema between them.
std::vector<Json> wind_cases() {
  Json const first = Json::parse(small_wind_case);
  auto const with = [&](std::vector<std::pair<char const*, Json>> const& values) {
    Json changed = first;
    for (auto const& [pointer, value] : values) changed[Pointer(pointer)] = value;
    return changed;
  };
  std::vector<Json> cases{
      first,
      with({{"/domain/layers", {{"kind", "list"}, {"thicknesses", {2, 2, 2, 3, 4, 5}}}},
            {"/wind/profile", {{"kind", "power"}, {"speed", 4}, {"height", 10}, {"exponent", 0.2}}}}),
      with({{"/domain/layers", {{"kind", "uniform"}, {"count", 12}, {"thickness", 2}}},
            {"/wind/profile", Json::parse(R"({"kind": "canopy", "speed": 4, "height": 10, "roughness": 0.5,
              "canopy_height": 8, "attenuation": 1.5, "obukhov_length": 200})")}}),
      with({{"/wind/profile", Json::parse(R"({"kind": "measured", "heights": [2, 10, 40], "speeds": [2, 4, 6],
              "turning": [0, 5, 15], "roughness": 0.1})")}}),
      with({{"/buildings", Json::parse(small_wind_shapes)}})};
  Json sweep = first;
  sweep["outputs"].erase("watch");
  sweep["sweep"] = Json::parse(R"({"height": 2, "rose": {"kind": "weibull", "reference_height": 10, "sectors": [
    {"direction": 30, "frequency": 0.7, "scale": 5, "shape": 2}]}})");
  cases.push_back(sweep);
  sweep["sweep"] = Json::parse(R"({"rose": {"kind": "even", "count": 2}})");
  cases.push_back(sweep);
  cases.push_back(with({{"/terrain", Json::parse(small_wind_terrain)}}));
  cases.push_back(with({{"/vegetation", Json::parse(small_wind_vegetation)}}));
  cases.push_back(with({{"/buildings", Json::parse(small_wind_raster_heights)}}));
  Json sensors = first;
  sensors["wind"] = {{"passes", 3}, {"buffer", 100}, {"convention", "nautical"}, {"sensors", Json::array()}};
  std::array<std::string, 4> const names{"west", "middle", "east", "north"};
  for (std::size_t n = 0; n < names.size(); ++n) {
    sensors["wind"]["sensors"].push_back({{"name", names[n]},
                                          {"position", {76 + 5 * n, -70}},
                                          {"direction", 260 + n},
                                          {"profile", cases[n]["wind"]["profile"]}});
  }
  cases.push_back(sensors);
  sensors["outputs"].erase("watch");
  sensors["series"] = Json::parse(R"({"height": 2, "first_guess": "zero", "times": [
    {"time": 1, "readings": [[5, 270], [4, 280], [4, 285], [3, 290]]}]})");
  cases.push_back(sensors);
  sensors["series"] = {{"file", "met.csv"}, {"missing", -99}};
  cases.push_back(sensors);
  if (built_with_proj()) {
    Json around = first;
    around["domain"] = {{"crs", "EPSG:25832"},
                        {"around", "buildings"},
                        {"margin", 3},
                        {"spacing", first["domain"]["spacing"]},
                        {"layers", first["domain"]["layers"]}};
    for (char const* part : {"outputs", "vegetation"}) around.erase(part);
    cases.push_back(around);
  }
  if (built_with_gdal()) {
    cases.push_back(with({{"/buildings", Json::parse(small_wind_shapefile)}}));
    Json plants = Json::parse(small_wind_vegetation)[5];
    plants["kind"] = "shapefile";
    plants["file"] = small_wind_layer_file;
    plants["layer"] = "roofs";
    plants["overlaps"] = "skip";
    cases.push_back(with({{"/vegetation", Json::array({plants})}}));
  }
  return cases;
}

void write_wind_files(std::filesystem::path const& folder) {
  std::pair<std::string, std::string> const files[] = {
      {small_wind_city_file, small_wind_city},
      {small_wind_layer_file, small_wind_layer},
      {small_wind_heights_file, small_wind_heights},
      {small_wind_surface_file, small_wind_surface},
      {small_wind_plants_file, small_wind_plants},
      {"met.csv",
       "time,west speed,west direction,middle speed,middle direction,east speed,east direction,north speed,north "
       "direction\n1,5,270,4,280,4,285,3,290\n"}};
  for (auto const& [name, text] : files) std::ofstream(folder / name) << text;
}

WrongCaseRecord wind_record() {
  return {"wind",
          wind_cases(),
          write_wind_files,
          wind::schema(),
          [](Case const& input) { return joined(wind::read_wind_case(input).warnings); },
          {"/sweep/rose/sectors/direction",
           "/domain/origin",
           "/buildings/position",
           "/buildings/rotation",
           "/buildings/origin",
           "/buildings/storeys/offset",
           "/wind/direction",
           "/buildings/heights/origin",
           "/vegetation/origin",
           "/vegetation/footprint/position",
           "/vegetation/footprint/rotation",
           "/vegetation/row_rotation",
           "/wind/profile/obukhov_length",
           "/wind/profile/turning",
           "/wind/sensors/position",
           "/series/times/time",
           "/wind/sensors/direction",
           "/wind/sensors/profile/obukhov_length",
           "/wind/sensors/profile/turning",
           "/outputs/probes/position",
           "/outputs/probes/from",
           "/outputs/probes/to",
           "/terrain/origin",
           "/terrain/level",
           "/outputs/region/x",
           "/outputs/region/y",
           "/series/missing"},
          -1e9,
          40,
          [](Json& wrong, Pointer const& at, std::string const& key, bool required) -> std::string {
            std::string const pointer = (at / key).to_string(), kind = wrong.at(at).value("kind", "");
            // A moved domain would no longer contain the buildings, the probes and the terrain.
            if (pointer == "/domain/origin") {
              for (char const* part : {"buildings", "vegetation", "outputs", "terrain"}) wrong.erase(part);
              wrong["wind"] = Json::parse(small_wind_case)["wind"];
            }
            static Words const needed{"/wind/profile", "/wind/direction", "/wind/sensors", "/series/times",
                                      "/series/file",  "/domain/cells",   "/domain/around"};
            // Kinds of buildings differ in the keys that they require.
            if (key == "base") required = kind == "bridge";
            if (pointer.ends_with("/heights/ground")) required = true;  // these cases have no terrain
            if (key == "plant" && wrong.at(at).contains("porosity")) {
              wrong.at(at).erase("porosity");
              wrong.at(at)["attenuation"] = 1;
            }
            if (key == "height" && (kind == "geojson" || kind == "shapefile")) required = false;
            return required || needed.count(pointer) > 0 ? key : "";
          },
          {},
          false};
}

WrongCaseRecord poisson_record() {
  return {"poisson",
          parsed(small_poisson_cases()),
          [](std::filesystem::path const& folder) { write_small_fields(folder / "fields.h5"); },
          poisson::schema(),
          [](Case const& input) {
            auto const problem = input.get<std::string>("/problem");
            if (problem == "column_diffusion") poisson::read_column_case(input);
            else if (problem == "heat") poisson::read_heat_case(input);
            else poisson::read_poisson_case(input);
            return std::string();
          },
          {"/right_hand_side", "/exact", "/initial", "/domain/origin", "/solid/low", "/solid/high", "value", "flux"},
          -1e31,
          50,
          [](Json& wrong, Pointer const& at, std::string const& key, bool required) -> std::string {
            // A side cannot lose its kind of condition alone where the opposite one is periodic.
            Json const& sides = wrong.value("sides", Json::object());
            for (auto const& [side, opposite] : {std::pair{"east", "west"}, {"west", "east"}}) {
              if (at.to_string() == "/sides" && key == side && sides.contains(opposite))
                required = required || sides.at(opposite).value("kind", "") == "periodic";
            }
            return required || key == "problem" ? key : "";
          },
          {},
          true,
          true};
}

WrongCaseRecord waves_record() {
  return {"waves",
          parsed(small_wave_cases()),
          write_small_files,
          waves::schema(),
          [](Case const& input) { return joined(waves::read_wave_case(input).remarks); },
          {"low", "high", "center", "at", "from", "to", "depth", "tide", "phase", "direction", "across", "along",
           "angle", "missing"},
          -1e10,
          80,
          [](Json&, Pointer const&, std::string const& key, bool required) { return required ? key : ""; },
          {"/boundaries", "/friction/rate/values", "/friction/coefficient/values", "/friction/roughness/values"}};
}

WrongCaseRecord euler_record() {
  return {"euler",
          parsed(small_flow_cases()),
          write_small_flow_files,
          euler::schema(),
          [](Case const& input) {
            if (input.has("/sweep")) euler::read_polar(input, "out");
            euler::read_flow_case(input);
            return std::string();
          },
          {"low", "high", "center", "at", "velocity", "angle", "moment_at", "pivot", "mean", "speed", "phase",
           "amplitude", "from", "to", "step", "target_lift"},
          -1e10,
          80,
          [](Json& wrong, Pointer const& at, std::string const& key, bool required) -> std::string {
            std::string const holder = at.to_string();
            // Some kinds of mesh require a key that others have a default for.
            static Words const shapes{"airfoil", "bow_shock", "wedge", "step"};
            if (holder == "/mesh" && key != "kind" && shapes.count(wrong.at("mesh").value("kind", "")) > 0)
              required = false;
            // The scheme has a default.
            if (holder == "/scheme") required = false;
            if (required) return key;
            static Words const one_of_two{"density", "temperature",   "velocity",
                                          "mach",    "total_density", "total_temperature"};
            static Words const free{"/initial", "/mesh", "/sweep"};
            if (one_of_two.count(key) > 0 && free.count(holder) == 0) return "expected either ";
            if (key == "forces" && wrong.contains("sweep")) return "/sweep";
            if (key == "step" && holder == "/time") return "expected step";
            if (key == "local_steps") {
              // Off: smoothing has nothing to smooth.
              wrong.at(at)[key] = false;
              return "/time/smoothing";
            }
            // The search for a lift has options of its own.
            if (key == "target_lift" && wrong.at(at).contains("lift_tolerance")) return "/sweep/lift_tolerance";
            // An explicit method has no options of Newton's.
            if (key == "method" && wrong.at("time").contains("cfl_max")) return "/time/cfl_max";
            return key == "forces" && wrong.at("time").contains("force_change") ? "/time/force_change" : "";
          },
          {"/boundaries"}};
}

WrongCaseRecord turbulence_record() {
  return {"turbulence",
          parsed(small_turbulence_cases()),
          write_small_vorticity_file,
          turbulence::schema(),
          [](Case const& input) {
            if (input.has("/study")) turbulence::read_turbulence_study(input, "out");
            return joined(turbulence::read_turbulence_case(input).remarks);
          },
          {"beta", "amplitude", "angle", "center", "vorticity"},
          -1e31,
          50,
          [](Json&, Pointer const& at, std::string const& key, bool required) -> std::string {
            // Some kinds require a key that others have a default for.
            static Words const needed{"kind",   "points",    "end",        "dt",          "file",
                                      "radius", "thickness", "wavenumber", "energy_rate", "vorticity"};
            return needed.count(key) > 0 || (at.empty() && required) ? key : "";
          },
          {"/study/0", "/study/1"}};
}

/// A case of one application, made wrong.
class WrongCase : public ::testing::TestWithParam<WrongCaseRecord> {
 protected:
  WrongCase() : record_(GetParam()) {
    Json const schema = Json::parse(place_.karman({record_.application, "--schema"}).out);
    collect_properties(schema, "", names_, required_, schema);
    record_.write_files(place_.path(""));
  }

  Outcome command(std::string const& text) const {
    place_.write("case.json", text);
    Outcome const outcome = place_.karman({record_.application, "case.json", "--dry-run"});
    EXPECT_FALSE(std::filesystem::exists(place_.path("results"))) << "a dry run leaves nothing";
    return outcome;
  }

  /// As in the command, but within this process: traversals of all keys would start it a thousand times.
  Outcome read(std::string const& text) const {
    std::string const folder = place_.path("").string();
    Outcome outcome;
    auto const failed = [&](auto const& error) {
      outcome.exit_code = std::remove_cvref_t<decltype(error)>::exit_code;
      outcome.err = std::string(error.what()) + '\n';
    };
    try {
      outcome.out = record_.read(Case::parse(text, place_.path("case.json").string(), record_.schema));
      outcome.exit_code = 0;
    } catch (CaseError const& error) {
      failed(error);
    } catch (FileError const& error) {
      failed(error);
    }
    for (std::size_t at = 0; (at = outcome.err.find(folder)) != std::string::npos;)
      outcome.err.erase(at, folder.size());
    return outcome;
  }

  /// Reads a case, by the command where only that evaluates its values.
  Outcome run(std::string const& text) const { return record_.needs_command ? command(text) : read(text); }

  /// Expects exit code 2 and one line that starts with the name of the case and contains `part`.
  void refused(Outcome const& outcome, std::string const& part, std::string const& what,
               std::string const& advice = "expected") const {
    EXPECT_EQ(outcome.exit_code, 2) << what << '\n' << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << what << '\n' << outcome.err;
    EXPECT_EQ(outcome.err.rfind("case.json", 0), 0u) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(advice), std::string::npos) << what << '\n' << outcome.err;
  }

  bool is_named_by_case(Pointer const& at) const { return record_.named_by_case.count(at.to_string()) > 0; }

  /// /boundaries/west/kind is /boundaries/*/kind.
  std::string schema_name(std::string const& pointer) const {
    for (std::string const& holder : record_.named_by_case) {
      if (!pointer.starts_with(holder + '/')) continue;
      std::size_t const end = pointer.find('/', holder.size() + 1);
      return holder + "/*" + (end == std::string::npos ? "" : without_indices(pointer.substr(end)));
    }
    return without_indices(pointer);
  }

  bool is_signed(std::string const& pointer) const {
    std::string const name = schema_name(pointer);
    return record_.signed_keys.count(name) + record_.signed_keys.count(name.substr(name.rfind('/') + 1)) > 0;
  }

  /// Does action(case, pointer of the object, key) for every key of the cases, each pointer once.
  void every_key(std::function<void(Json const&, Pointer const&, std::string const&)> const& action) const {
    Words seen;
    for (Json const& whole : record_.cases) {
      for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
        Json const& holder = whole.at(at);
        std::string const kind = holder.value("kind", "") + whole.value("problem", "");
        if (seen.insert((at / key).to_string() + ' ' + kind).second) action(whole, at, key);
      });
    }
  }

  /// Replaces every number of the cases, members of arrays included, and does action(case, pointer).
  int every_number(std::function<Json(std::string const&)> const& value,
                   std::function<void(Json const&, std::string const&)> const& action) const {
    int numbers = 0;
    auto const replace = [&](Json const& whole, Pointer const& at) {
      if (!whole.at(at).is_number()) return;
      Json wrong = whole;
      wrong.at(at) = value(at.to_string());
      action(wrong, at.to_string());
      ++numbers;
    };
    every_key([&](Json const& whole, Pointer const& at, std::string const& key) {
      Json const& member = whole.at(at / key);
      replace(whole, at / key);
      for (std::size_t n = 0; member.is_array() && n < member.size(); ++n) replace(whole, at / key / n);
    });
    return numbers;
  }

  WrongCaseRecord const& record_;
  Workplace place_;
  Words names_, required_;
};

TEST_P(WrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  Words seen;
  for (Json const& whole : record_.cases) {
    Outcome const outcome = command(whole.dump(2));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for_each_key(whole, Pointer(),
                 [&](Pointer const& at, std::string const& key) { seen.insert(schema_name((at / key).to_string())); });
  }
  for (std::string const& holder : record_.named_by_case) EXPECT_EQ(seen.erase(holder + "/*"), 1u) << holder;
  if (record_.application == "wind" && !built_with_gdal()) seen.insert({"/buildings/layer", "/vegetation/layer"});
  if (record_.application == "wind" && !built_with_proj())
    seen.insert({"/domain/crs", "/domain/around", "/domain/margin"});
  Words different;
  std::set_symmetric_difference(seen.begin(), seen.end(), names_.begin(), names_.end(),
                                std::inserter(different, different.begin()));
  EXPECT_EQ(different, Words());
}

TEST_P(WrongCase, Missing) {
  every_key([&](Json const& whole, Pointer const& at, std::string const& key) {
    // Names without a condition, and regions without a value, are in wrong_cases.json.
    if (is_named_by_case(at)) return;
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    wrong.at(at).erase(key);
    bool const required = required_.count(schema_name(pointer)) > 0 || key == "kind";
    std::string const says = record_.without(wrong, at, key, required);
    Outcome const outcome = run(wrong.dump(2));
    if (says.empty()) EXPECT_EQ(outcome.exit_code, 0) << "without " << pointer << '\n' << outcome.err;
    else refused(outcome, says, "without " + pointer);
  });
}

/// Beside the right key, so that the unknown key is the only fault.
TEST_P(WrongCase, Misspelt) {
  every_key([&](Json const& whole, Pointer const& at, std::string const& key) {
    if (is_named_by_case(at)) return;
    Json wrong = whole;
    wrong.at(at)[key + "e"] = wrong.at(at).at(key);
    std::string const pointer = (at / (key + "e")).to_string();
    refused(read(wrong.dump(2)), pointer, "with " + pointer, "did you mean \"" + key + "\"?");
  });
}

TEST_P(WrongCase, OfTheWrongType) {
  every_key([&](Json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    Json wrong = whole;
    Json& value = wrong.at(at / key);
    std::vector<Json> others{value.is_boolean() ? Json(7) : Json(true), nullptr};
    if (!record_.has_formulas)
      others.push_back(value.is_number()   ? Json("seven")
                       : value.is_string() ? Json(17)
                       : value.is_array()  ? Json("none")
                                           : Json(3.5));
    for (Json const& other : others) {
      value = other;
      refused(read(wrong.dump(2)), pointer, pointer + ": " + other.dump());
    }
  });
}

TEST_P(WrongCase, Negative) {
  int const numbers =
      every_number([&](std::string const& pointer) { return is_signed(pointer) ? Json(record_.far_below) : Json(-7); },
                   [&](Json const& wrong, std::string const& pointer) {
                     refused(run(wrong.dump(2)), pointer, pointer + " negative");
                   });
  EXPECT_GT(numbers, record_.fewest_numbers);
}

TEST_P(WrongCase, Huge) {
  every_number(
      [](std::string const&) { return 1e300; },
      [&](Json const& wrong, std::string const& pointer) { refused(read(wrong.dump(2)), pointer, pointer + " huge"); });
}

/// Words that are no JSON, and numbers that exceed double.
TEST_P(WrongCase, NotANumber) {
  every_number([](std::string const&) { return "@"; },
               [&](Json const& wrong, std::string const& pointer) {
                 std::string const text = wrong.dump(2);
                 for (char const* word : {"NaN", "1e999"}) {
                   std::string broken = text;
                   broken.replace(text.find("\"@\""), 3, word);
                   refused(read(broken), "", pointer + ' ' + word, "case.json");
                 }
               });
}

TEST_P(WrongCase, OfTheTable) {
  Json const table = Json::parse(content(KARMAN_WRONG_CASES));
  int entries = 0, compared = 0;
  for (Json const& entry : table) {
    if (entry.at(0) != record_.application) continue;
    SCOPED_TRACE(entry.dump());
    ++entries;
    Json wrong = record_.cases.at(entry.at(1).get<std::size_t>());
    for (auto const& [pointer, value] : entry.at(2).items()) {
      Pointer const at(pointer);
      wrong[at] = value;
      if (value.is_null()) wrong.at(at.parent_pointer()).erase(at.back());
      if (!value.is_object() || at.back() != "file") continue;
      wrong[at] = value.begin().key();
      place_.write(value.begin().key(), value.begin()->get<std::string>());
    }
    Outcome const outcome = run(wrong.dump(2));
    std::string const words = entry.size() > 4 ? entry.at(4).get<std::string>() : "";
    Json const& place = entry.at(3);
    if (place.is_number()) {
      EXPECT_EQ(outcome.exit_code, place.get<int>()) << outcome.err;
      EXPECT_EQ(line_count(outcome.err), place == 0 ? 0 : 1) << outcome.err;
      EXPECT_NE((outcome.out + outcome.err).find(words), std::string::npos) << outcome.out << outcome.err;
      continue;
    }
    std::string const part = place.get<std::string>();
    if (part.starts_with('/')) {
      refused(outcome, part, "", words.empty() ? "expected" : words);
    } else {
      EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
      EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
      EXPECT_TRUE(outcome.err.starts_with(part)) << outcome.err;
      EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    }
    // The command reports the same.
    if (record_.needs_command || ++compared > 4) continue;
    Outcome const reported = command(wrong.dump(2));
    EXPECT_EQ(reported.exit_code, 2);
    EXPECT_EQ(reported.err, outcome.err);
  }
  EXPECT_GT(entries, 20);
}

/// A mesh file, cut at every twentieth line. After the last of its lines nothing is missing at the end.
TEST(WrongMesh, IsCut) {
  Workplace const place;
  write_small_files(place.path(""));
  std::string const text = content(place.path("small.msh"));
  Json whole = Json::parse(small_wave_cases().at(7));
  whole["mesh"]["file"] = "cut.msh";
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) ends.push_back(at + 1);
  ASSERT_GT(ends.size(), 40u);
  for (std::size_t n = 0; n + 1 < ends.size(); n += 20) {
    place.write("cut.msh", text.substr(0, ends[n]));
    try {
      waves::read_wave_case(Case::parse(whole.dump(2), place.path("case.json").string(), waves::schema()));
      ADD_FAILURE() << "accepted after line " << n + 1;
    } catch (CaseError const& error) {
      std::string const message = error.what(), file = place.path("cut.msh").string();
      EXPECT_TRUE(message.starts_with(file)) << message;
      EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 0) << message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Applications, WrongCase,
                         ::testing::Values(wind_record(), poisson_record(), waves_record(), euler_record(),
                                           turbulence_record()),
                         [](auto const& info) { return info.param.application; });

}  // namespace wrong_case_test
