// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_labels.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace karman::waves {
namespace {

constexpr char const* others = "others";

/// "sea, quay, 7": by name, or by number where there is none.
std::string names_of(NamedLabels const& known, std::set<int> const& labels) {
  std::string words;
  for (int label : labels) {
    auto const name = known.names.find(label);
    if (!words.empty()) words += ", ";
    words += name == known.names.end() ? std::to_string(label) : name->second;
  }
  return words;
}

/// A key as it stands in a JSON pointer.
std::string escaped(std::string const& key) {
  std::string text;
  for (char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

}  // namespace

std::map<int, std::string> members_of_labels(Case const& input, std::string const& pointer, NamedLabels const& known,
                                             std::vector<CaseProblem>& problems) {
  std::set<int> const labels(known.labels.begin(), known.labels.end());
  std::map<int, std::string> members;
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  for (auto const& [key, ignored] : given.items()) {
    std::string const member = pointer + '/' + escaped(key);
    bool means_one = key == others;
    for (int label : labels) {
      auto const name = known.names.find(label);
      if (key != std::to_string(label) && (name == known.names.end() || name->second != key)) continue;
      means_one = true;
      if (!members.emplace(label, member).second)
        problems.push_back(
            input.problem(member, "expected each " + known.what + " once, by its name or by its number"));
    }
    if (!means_one) {
      problems.push_back(
          input.problem(member, "expected a " + known.what + " of the mesh, which has: " + names_of(known, labels)));
    }
  }
  std::set<int> missing;
  for (int label : labels) {
    if (members.count(label) == 0) missing.insert(label);
  }
  if (given.contains(others)) {
    for (int label : missing) members[label] = pointer + '/' + others;
  } else if (!missing.empty()) {
    problems.push_back(input.problem(
        pointer, "expected every " + known.what + " of the mesh, or \"others\"; missing: " + names_of(known, missing)));
  }
  return members;
}

}  // namespace karman::waves
