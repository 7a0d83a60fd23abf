// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "named_labels.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace karman::app {
namespace {

constexpr char const* others = "others";

/// "sea, quay, 7": by name, or by number where there is none. Shortened when there are very many.
std::string names_of(NamedLabels const& known, std::set<int> const& labels, bool with_places = false) {
  constexpr std::size_t most_listed = 16;
  std::string words;
  std::size_t listed = 0;
  for (int label : labels) {
    auto const name = known.names.find(label);
    if (!words.empty()) words += ", ";
    if (++listed > most_listed) return words + "...";
    words += name == known.names.end() ? std::to_string(label) : name->second;
    if (with_places && known.where) words += " (" + known.where(label) + ")";
  }
  return words;
}

/// Labels by their names and by their numbers.
std::map<std::string, std::vector<int>> meanings_of(NamedLabels const& known, std::set<int> const& labels) {
  std::map<std::string, std::vector<int>> meanings;
  for (int label : labels) {
    std::string const number = std::to_string(label);
    meanings[number].push_back(label);
    auto const name = known.names.find(label);
    if (name != known.names.end() && name->second != number) meanings[name->second].push_back(label);
  }
  return meanings;
}

/// A key escaped for a JSON pointer.
std::string escaped(std::string const& key) {
  std::string text;
  for (char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

}  // namespace

std::vector<int> labels_of(NamedLabels const& known, std::string const& key) {
  auto const meanings = meanings_of(known, {known.labels.begin(), known.labels.end()});
  auto const found = meanings.find(key);
  return found == meanings.end() ? std::vector<int>() : found->second;
}

std::string names_of(NamedLabels const& known) {
  return names_of(known, std::set<int>(known.labels.begin(), known.labels.end()));
}

std::map<int, std::string> members_of_labels(Case const& input, std::string const& pointer, NamedLabels const& known,
                                             std::vector<CaseProblem>& problems) {
  std::set<int> const labels(known.labels.begin(), known.labels.end());
  auto const meanings = meanings_of(known, labels);
  std::map<int, std::string> members;
  auto const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  for (auto const& [key, ignored] : given.items()) {
    std::string const member = pointer + '/' + escaped(key);
    auto const meaning = meanings.find(key);
    if (key != others && meaning == meanings.end()) {
      problems.push_back(
          input.problem(member, "expected a " + known.what + " of the mesh, one of: " + names_of(known, labels)));
      continue;
    }
    if (meaning == meanings.end()) continue;
    for (int label : meaning->second) {
      if (!members.emplace(label, member).second)
        problems.push_back(input.problem(member, "expected each " + known.what + " once, by name or by number"));
    }
  }
  std::set<int> missing;
  for (int label : labels) {
    if (members.count(label) == 0) missing.insert(label);
  }
  if (given.contains(others)) {
    std::set<int> seams;
    for (int label : missing) {
      members[label] = pointer + '/' + others;
      if (known.seams.count(label) > 0) seams.insert(label);
    }
    if (!seams.empty())
      problems.push_back(input.problem(pointer, "expected a member for each " + known.what +
                                                    " whose edges coincide in pairs: \"others\" covers no seam; "
                                                    "set /mesh/merge to true, or name: " +
                                                    names_of(known, seams, true)));
  } else if (!missing.empty()) {
    problems.push_back(input.problem(pointer, "expected every " + known.what + " of the mesh or \"others\"; missing: " +
                                                  names_of(known, missing, true)));
  }
  return members;
}

}  // namespace karman::app
