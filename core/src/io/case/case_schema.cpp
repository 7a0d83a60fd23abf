// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_schema.hpp"

#include "case_text.hpp"
#include "io/files/plain_text.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <stdexcept>

namespace karman::detail {
namespace {

using Json = nlohmann::json;

/// Larger integers are not all distinct as doubles.
constexpr double most_integer = 9007199254740992.0;

std::size_t characters(std::string const& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool in_range(Json const& schema, double value) {
  auto const bound = [&](char const* key) { return schema[key].get<double>(); };
  return !(schema.contains("minimum") && value < bound("minimum")) &&
         !(schema.contains("maximum") && value > bound("maximum")) &&
         !(schema.contains("exclusiveMinimum") && value <= bound("exclusiveMinimum")) &&
         !(schema.contains("exclusiveMaximum") && value >= bound("exclusiveMaximum"));
}

bool count_fits(Json const& schema, char const* least_key, char const* most_key, std::size_t count) {
  return !(schema.contains(least_key) && count < schema[least_key].get<std::size_t>()) &&
         !(schema.contains(most_key) && count > schema[most_key].get<std::size_t>());
}

/// Forms of a text that becomes a name.
bool has_form(Json const& schema, std::string const& text) {
  if (!schema.contains("x-form")) return true;
  Json const& form = schema["x-form"];
  if (form == "name") return is_plain_name(text);
  if (form == "dataset") return is_hdf5_name(text);
  throw std::logic_error("case schema: unknown form " + form.dump());
}

/// True when the values of a list or object have too many problems. One more then reports that the rest is not checked.
/// A million wrong values need no million messages.
bool ends_list(std::size_t before, std::string const& pointer, std::vector<CaseProblem>& problems) {
  constexpr std::size_t most_problems = 10'000;
  if (problems.size() - before < most_problems) return false;
  CaseProblem rest;
  rest.pointer = pointer;
  rest.expected = "this value and those after it are not checked";
  problems.push_back(std::move(rest));
  return true;
}

CaseProblem problem_at(std::string const& pointer, Json const& value, std::string expected) {
  CaseProblem problem;
  problem.pointer = pointer;
  problem.value = shown_value(value);
  problem.expected = std::move(expected);
  return problem;
}

}  // namespace

CaseSchema::CaseSchema(std::string_view text) {
  try {
    root_ = Json::parse(text);
  } catch (Json::exception const& error) {
    throw std::logic_error(std::string("case schema: invalid JSON: ") + error.what());
  }
  check_schema(root_);
  find_targets(root_);
}

void CaseSchema::find_targets(Json const& schema) {
  if (!schema.is_structured()) return;
  if (schema.is_object() && schema.contains("$ref")) {
    Json const* at = &schema;
    for (std::size_t steps = 0; at->is_object() && at->contains("$ref"); ++steps) {
      Json const& given = (*at)["$ref"];
      std::string const reference = given.is_string() ? given.get<std::string>() : "";
      if (!reference.starts_with('#') || steps == most_case_levels)
        throw std::logic_error("case schema: missing reference " + reference);
      at = &root_.at(Json::json_pointer(reference.substr(1)));
    }
    targets_.emplace(&schema, at);
  }
  for (Json const& part : schema) find_targets(part);
}

Json const& CaseSchema::resolved(Json const& schema) const {
  if (!schema.is_object() || !schema.contains("$ref")) return schema;
  return *targets_.at(&schema);
}

std::span<Json const> CaseSchema::fixed_values(Json const& schema) {
  if (auto const found = schema.find("const"); found != schema.end()) return {&*found, 1};
  if (auto const found = schema.find("enum"); found != schema.end()) return found->get_ref<Json::array_t const&>();
  return {};
}

std::span<Json const> CaseSchema::fixed_of(Json const& given) const {
  Json const& schema = resolved(given);
  return schema.is_object() ? fixed_values(schema) : std::span<Json const>();
}

bool CaseSchema::has_type(Json const& schema, Json const& value) const {
  if (!schema.contains("type")) return true;
  auto const is = [&](std::string const& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer() && std::abs(value.get<double>()) <= most_integer;
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    return type == "null" && value.is_null();
  };
  Json const& type = schema["type"];
  if (type.is_string()) return is(type.get<std::string>());
  return std::any_of(type.begin(), type.end(), [&](Json const& one) { return is(one.get<std::string>()); });
}

Json const* CaseSchema::chosen_branch(Json const& branches, Json const& value) const {
  Json const* chosen = nullptr;
  std::size_t fitting = 0;
  for (Json const& given : branches) {
    Json const& branch = resolved(given);
    if (!branch.is_object()) continue;
    bool fits = has_type(branch, value);
    auto const fixed = fixed_values(branch);
    if (!fixed.empty()) fits = fits && std::find(fixed.begin(), fixed.end(), value) != fixed.end();
    if (fits && value.is_object() && branch.contains("properties")) {
      for (auto const& [key, member] : branch["properties"].items()) {
        auto const choice = fixed_of(member);
        // One word that every value of this branch has, and that identifies the branch.
        if (choice.size() != 1) continue;
        auto const found = value.find(key);
        fits = found != value.end() && *found == choice[0];
        if (!fits) break;
      }
    }
    if (fits) {
      chosen = &given;
      ++fitting;
    }
  }
  return fitting == 1 ? chosen : nullptr;
}

void CaseSchema::complete(Json const& given, Json& value, std::size_t level) const {
  Json const& schema = resolved(given);
  if (!schema.is_object() || level > most_case_levels) return;
  if (value.is_number_float() && schema.contains("type") && schema["type"] == "integer") {
    double const number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) <= most_integer) value = static_cast<std::int64_t>(number);
  }
  if (value.is_object() && schema.contains("properties")) {
    for (auto const& [key, member] : schema["properties"].items()) {
      if (!value.contains(key)) {
        for (Json const* place : {&member, &resolved(member)}) {
          if (place->is_object() && place->contains("default") && !value.contains(key))
            value[key] = (*place)["default"];
        }
      }
      if (value.contains(key)) complete(member, value[key], level + 1);
    }
  }
  if (value.is_object() && schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    for (auto& [key, member] : value.items()) {
      if (!schema.contains("properties") || !schema["properties"].contains(key)) {
        complete(schema["additionalProperties"], member, level + 1);
      }
    }
  }
  // A list that is too long is refused: its values need no defaults.
  if (value.is_array() && schema.contains("items") && count_fits(schema, "minItems", "maxItems", value.size())) {
    Json const& items = schema["items"];
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (items.is_object()) complete(items, value[i], level + 1);
      else if (items.is_array() && i < items.size()) complete(items[i], value[i], level + 1);
    }
  }
  if (schema.contains("allOf")) {
    for (Json const& part : schema["allOf"]) complete(part, value, level + 1);
  }
  for (char const* alternatives : {"oneOf", "anyOf"}) {
    if (!schema.contains(alternatives)) continue;
    if (Json const* branch = chosen_branch(schema[alternatives], value)) complete(*branch, value, level + 1);
  }
}

std::vector<CaseProblem> CaseSchema::problems(Json const& value) const {
  std::vector<CaseProblem> found;
  explain(root_, value, "", 0, found);
  // The library checks the whole schema, including keywords without a message here (if/then, dependencies, not).
  if (found.empty()) found = validate_with_library(root_, value);
  return found;
}

void CaseSchema::explain(Json const& given, Json const& value, std::string const& pointer, std::size_t level,
                         std::vector<CaseProblem>& problems) const {
  Json const& schema = resolved(given);
  if (!schema.is_object() || level > most_case_levels) return;
  auto const wrong = [&] { problems.push_back(problem_at(pointer, value, expected(given))); };
  if (!has_type(schema, value)) return wrong();
  if (auto const fixed = fixed_values(schema); !fixed.empty()) {
    if (std::find(fixed.begin(), fixed.end(), value) == fixed.end()) {
      wrong();
      std::vector<std::string> known;
      for (Json const& word : fixed) {
        if (word.is_string()) known.push_back(word.get<std::string>());
      }
      if (value.is_string()) problems.back().suggestion = nearest_word(value.get<std::string>(), known);
      return;
    }
  }
  if (value.is_number() && !in_range(schema, value.get<double>())) return wrong();
  if (value.is_string()) {
    auto const& text = value.get_ref<std::string const&>();
    // Libraries that receive these texts end them at the first NUL.
    if (text.find('\0') != std::string::npos) {
      problems.push_back(problem_at(pointer, value, "expected a string without the character U+0000"));
      return;
    }
    if (!count_fits(schema, "minLength", "maxLength", characters(text)) || !has_form(schema, text)) return wrong();
    if (schema.contains("pattern") && !std::regex_search(text, std::regex(schema["pattern"].get<std::string>())))
      return wrong();
  }
  if (value.is_object()) explain_object(schema, value, pointer, level, problems);
  if (value.is_array()) {
    if (!count_fits(schema, "minItems", "maxItems", value.size())) return wrong();
    explain_array(schema, value, pointer, level, problems);
  }
  if (schema.contains("allOf")) {
    for (Json const& part : schema["allOf"]) explain(part, value, pointer, level + 1, problems);
  }
  for (char const* alternatives : {"oneOf", "anyOf"}) {
    if (!schema.contains(alternatives)) continue;
    Json const& branches = schema[alternatives];
    if (Json const* branch = chosen_branch(branches, value)) {
      explain(*branch, value, pointer, level + 1, problems);
      continue;
    }
    bool const of_type = std::any_of(branches.begin(), branches.end(), [&](Json const& branch) {
      return resolved(branch).is_object() && has_type(resolved(branch), value) &&
             fixed_values(resolved(branch)).empty();
    });
    if (!of_type) {
      wrong();
    } else if (value.is_object()) {
      explain_choice(branches, value, pointer, problems);
    }
  }
}

/// Describes an object that matches no branch by the member that distinguishes the branches.
void CaseSchema::explain_choice(Json const& branches, Json const& value, std::string const& pointer,
                                std::vector<CaseProblem>& problems) const {
  std::vector<std::string> keys;
  Json words = Json::object();
  for (Json const& given : branches) {
    Json const& branch = resolved(given);
    if (!branch.is_object() || !branch.contains("properties")) continue;
    for (auto const& [key, member] : branch["properties"].items()) {
      auto const choice = fixed_of(member);
      if (choice.size() == 1) words[key].push_back(choice[0]);
    }
  }
  for (auto const& [key, choices] : words.items()) {
    Json const member{{"enum", choices}};
    if (!value.contains(key)) {
      CaseProblem problem;
      problem.pointer = pointer_below(pointer, key);
      problem.expected = "missing, " + expected(member);
      problems.push_back(std::move(problem));
    } else {
      explain(member, value[key], pointer_below(pointer, key), 0, problems);
    }
  }
}

void CaseSchema::explain_object(Json const& schema, Json const& value, std::string const& pointer, std::size_t level,
                                std::vector<CaseProblem>& problems) const {
  static Json const none = Json::object();
  Json const& members = schema.contains("properties") ? schema["properties"] : none;
  std::size_t const before = problems.size();
  for (auto const& [key, member] : value.items()) {
    std::string const below = pointer_below(pointer, key);
    if (ends_list(before, below, problems)) break;
    if (members.contains(key)) {
      explain(members[key], member, below, level + 1, problems);
    } else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
      explain(schema["additionalProperties"], member, below, level + 1, problems);
    } else if (schema.contains("additionalProperties") && schema["additionalProperties"] == false &&
               !schema.contains("patternProperties")) {
      constexpr std::size_t most_listed = 16;
      std::vector<std::string> known;
      std::string listed;
      for (auto const& [word, ignored] : members.items()) {
        known.push_back(word);
        if (known.size() > most_listed) continue;
        if (!listed.empty()) listed += ", ";
        listed += word;
      }
      if (known.size() > most_listed) listed += ", ...";
      CaseProblem problem = problem_at(below, member, "unknown key (allowed: " + listed + ')');
      problem.suggestion = nearest_word(key, known);
      problems.push_back(std::move(problem));
    }
  }
  if (!schema.contains("required")) return;
  for (Json const& required : schema["required"]) {
    std::string const key = required.get<std::string>();
    if (value.contains(key)) continue;
    CaseProblem problem;
    problem.pointer = pointer_below(pointer, key);
    problem.expected = "missing, " + (members.contains(key) ? expected(members[key]) : std::string("expected a value"));
    problems.push_back(std::move(problem));
  }
}

void CaseSchema::explain_array(Json const& schema, Json const& value, std::string const& pointer, std::size_t level,
                               std::vector<CaseProblem>& problems) const {
  if (!schema.contains("items")) return;
  Json const& items = schema["items"];
  // Values of a list are in the order of the file: the first problems of the case are among those that are kept.
  std::size_t const before = problems.size();
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (ends_list(before, pointer_below(pointer, i), problems)) return;
    if (items.is_object()) explain(items, value[i], pointer_below(pointer, i), level + 1, problems);
    else if (items.is_array() && i < items.size())
      explain(items[i], value[i], pointer_below(pointer, i), level + 1, problems);
  }
  if (problems.size() > before || !schema.value("uniqueItems", false)) return;
  // Right values of a list of words: the first repetition is among the first ones.
  for (std::size_t i = 1; i < value.size(); ++i) {
    auto const at = value.begin() + static_cast<std::ptrdiff_t>(i);
    auto const same = std::find(value.begin(), at, *at);
    if (same == at) continue;
    problems.push_back(
        problem_at(pointer_below(pointer, i), *at,
                   "expected different values, the one at " + std::to_string(same - value.begin()) + " is the same"));
    return;
  }
}

}  // namespace karman::detail
