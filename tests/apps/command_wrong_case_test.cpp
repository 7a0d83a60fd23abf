// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every key of a case, wrong in turn: missing, misspelt, of the wrong type, negative, not a number, huge.
#include "run_command.hpp"
#include "small_case.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <set>

namespace {

using namespace karman::test;
using nlohmann::json;
using Pointer = json::json_pointer;

/// Cases that together have every key of the schema.
std::vector<json> complete_cases() {
  json const first = json::parse(small_wind_case);
  json second = first;
  second["domain"]["layers"] = {{"kind", "list"}, {"thicknesses", {2, 2, 2, 3, 4, 5}}};
  second["wind"]["profile"] = {{"kind", "power"}, {"speed", 4}, {"height", 10}, {"exponent", 0.2}};
  json third = first;
  third["domain"]["layers"] = {{"kind", "uniform"}, {"count", 12}, {"thickness", 2}};
  return {first, second, third};
}

/// Calls action(pointer, key, value) for every member of every object.
void for_each_key(json const& value, Pointer const& at,
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

/// Names of all properties in a schema, with the names of those above them, branches of a choice folded together.
void collect_properties(json const& schema, std::string const& at, std::set<std::string>& names,
                        std::set<std::string>& required) {
  for (char const* choice : {"oneOf", "anyOf"}) {
    if (schema.contains(choice)) {
      for (json const& branch : schema.at(choice)) collect_properties(branch, at, names, required);
    }
  }
  if (schema.contains("items")) collect_properties(schema.at("items"), at, names, required);
  if (!schema.contains("properties")) return;
  for (auto const& [key, member] : schema.at("properties").items()) {
    names.insert(at + '/' + key);
    collect_properties(member, at + '/' + key, names, required);
  }
  if (schema.contains("required")) {
    for (json const& key : schema.at("required")) required.insert(at + '/' + key.get<std::string>());
  }
}

/// A pointer without the numbers of array members, as collect_properties() names things.
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

class WrongCase : public ::testing::Test {
 protected:
  WrongCase() {
    Outcome const printed = place_.karman({"wind", "--schema"});
    collect_properties(json::parse(printed.out), "", names_, required_);
  }

  Outcome run(std::string const& text) {
    place_.write("case.json", text);
    return place_.karman({"wind", "case.json", "--dry-run"});
  }

  /// Refused with exit code 2 in one line that starts with the name of the case and has `part`.
  void refused(std::string const& text, std::string const& part, std::string const& what,
               std::string const& advice = "expected") {
    Outcome const outcome = run(text);
    EXPECT_EQ(outcome.exit_code, 2) << what << '\n' << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << what << '\n' << outcome.err;
    EXPECT_EQ(outcome.err.rfind("case.json", 0), 0u) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << what << '\n' << outcome.err;
    EXPECT_NE(outcome.err.find(advice), std::string::npos) << what << '\n' << outcome.err;
  }

  Workplace place_;
  std::set<std::string> names_;
  std::set<std::string> required_;
};

/// Does action(case, pointer of the object, key) for every key of the complete cases, each pointer once.
void every_key(std::function<void(json const&, Pointer const&, std::string const&)> const& action) {
  std::set<std::string> seen;
  for (json const& whole : complete_cases()) {
    for_each_key(whole, Pointer(), [&](Pointer const& at, std::string const& key) {
      json const& holder = whole.at(at);
      std::string const kind = holder.contains("kind") ? holder.at("kind").get<std::string>() : "";
      if (seen.insert((at / key).to_string() + ' ' + kind).second) action(whole, at, key);
    });
  }
}

TEST_F(WrongCase, TheCompleteCasesAreRightAndHaveEveryKey) {
  std::set<std::string> seen;
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
  every_key([&](json const& whole, Pointer const& at, std::string const& key) {
    std::string const pointer = (at / key).to_string();
    json wrong = whole;
    wrong.at(at).erase(key);
    // The kind tells one choice from another, so it is never left out.
    if (required_.count(without_indices(pointer)) > 0 || key == "kind") {
      refused(wrong.dump(2), key, "without " + pointer);
    } else {
      // The domain is then elsewhere, and the buildings would not be in it.
      if (pointer == "/domain/origin") wrong.erase("buildings");
      EXPECT_EQ(run(wrong.dump(2)).exit_code, 0) << "without " << pointer;
    }
  });
}

TEST_F(WrongCase, Misspelt) {
  every_key([&](json const& whole, Pointer const& at, std::string const& key) {
    json wrong = whole;
    wrong.at(at)[key + "e"] = wrong.at(at).at(key);
    // The right key stays, so that the unknown one is the only fault.
    std::string const pointer = (at / (key + "e")).to_string();
    refused(wrong.dump(2), pointer, "with " + pointer, "did you mean \"" + key + "\"?");
  });
}

TEST_F(WrongCase, OfTheWrongType) {
  every_key([&](json const& whole, Pointer const& at, std::string const& key) {
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

/// Calls action(case, pointer) for every number of the complete cases, members of arrays included.
void every_number(std::function<void(json const&, Pointer const&)> const& action) {
  every_key([&](json const& whole, Pointer const& at, std::string const& key) {
    json const& value = whole.at(at / key);
    if (value.is_number()) action(whole, at / key);
    if (!value.is_array()) return;
    for (std::size_t n = 0; n < value.size(); ++n) {
      if (value[n].is_number()) action(whole, at / key / n);
    }
  });
}

TEST_F(WrongCase, Negative) {
  int numbers = 0;
  every_number([&](json const& whole, Pointer const& at) {
    std::string const name = without_indices(at.to_string());
    bool const signed_quantity =
        name == "/domain/origin" || name == "/buildings/position" || name == "/buildings/rotation";
    json wrong = whole;
    // Where negative values make sense, one beyond the range.
    wrong.at(at) = signed_quantity ? -1e9 : -7;
    refused(wrong.dump(2), at.to_string(), at.to_string() + " negative");
    ++numbers;
  });
  EXPECT_GT(numbers, 40);
}

TEST_F(WrongCase, Huge) {
  every_number([&](json const& whole, Pointer const& at) {
    json wrong = whole;
    wrong.at(at) = 1e300;
    refused(wrong.dump(2), at.to_string(), at.to_string() + " huge");
  });
}

TEST_F(WrongCase, NotANumber) {
  std::string const mark = "@";
  every_number([&](json const& whole, Pointer const& at) {
    json wrong = whole;
    wrong.at(at) = mark;
    std::string const text = wrong.dump(2);
    std::size_t const place = text.find('"' + mark + '"');
    for (char const* word : {"NaN", "1e999"}) {
      std::string broken = text;
      broken.replace(place, mark.size() + 2, word);
      Outcome const outcome = run(broken);
      EXPECT_EQ(outcome.exit_code, 2) << at.to_string() << ' ' << word << '\n' << outcome.err;
      EXPECT_EQ(line_count(outcome.err), 1) << at.to_string() << ' ' << word << '\n' << outcome.err;
      EXPECT_EQ(outcome.err.rfind("case.json", 0), 0u) << outcome.err;
    }
  });
}

TEST_F(WrongCase, AlmostTheRightKeyIsSuggested) {
  json wrong = json::parse(small_wind_case);
  wrong["solver"].erase("omega");
  wrong["solver"]["omgea"] = 1.5;
  Outcome const outcome = run(wrong.dump(2));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("\"omega\""), std::string::npos) << outcome.err;
}

}  // namespace
