// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allowed values of a schema in words, and the known word closest to a misspelt one.
#include "case_schema.hpp"
#include "case_text.hpp"

#include <algorithm>
#include <numeric>

namespace karman::detail {
namespace {

using Json = nlohmann::json;

std::string joined(std::vector<std::string> const& words, std::string const& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

/// " > 0", " from 0 to 360", " >= 0 and < 1".
std::string range_words(Json const& schema) {
  auto const bound = [&](char const* key) { return schema.contains(key) ? schema[key].dump() : std::string(); };
  std::string const least = bound("minimum");
  std::string const above = bound("exclusiveMinimum");
  std::string const most = bound("maximum");
  std::string const below = bound("exclusiveMaximum");
  if (!least.empty() && !most.empty()) return " from " + least + " to " + most;
  std::string text;
  if (!least.empty()) text += " >= " + least;
  if (!above.empty()) text += (text.empty() ? " > " : " and > ") + above;
  if (!most.empty()) text += (text.empty() ? " <= " : " and <= ") + most;
  if (!below.empty()) text += (text.empty() ? " < " : " and < ") + below;
  return text;
}

std::string count_words(Json const& schema, char const* least_key, char const* most_key) {
  std::string least = schema.contains(least_key) ? schema[least_key].dump() : "";
  std::string const most = schema.contains(most_key) ? schema[most_key].dump() : "";
  if (least.empty() && most.empty()) return "";
  if (least == most) return least;
  if (most.empty()) return least == "1" ? "one or more" : "at least " + least;
  if (least.empty() || least == "0") return "at most " + most;
  return least + " to " + most;
}

}  // namespace

std::string CaseSchema::words(Json const& given, bool plural, std::size_t level) const {
  Json const& schema = resolved(given);
  if (!schema.is_object() || level > most_case_levels) return plural ? "values" : "a value";
  if (auto const fixed = fixed_values(schema); !fixed.empty()) {
    std::vector<std::string> choices;
    for (Json const& choice : fixed) choices.push_back(shown_value(choice));
    std::string const list = joined(choices, ", ");
    if (plural) return "values from " + list;
    return choices.size() > 1 ? "one of " + list : list;
  }
  for (char const* alternatives : {"oneOf", "anyOf"}) {
    if (!schema.contains(alternatives)) continue;
    std::vector<std::string> choices;
    for (Json const& branch : schema[alternatives]) {
      std::string choice = words(branch, plural, level + 1);
      if (std::find(choices.begin(), choices.end(), choice) == choices.end()) choices.push_back(std::move(choice));
    }
    return joined(choices, " or ");
  }
  std::vector<std::string> types;
  if (schema.contains("type")) {
    if (schema["type"].is_string()) types.push_back(schema["type"].get<std::string>());
    else types = schema["type"].get<std::vector<std::string>>();
  }
  std::vector<std::string> choices;
  for (std::string const& type : types) {
    std::string choice;
    if (type == "number" || type == "integer") {
      choice = (plural ? "" : type == "integer" ? "an " : "a ") + type + (plural ? "s" : "") + range_words(schema);
      if (schema.contains("multipleOf")) choice += ", a multiple of " + schema["multipleOf"].dump();
    } else if (type == "string") {
      std::string const length = count_words(schema, "minLength", "maxLength");
      choice = plural ? "strings" : "a string";
      if (!length.empty()) choice += " of " + length + " characters";
      if (schema.contains("x-form") && schema["x-form"] == "dataset")
        choice = "the absolute name of a dataset, such as /depth";
      else if (schema.contains("x-form"))
        choice += " without control characters and without leading or trailing blanks";
      if (schema.contains("pattern")) choice += " of the form " + schema["pattern"].get<std::string>();
    } else if (type == "boolean") {
      choice = "true or false";
    } else if (type == "array") {
      choice = plural ? "arrays" : "an array";
      std::string const count = count_words(schema, "minItems", "maxItems");
      bool const alike = schema.contains("items") && schema["items"].is_object();
      if (alike || !count.empty()) choice += " of ";
      choice += count;
      if (alike || !count.empty()) {
        choice +=
            (count.empty() ? "" : " ") + (alike ? words(schema["items"], true, level + 1) : std::string("values"));
      }
    } else if (type == "object") {
      choice = plural ? "objects" : "an object";
    } else {
      choice = type;
    }
    choices.push_back(std::move(choice));
  }
  if (choices.empty()) return plural ? "values" : "a value";
  return joined(choices, " or ");
}

std::string CaseSchema::expected(Json const& given) const {
  // Words beside a reference describe this place, those at its target all places.
  for (Json const* schema : {&given, &resolved(given)}) {
    if (schema->is_object() && schema->contains("x-expected")) return (*schema)["x-expected"].get<std::string>();
  }
  return "expected " + words(given, false, 0);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string nearest_word(std::string_view word, std::vector<std::string> const& known) {
  constexpr std::size_t longest_word = 64;
  if (word.size() > longest_word) return {};
  std::string nearest;
  std::size_t least = 0;
  for (std::string const& candidate : known) {
    std::size_t const distance = edit_distance(word, candidate);
    if (nearest.empty() || distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  // A distance beyond half of the longer word is coincidence.
  if (2 * least > std::max(word.size(), nearest.size())) return {};
  return nearest;
}

}  // namespace karman::detail
