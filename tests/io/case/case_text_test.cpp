// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts in cases that would fail later, bytes that are not UTF-8, and cases with very many values.
#include "cpu_time.hpp"
#include "io/expect_message.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace case_text_test {

using karman::Case;
using karman::CaseError;
using karman::FileError;
using namespace karman::test;

std::string_view const schema = R"({
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "title": {"type": "string", "default": ""},
    "name": {"type": "string", "minLength": 1, "maxLength": 60, "x-form": "name"},
    "dataset": {"type": "string", "x-form": "dataset", "default": "/depth"},
    "gauges": {
      "type": "array",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["at"],
        "properties": {"at": {"type": "array", "items": {"type": "number"}}, "weight": {"type": "number", "default": 1}}
      }
    }
  }
})";

std::string refusal(nlohmann::json const& value) {
  return message_of<CaseError>([&] { Case::parse(value.dump(), "case.json", schema); });
}

TEST(CaseText, NamesFitOnALine) {
  for (std::string const& name : {std::string("sea "), std::string(" sea"), std::string("a\tb"), std::string("a\nb"),
                                  std::string("\x7f"), std::string(" ")}) {
    std::string const message = refusal({{"name", name}});
    EXPECT_TRUE(is_one_line(message)) << message;
    EXPECT_TRUE(contains(message, "/name: ") && contains(message, "without control characters and without leading"))
        << message;
  }
  EXPECT_EQ(Case::parse(R"({"name": "Jetée 3, west"})", "case.json", schema).get<std::string>("/name"),
            "Jetée 3, west");
}

TEST(CaseText, NoTextHasANul) {
  std::string const nul("a\0b", 3);
  for (char const* key : {"name", "title", "dataset"}) {
    std::string const message = refusal({{key, nul}});
    EXPECT_TRUE(is_one_line(message) && contains(message, "expected a string without the character U+0000")) << message;
  }
}

TEST(CaseText, DatasetsHaveAbsolutePlainNames) {
  for (char const* name : {"ff", "", "/", "//", "/g/../f", "/g/./f", "/g//f", "/g/", "../f"}) {
    std::string const message = refusal({{"dataset", name}});
    EXPECT_TRUE(contains(message, "expected the absolute name of a dataset, such as /depth")) << message;
  }
  EXPECT_EQ(Case::parse(R"({"dataset": "/a/b c"})", "case.json", schema).get<std::string>("/dataset"), "/a/b c");
}

TEST(CaseText, OverridesAreUtf8) {
  std::vector<std::string> const overrides{"/title=caf\xe9"};
  std::string const message = message_of<CaseError>([&] { Case::parse("{}", "case.json", schema, overrides); });
  EXPECT_TRUE(contains(message, "expected text in UTF-8")) << message;
  std::vector<std::string> const good{"/title=café"};
  EXPECT_EQ(Case::parse("{}", "case.json", schema, good).get<std::string>("/title"), "café");
}

TEST(Messages, ShowBytesThatAreNoTextByTheirNumbers) {
  // Alone, cut short, overlong, a surrogate, beyond Unicode, and a control character of two bytes.
  std::string const bytes = "\xff \xc3 \xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xc2\x9b";
  std::string const shown = "\\xff \\xc3 \\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xc2\\x9b";
  std::string const good = "é € 𝄞";
  EXPECT_EQ(FileError("a", "read", bytes + good).what(), "cannot read a: " + shown + good);
  karman::CaseProblem problem;
  problem.pointer = "/" + bytes;
  problem.expected = good;
  EXPECT_EQ(problem.message(), "/" + shown + ": " + good);
  problem.pointer = std::string(199, 'x') + "é";  // cut before the character, not within it
  EXPECT_EQ(problem.message(), std::string(199, 'x') + "...: " + good);
}

std::string many_gauges(int count) {
  std::string text = "{\"gauges\": [";
  for (int n = 0; n < count; ++n) text += (n > 0 ? ",\n{\"at\": [" : "{\"at\": [") + std::to_string(n) + ", 1]}";
  return text + "]}";
}

TEST(CaseText, TimeGrowsWithTheNumberOfObjects) {
  constexpr int few = 8000;
  std::string const small = many_gauges(few), large = many_gauges(4 * few);
  auto const parse = [&](int count) { Case::parse(count == few ? small : large, "case.json", schema); };
  EXPECT_LT(growth_of_time(few, parse), most_growth);
  EXPECT_EQ(Case::parse(small, "case.json", schema).size("/gauges"), static_cast<std::size_t>(few));
  // Wrong in each of them: as many problems, each with its line.
  try {
    std::string text = "{\"gauges\": [1";
    for (int n = 1; n < few; ++n) text += ",\n1";
    Case::parse(text + "]}", "case.json", schema);
    FAIL() << "numbers are no gauges";
  } catch (CaseError const& error) {
    ASSERT_EQ(error.problems().size(), static_cast<std::size_t>(few));
    EXPECT_EQ(error.problems().back().line, few);
  }
}

TEST(CaseText, AListOfWrongValuesIsCheckedUpToALimit) {
  std::string text = "{\"gauges\": [1";
  for (int n = 1; n < 300'000; ++n) text += ",\n1";
  text += "],\n\"title\": 3}";
  try {
    Case::parse(text, "case.json", schema);
    FAIL() << "numbers are no gauges";
  } catch (CaseError const& error) {
    std::string const what = error.what();
    EXPECT_TRUE(what.starts_with("case.json:1: /gauges/0: 1: ")) << what;
    EXPECT_TRUE(contains(what, "\ncase.json:10: /gauges/9: 1: ")) << what;
    EXPECT_TRUE(what.ends_with("\ncase.json: and 9992 more problems")) << what;
    ASSERT_EQ(error.problems().size(), 10'002u) << "those of the list, the note, the title";
    EXPECT_EQ(error.problems()[10'000].message(), "/gauges/10000: this value and those after it are not checked");
    EXPECT_EQ(error.problems().back().pointer, "/title");
  }
}

}  // namespace case_text_test
