// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Traversal of cases and schemas key by key, for tests that make every key wrong in turn.
#pragma once

#include "run_command.hpp"
#include <karman/io/config.hpp>
#include <karman/io/error.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace karman::test {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

/// Calls action(pointer, key, value) for every member of every object.
inline void for_each_key(Json const& value, Pointer const& at,
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
inline void collect_properties(Json const& given, std::string const& at, std::set<std::string>& names,
                               std::set<std::string>& required, Json const& root) {
  Json const& schema = given.contains("$ref") ? root.at(Pointer(given.at("$ref").get<std::string>().substr(1))) : given;
  for (char const* choice : {"oneOf", "anyOf"}) {
    if (schema.contains(choice)) {
      for (Json const& branch : schema.at(choice)) collect_properties(branch, at, names, required, root);
    }
  }
  if (schema.contains("additionalProperties") && schema.at("additionalProperties").is_object())
    collect_properties(schema.at("additionalProperties"), at + "/*", names, required, root);
  if (schema.contains("items")) collect_properties(schema.at("items"), at, names, required, root);
  if (!schema.contains("properties")) return;
  for (auto const& [key, member] : schema.at("properties").items()) {
    names.insert(at + '/' + key);
    collect_properties(member, at + '/' + key, names, required, root);
  }
  if (schema.contains("required")) {
    for (Json const& key : schema.at("required")) required.insert(at + '/' + key.get<std::string>());
  }
}

/// A pointer without array indices, in the form of collect_properties().
inline std::string without_indices(std::string const& pointer) {
  std::string result;
  for (std::size_t begin = 0; begin < pointer.size();) {
    std::size_t const end = std::min(pointer.find('/', begin + 1), pointer.size());
    std::string const part = pointer.substr(begin, end - begin);
    if (part.find_first_not_of("/0123456789") != std::string::npos) result += part;
    begin = end;
  }
  return result;
}

/// Does action(case, pointer of the object, key) for every key of the cases, each pointer once.
inline void every_key(std::vector<Json> const& cases,
                      std::function<void(Json const&, Pointer const&, std::string const&)> const& action) {
  std::set<std::string> seen;
  for (Json const& whole : cases) {
    for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
      Json const& holder = whole.at(at);
      std::string kind = holder.contains("kind") ? holder.at("kind").get<std::string>() : "";
      if (whole.contains("problem")) kind += whole.at("problem").get<std::string>();
      if (seen.insert((at / key).to_string() + ' ' + kind).second) action(whole, at, key);
    });
  }
}

/// Calls action(case, pointer) for every number of the cases, members of arrays included.
inline void every_number(std::vector<Json> const& cases,
                         std::function<void(Json const&, Pointer const&)> const& action) {
  every_key(cases, [&](Json const& whole, Pointer const& at, std::string const& key) {
    Json const& value = whole.at(at / key);
    if (value.is_number()) action(whole, at / key);
    if (!value.is_array()) return;
    for (std::size_t n = 0; n < value.size(); ++n) {
      if (value[n].is_number()) action(whole, at / key / n);
    }
  });
}

/// A case of one application, made wrong. The command only checks it.
class WrongCaseOf : public ::testing::Test {
 protected:
  explicit WrongCaseOf(std::string application) : application_(std::move(application)) {
    Json const schema = Json::parse(place_.karman({application_, "--schema"}).out);
    collect_properties(schema, "", names_, required_, schema);
  }

  virtual Outcome run(std::string const& text) {
    place_.write("case.json", text);
    return place_.karman({application_, "case.json", "--dry-run"});
  }

  /// As in the command, but within this process: traversals of all keys would start it a thousand times. `read` reads
  /// the case beyond its schema and returns the lines that the command would print.
  Outcome checked(std::string const& text, std::string_view schema,
                  std::function<std::string(Case const&)> const& read) const {
    std::string const folder = place_.path("").string();
    Outcome outcome;
    try {
      outcome.out = read(Case::parse(text, place_.path("case.json").string(), schema));
      outcome.exit_code = 0;
    } catch (CaseError const& error) {
      outcome.exit_code = CaseError::exit_code;
      outcome.err = std::string(error.what()) + '\n';
    } catch (FileError const& error) {
      outcome.exit_code = FileError::exit_code;
      outcome.err = std::string(error.what()) + '\n';
    }
    for (std::size_t at = 0; (at = outcome.err.find(folder)) != std::string::npos;)
      outcome.err.erase(at, folder.size());
    return outcome;
  }

  /// Expects exit code 2 and one line that starts with the name of the case and contains `part`.
  void refused(std::string const& text, std::string const& part, std::string const& what,
               std::string const& advice = "expected") {
    Outcome const outcome = run(text);
    EXPECT_EQ(outcome.exit_code, 2) << what << '\n' << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << what << '\n' << outcome.err;
    EXPECT_EQ(outcome.err.rfind("case.json", 0), 0u) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(advice), std::string::npos) << what << '\n' << outcome.err;
  }

  /// Adds a misspelt copy beside every key, so that the unknown key is the only fault. `leave_out`: objects whose keys
  /// are names of the mesh.
  void misspelt(std::vector<Json> const& cases, std::function<bool(Pointer const&)> const& leave_out = {}) {
    every_key(cases, [&](Json const& whole, Pointer const& at, std::string const& key) {
      if (leave_out && leave_out(at)) return;
      Json wrong = whole;
      wrong.at(at)[key + "e"] = wrong.at(at).at(key);
      std::string const pointer = (at / (key + "e")).to_string();
      refused(wrong.dump(2), pointer, "with " + pointer, "did you mean \"" + key + "\"?");
    });
  }

  /// Replaces every number by -7, or by `far_below` where `is_signed` admits negative numbers. Returns their count.
  int negative(std::vector<Json> const& cases, std::function<bool(std::string const&)> const& is_signed,
               double far_below) {
    int numbers = 0;
    every_number(cases, [&](Json const& whole, Pointer const& at) {
      Json wrong = whole;
      wrong.at(at) = is_signed(at.to_string()) ? far_below : -7;
      refused(wrong.dump(2), at.to_string(), at.to_string() + " negative");
      ++numbers;
    });
    return numbers;
  }

  void huge(std::vector<Json> const& cases) {
    every_number(cases, [&](Json const& whole, Pointer const& at) {
      Json wrong = whole;
      wrong.at(at) = 1e300;
      refused(wrong.dump(2), at.to_string(), at.to_string() + " huge");
    });
  }

  /// Replaces numbers by words that are no JSON, and by numbers that exceed double.
  void not_a_number(std::vector<Json> const& cases) {
    every_number(cases, [&](Json const& whole, Pointer const& at) {
      Json wrong = whole;
      wrong.at(at) = "@";
      std::string const text = wrong.dump(2);
      for (char const* word : {"NaN", "1e999"}) {
        std::string broken = text;
        broken.replace(text.find("\"@\""), 3, word);
        refused(broken, "", at.to_string() + ' ' + word, "case.json");
      }
    });
  }

  std::string application_;
  Workplace place_;
  std::set<std::string> names_;
  std::set<std::string> required_;
};

}  // namespace karman::test
