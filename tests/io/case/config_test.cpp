// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <test_schema.hpp>

#include <random>

namespace config_test {

using karman::Case;
using karman::CaseError;
using namespace karman::test;

std::string_view const schema = karman::test::test_schema_json;

std::string const valid = R"({
  // a wind case, as people write them
  "domain": {"cells": [40, 30, 20], "spacing": 2.5},
  "wind": {"profile": {"kind": "log", "roughness": 0.1}, "speed": 5 /* m/s */},
  "buildings": [
    {"position": [10, 10], "size": [5, 5, 8]},
    {"position": [30, 10], "size": [5, 5, 12],
     "rotation": 30}
  ]
})";

Case parse(std::string const& text, std::vector<std::string> const& overrides = {}) {
  return Case::parse(text, "case.json", schema, overrides);
}

std::string error_of(std::string const& text, std::vector<std::string> const& overrides = {}) {
  return message_of<CaseError>([&] { parse(text, overrides); });
}

/// The message when the valid case is changed by overrides.
std::string error_with(std::string const& assignment) { return error_of(valid, {assignment}); }

TEST(Case, FillsInDefaults) {
  Case const input = parse(valid);
  EXPECT_EQ((input.get<std::array<int, 3>>("/domain/cells")), (std::array<int, 3>{40, 30, 20}));
  EXPECT_EQ(input.get<double>("/domain/spacing"), 2.5);
  EXPECT_EQ(input.get<double>("/wind/speed"), 5.0);
  EXPECT_EQ(input.get<double>("/wind/height"), 10.0);
  EXPECT_EQ(input.get<std::string>("/wind/profile/kind"), "log");
  EXPECT_EQ(input.get<bool>("/wind/profile/displaced"), false) << "a default of the chosen branch";
  EXPECT_EQ(input.get<double>("/buildings/0/rotation"), 0.0);
  EXPECT_EQ(input.get<double>("/buildings/1/rotation"), 30.0);
  EXPECT_EQ(input.get<std::string>("/solver/omega"), "auto");
  EXPECT_EQ(input.get<int>("/solver/max_iterations"), 10000) << "a default below a default";
  EXPECT_EQ(input.get<std::vector<std::string>>("/outputs"), (std::vector<std::string>{"faces"}));
  EXPECT_EQ(input.get<std::vector<double>>("/buildings/0/size"), (std::vector<double>{5, 5, 8}));
  EXPECT_EQ(input.size("/buildings"), 2u);
  EXPECT_TRUE(input.has("/buildings/1"));
  EXPECT_FALSE(input.has("/buildings/2"));
  EXPECT_FALSE(input.has("/seed")) << "null is no value";
  EXPECT_EQ(input.source(), "case.json");
}

TEST(Case, ResolvedTextGivesTheSameCase) {
  Case const input = parse(valid);
  Case const again = parse(input.text());
  EXPECT_EQ(again.json(), input.json());
  EXPECT_EQ(again.text(), input.text());
  Case const copy = again;
  EXPECT_EQ(copy.json(), input.json());
}

TEST(Case, LoadsFiles) {
  TemporaryFolder const folder;
  put(folder / "case.json", valid);
  Case const input = Case::load(folder / "case.json", schema);
  EXPECT_EQ(input.source(), (folder / "case.json").string());
  EXPECT_THROW(Case::load(folder / "none.json", schema), karman::FileError);
  put(folder / "case.json", "{");
  std::string const message = message_of<CaseError>([&] { Case::load(folder / "case.json", schema); });
  EXPECT_TRUE(message.starts_with((folder / "case.json").string() + ":1: column 2: ")) << message;
}

TEST(Case, NamesUnknownKeysAndTheNearestKnownOne) {
  EXPECT_EQ(
      error_with("/wind/sped=3"),
      "case.json: /wind/sped: 3: unknown key (allowed: direction, height, profile, speed), did you mean \"speed\"?");
  std::string const transposed = error_with("/wind/hieght=3");
  EXPECT_TRUE(contains(transposed, "did you mean \"height\"?")) << transposed;
  std::string const strange = error_with("/wind/zzzzzz=3");
  EXPECT_FALSE(contains(strange, "did you mean")) << strange;
  EXPECT_TRUE(contains(error_with("/buildings/1/hight=3"), "case.json: /buildings/1/hight: 3: unknown key"));
  EXPECT_TRUE(contains(error_with("/wind/profile/exponent=0.2"), "/wind/profile/exponent: 0.2: unknown key"))
      << "a key of another branch";
  EXPECT_TRUE(contains(error_with("/a~1b~0c=1"), "/a~1b~0c: 1: unknown key"));
}

TEST(Case, SaysWhatIsAllowed) {
  std::vector<std::pair<std::string, std::string>> const rows{
      {"/domain/spacing=-1", "/domain/spacing: -1: expected a number > 0"},
      {"/domain/spacing=0", "/domain/spacing: 0: expected a number > 0"},
      {"/domain/spacing=two", "/domain/spacing: \"two\": expected a number > 0"},
      {"/domain/spacing=nan", "/domain/spacing: \"nan\": expected a number > 0"},
      {"/domain/spacing=1e999", "/domain/spacing: \"1e999\": expected a number > 0"},
      {"/domain/spacing=null", "/domain/spacing: null: expected a number > 0"},
      {"/domain/spacing=[1]", "/domain/spacing: [1]: expected a number > 0"},
      {"/domain/cells=[1,2]", "/domain/cells: [1,2]: expected an array of 3 integers from 1 to 100000"},
      {"/domain/cells=7", "/domain/cells: 7: expected an array of 3 integers from 1 to 100000"},
      {"/domain/cells/1=0", "/domain/cells/1: 0: expected an integer from 1 to 100000"},
      {"/domain/cells/1=2.5", "/domain/cells/1: 2.5: expected an integer from 1 to 100000"},
      {"/domain/cells/1=1e30", "/domain/cells/1: 1e+30: expected an integer from 1 to 100000"},
      {"/domain/cells/1=99999999999999999999", "/domain/cells/1: 1e+20: expected an integer from 1 to 100000"},
      {"/wind/direction=360", "/wind/direction: 360: expected a number >= 0 and < 360"},
      {"/wind/profile/kind=lag",
       "/wind/profile/kind: \"lag\": expected one of \"log\", \"power\", did you mean \"log\"?"},
      {"/wind/profile={}", "/wind/profile/kind: missing, expected one of \"log\", \"power\""},
      {"/wind/direction={}", "/wind/direction: an empty object: expected a number >= 0 and < 360"},
      {"/wind/direction={\"a\":{\"b\":[1,2]},\"c\":2}",
       "/wind/direction: an object of 2 keys: expected a number >= 0 and < 360"},
      {"/wind/direction=[{\"a\":1}]", "/wind/direction: an array of 1 value: expected a number >= 0 and < 360"},
      {"/wind/profile=log", "/wind/profile: \"log\": expected an object"},
      {"/wind/profile/displaced=1", "/wind/profile/displaced: 1: expected true or false"},
      {"/solver/omega=2.5", "/solver/omega: 2.5: expected a number > 0 and < 2"},
      {"/solver/omega=best", "/solver/omega: \"best\": expected a number > 0 and < 2 or \"auto\""},
      {"/solver/precision=half", "/solver/precision: \"half\": expected one of \"float\", \"double\""},
      {"/solver/max_iterations=-5", "/solver/max_iterations: -5: expected an integer >= 1"},
      {"/outputs/-=", "/outputs/0: \"\": expected one of \"faces\", \"cells\", \"lambda\""},
      {"/outputs=[]", "/outputs: []: expected an array of one or more values from \"faces\", \"cells\", \"lambda\""},
      {R"(/outputs=["cells","faces","lambda","faces"])",
       "/outputs/3: \"faces\": expected different values, the one at 1 is the same"},
      {"/outputs/0=cells",
       "/outputs: an object of 1 key: expected an array of one or more values from \"faces\", \"cells\", \"lambda\""},
      {"/title=", "/title: \"\": expected a string of 1 to 20 characters"},
      {"/seed=1.5", "/seed: 1.5: expected null or an integer"},
      {"/buildings/0/size/2=0", "/buildings/0/size/2: 0: expected a height in metres, more than 0"},
  };
  for (auto const& [assignment, expected] : rows) EXPECT_EQ(error_with(assignment), "case.json: " + expected);
}

TEST(Case, ReportsEqualProblemsOnce) {
  karman::CaseProblem const same{"/a", "1", "expected 2", "", 3};
  karman::CaseProblem other = same, elsewhere = same;
  other.expected = "expected 4";
  elsewhere.line = 5;
  CaseError const error("case.json", {same, other, same, elsewhere, other});
  EXPECT_EQ(std::string(error.what()),
            "case.json:3: /a: 1: expected 2\ncase.json:3: /a: 1: expected 4\ncase.json:5: /a: 1: expected 2");
  EXPECT_EQ(error.problems().size(), 3U);
}

TEST(Case, NamesMissingKeysWithTheLineOfTheirObject) {
  EXPECT_EQ(
      error_of("{\n \"domain\": {\n \"spacing\": 1},\n \"wind\": {\"speed\": 1, \"profile\": {\"kind\": \"power\"}}}"),
      "case.json:2: /domain/cells: missing, expected an array of 3 integers from 1 to 100000\n"
      "case.json:4: /wind/profile/exponent: missing, expected a number > 0 and <= 1");
  EXPECT_EQ(error_of("[]"), "case.json:1: []: expected an object");
}

TEST(Case, ReportsAllProblemsInTheOrderOfTheFileButTenAtMost) {
  std::string text =
      "{\"wind\": {\"speed\": -1,\n\"profile\": {\"kind\": \"log\", \"roughness\": 0.1}},\n\"domain\": {\"cells\": "
      "[1,1,1],\n\"spacing\": -2}}";
  EXPECT_EQ(error_of(text),
            "case.json:1: /wind/speed: -1: expected a number >= 0\n"
            "case.json:4: /domain/spacing: -2: expected a number > 0");
  std::string buildings;
  for (int i = 0; i < 25; ++i) buildings += std::string(i > 0 ? "," : "") + "\n{\"position\": [0, 0], \"size\": 1}";
  text = valid.substr(0, valid.find("\"buildings\"")) + "\"buildings\": [" + buildings + "]}";
  try {
    parse(text);
    FAIL();
  } catch (CaseError const& error) {
    EXPECT_EQ(error.problems().size(), 25u);
    std::string const what = error.what();
    EXPECT_EQ(std::count(what.begin(), what.end(), '\n'), 10);
    EXPECT_TRUE(what.ends_with("\ncase.json: and 15 more problems")) << what;
    EXPECT_EQ(error.problems()[2].pointer, "/buildings/2/size");
    EXPECT_EQ(error.problems()[2].line, 8) << what;
  }
}

TEST(Case, FindsDuplicateKeys) {
  EXPECT_EQ(error_of("{\"domain\": {\"spacing\": 1,\n\n\"spacing\": 2}}"),
            "case.json:3: /domain/spacing: duplicate key, first in line 1");
  EXPECT_EQ(error_with("/wind={\"speed\":1,\"speed\":2}"), "case.json: /wind/speed: duplicate key, first in line 1");
}

TEST(Case, PointsAtSyntaxErrors) {
  auto const starts = [](std::string const& text, std::string const& start) {
    std::string const message = error_of(text);
    EXPECT_TRUE(message.starts_with(start) && is_one_line(message)) << message;
  };
  starts("{\"a\": 1,\n  \"b\" 2}", "case.json:2: column 7: ");
  starts("{\"a\": NaN}", "case.json:1: column 7: ");
  starts("{\"a\": 01}", "case.json:1: column 8: ");
  starts("{\"a\": 1,}", "case.json:1: column 9: ");
  starts("{\"\xc3\xa4\": Infinity}", "case.json:1: column 7: ");
  starts("", "case.json:1: column 1: ");
  starts("{} {}", "case.json:1: column 4: ");
  starts("{\"a\": \"\xff\"}", "case.json:1: column 8: ");
  starts("{\n\"a\": 1e400}", "case.json:2: expected numbers within the range of a double");
  starts("{\n /* never closed", "case.json:2: column ");
}

TEST(Case, LimitsNesting) {
  std::string const deep = std::string(100'000, '[');
  std::string const message = error_of(deep);
  EXPECT_TRUE(is_one_line(message) && contains(message, "expected at most 64 levels of nesting"))
      << message.substr(0, 300);
}

TEST(Case, AppliesOverridesBeforeValidation) {
  Case const input =
      parse(valid, {"/wind/speed=7.5", "/solver/omega=1.78", "/outputs/-=cells", "/buildings/0/rotation=45",
                    "/title=two words", "/wind/profile={\"kind\": \"power\", \"exponent\": 0.2}"});
  EXPECT_EQ(input.get<double>("/wind/speed"), 7.5);
  EXPECT_EQ(input.get<double>("/solver/omega"), 1.78);
  EXPECT_EQ(input.get<double>("/buildings/0/rotation"), 45);
  EXPECT_EQ(input.get<std::string>("/title"), "two words");
  EXPECT_EQ(input.get<double>("/wind/profile/exponent"), 0.2);
  Case const forgiving =
      parse("{\"domain\": {\"cells\": [1, 1, 1]}}",
            {"/domain/spacing=1", "/wind/speed=1", "/wind/profile/kind=log", "/wind/profile/roughness=1"});
  EXPECT_EQ(forgiving.get<std::string>("/wind/profile/kind"), "log") << "objects on the way are made";
}

TEST(Case, RefusesBadOverrides) {
  std::string const expected = "expected /pointer=value, such as /solver/tolerance=1e-6";
  EXPECT_EQ(error_with("wind/speed=1"),
            "case.json: --set: \"wind/speed=1\": " + expected + ", did you mean \"/wind/speed=1\"?");
  EXPECT_EQ(error_with("wind.speed=1.5"),
            "case.json: --set: \"wind.speed=1.5\": " + expected + ", did you mean \"/wind/speed=1.5\"?");
  EXPECT_EQ(error_with("=1"), "case.json: --set: \"=1\": " + expected);
  EXPECT_EQ(error_with("/wind/speed"), "case.json: --set: \"/wind/speed\": " + expected);
  EXPECT_TRUE(contains(error_with("/wind~2=1"), "expected a JSON pointer"));
  EXPECT_TRUE(contains(error_with("/buildings/2/rotation=1"), "expected an index below 2, or - to append"));
  EXPECT_TRUE(contains(error_with("/buildings/01/rotation=1"), "expected an index below 2"));
  EXPECT_TRUE(contains(error_with("/wind/speed/x=1"), "expected an object or array at /wind/speed, found 5"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "/a";
  EXPECT_TRUE(contains(error_with(deep + "=1"), "expected fewer levels"));
}

TEST(Case, AnOverrideHasNoLine) {
  std::string const in_file = error_of(
      "{\"domain\": {\"cells\": [1,1,1],\n\"spacing\": -2},\n\"wind\": {\"speed\": 1, \"profile\": {\"kind\": \"log\", "
      "\"roughness\": 1}}}");
  EXPECT_EQ(in_file, "case.json:2: /domain/spacing: -2: expected a number > 0");
}

TEST(Case, TakesIntegersInAnyNotation) {
  EXPECT_EQ(parse(valid, {"/solver/max_iterations=1e3"}).get<int>("/solver/max_iterations"), 1000);
  EXPECT_TRUE(parse(valid, {"/solver/max_iterations=1e3"}).json()["solver"]["max_iterations"].is_number_integer());
}

TEST(Case, ChecksItsOwnUse) {
  Case const input = parse(valid, {"/solver/max_iterations=5000000000"});
  EXPECT_THROW(input.get<double>("/none"), std::logic_error);
  EXPECT_THROW(input.get<double>("/wind"), std::logic_error);
  EXPECT_THROW(input.get<bool>("/wind/speed"), std::logic_error);
  EXPECT_THROW(input.get<std::string>("/wind/speed"), std::logic_error);
  EXPECT_THROW((input.get<std::array<double, 2>>("/domain/cells")), std::logic_error);
  EXPECT_THROW(input.size("/wind/speed"), std::logic_error);
  EXPECT_EQ(input.get<std::int64_t>("/solver/max_iterations"), 5'000'000'000);
  EXPECT_TRUE(contains(message_of<CaseError>([&] { input.get<int>("/solver/max_iterations"); }),
                       "expected an integer from -2147483648 to 2147483647"));
  EXPECT_THROW(Case::parse("{}", "x", "{"), std::logic_error);
  EXPECT_THROW(Case::parse("{}", "x", R"({"minLength": "x"})"), std::logic_error);
}

TEST(Case, MakesErrorsBeyondTheSchema) {
  Case const input = parse(valid);
  CaseError const error = input.error("/buildings/1", "expected a building inside the domain");
  EXPECT_STREQ(error.what(), "case.json:7: /buildings/1: expected a building inside the domain");
  EXPECT_EQ(input.problem("/buildings/1/rotation", "x").line, 8);
  EXPECT_EQ(input.problem("/buildings/1/size/0", "x").line, 7);
  EXPECT_EQ(input.problem("/wind/height", "x").line, 4) << "a default stands where its object stands";
}

TEST(Case, LeavesTheLastWordToTheSchemaLibrary) {
  // A rule without a message of its own: if/then.
  std::string const rule = R"({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "if": {"required": ["a"]}, "then": {"required": ["b"]}})";
  EXPECT_NO_THROW(Case::parse(R"({"a": 1, "b": 2})", "x", rule));
  std::string const message = message_of<CaseError>([&] { Case::parse(R"({"a": 1})", "x", rule); });
  EXPECT_TRUE(contains(message, "x:1: ")) << message;
}

TEST(Case, NamesTextsOfAWrongFormInTheirBranch) {
  char const* const schema = R"({"oneOf": [
    {"properties": {"kind": {"const": "a"}, "digits": {"type": "string", "pattern": "^[0-9]{2}$"}}},
    {"properties": {"kind": {"const": "b"}}}]})";
  EXPECT_NO_THROW(Case::parse(R"({"kind": "a", "digits": "12"})", "x", schema));
  std::string const message =
      message_of<CaseError>([&] { Case::parse(R"({"kind": "a", "digits": "1x"})", "x", schema); });
  EXPECT_NE(message.find("/digits: \"1x\": expected"), std::string::npos) << message;
  EXPECT_NE(message.find("of the form ^[0-9]{2}$"), std::string::npos) << message;
}

TEST(Case, ShortensLargeValues) {
  std::string const message = error_with(std::string("/wind/speed=").append(100'000, 'x'));
  EXPECT_LT(message.size(), 200u) << message;
  std::string const key = error_with(std::string("/wind/").append(100'000, 'x') + "=1");
  EXPECT_LT(key.size(), 400u) << key;
  EXPECT_TRUE(contains(key, "...: 1: unknown key (allowed: direction")) << key;
  std::string array = "[0";
  for (int i = 0; i < 10'000; ++i) array += ",0";
  EXPECT_TRUE(contains(error_with("/wind/speed=" + array + "]"), "/wind/speed: an array of 10001 values: expected"));
}

/// Every value of a case in turn becomes wrong: always one CaseError with the place.
TEST(Case, EveryValueCanBeWrong) {
  nlohmann::json const whole = parse(valid).json();
  nlohmann::json const flat = whole.flatten();
  std::size_t tried = 0;
  for (auto const& [pointer, value] : flat.items()) {
    if (pointer == "/seed" || pointer == "/title") continue;  // null is allowed, or any text
    for (char const* wrong : {"{\"x\":1}", "[[]]", "-1e300", "nonsense", "null"}) {
      bool const allowed = std::string(wrong) == "-1e300" && (pointer.find("position") != std::string::npos ||
                                                              pointer.find("rotation") != std::string::npos);
      if (allowed) continue;
      std::string const message = error_of(whole.dump(), {pointer + "=" + wrong});
      EXPECT_TRUE(message.starts_with("case.json: " + pointer)) << pointer << " = " << wrong << ": " << message;
      EXPECT_TRUE(is_one_line(message)) << message;
      ++tried;
    }
  }
  EXPECT_GT(tried, 100u);
}

TEST(Case, AnyBytesGiveACaseOrACaseError) {
  std::mt19937 random(3);
  std::string const alphabet = "{}[]\",:0123456789.eE+-/*\\ \n\t\"untrfalse\xc3\xa4\xff\x01";
  int valid_ones = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = valid;
    for (unsigned change = random() % 4 + 1; change > 0; --change) {
      std::size_t const at = random() % text.size();
      char const c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0: text[at] = c; break;
        case 1: text.insert(at, 1, c); break;
        default: text.erase(at, random() % 8);
      }
    }
    try {
      parse(text);
      ++valid_ones;
    } catch (CaseError const& error) {
      std::string const what = error.what();
      EXPECT_TRUE(what.starts_with("case.json")) << what;
      std::size_t const problems = error.problems().size();
      EXPECT_EQ(static_cast<std::size_t>(std::count(what.begin(), what.end(), '\n')) + 1,
                std::min(problems, CaseError::max_reported + 1))
          << what;
    }
  }
  EXPECT_GT(valid_ones, 0);
  EXPECT_LT(valid_ones, 1500);
}

}  // namespace config_test
