// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "study.hpp"

#include "texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

namespace karman::app {
namespace {

using nlohmann::json;

constexpr std::size_t most_members = 1000;

/// The keys of a path with dots; empty for one with an empty key.
std::vector<std::string> keys_of(std::string const& path) {
  std::vector<std::string> keys;
  for (std::size_t begin = 0; begin <= path.size();) {
    std::size_t const end = std::min(path.find('.', begin), path.size());
    if (end == begin) return {};
    keys.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return keys;
}

/// A pointer extended by a key.
std::string below(std::string const& pointer, std::string const& key) {
  json::json_pointer place(pointer);
  place.push_back(key);
  return place.to_string();
}

/// True for a pointer and all places in its value.
bool is_within(std::string const& pointer, std::string const& whole) {
  return pointer == whole || pointer.starts_with(whole + '/');
}

std::optional<std::size_t> index_of(std::string const& key, std::size_t size) {
  std::size_t index = 0;
  auto const read = std::from_chars(key.data(), key.data() + key.size(), index);
  if (read.ec != std::errc{} || read.ptr != key.data() + key.size() || index >= size) return {};
  return index;
}

std::string text_of(json const& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

CaseProblem problem_of(Case const& input, std::string const& place, std::string expected) {
  CaseProblem problem = input.problem(place, std::move(expected));
  problem.value.clear();  // of a list of values
  return problem;
}

}  // namespace

Study::Study(Case const& input, std::filesystem::path const& folder, std::string_view schema,
             std::span<char const* const> files)
    : input_(input) {
  json const& study = input.json().at("study");
  std::vector<CaseProblem> problems;
  read_axes(study, problems);
  if (!problems.empty()) throw CaseError(input.source(), problems);
  labels_ = paths_;
  make_members(study, folder, schema, files);
}

Study::Study(Case const& input, std::span<StudyAxis const> axes, StudyNames names, std::filesystem::path const& folder,
             std::string_view schema, std::span<char const* const> files)
    : input_(input), names_(std::move(names)) {
  json study = json::array();
  for (StudyAxis const& axis : axes) {
    json values = json::array();
    for (double const value : axis.values) {
      constexpr double most = 1e15;  // whole numbers below are printed as such
      if (value == std::trunc(value) && std::abs(value) < most) values.push_back(static_cast<std::int64_t>(value));
      else values.push_back(value);
    }
    study.push_back({{axis.path, values}});
    axis_of_.push_back(axes_.size());
    axes_.push_back({{paths_.size()}, axis.values.size()});
    paths_.push_back(axis.path);
    labels_.push_back(axis.label);
    places_.push_back(axis.place);
    std::string pointer;
    for (std::string const& key : keys_of(axis.path)) pointer = below(pointer, key);
    pointers_.push_back(pointer);
  }
  if (auto const problem = excess()) throw CaseError(input.source(), {*problem});
  make_members(study, folder, schema, files);
}

std::string member_name(std::string const& member, std::size_t number) { return member + formatted("-%03zu", number); }

std::optional<CaseProblem> Study::excess() const {
  double count = 1;
  for (Axis const& axis : axes_) count *= static_cast<double>(axis.length);
  if (count <= static_cast<double>(most_members)) return {};
  return problem_of(input_, '/' + names_.key,
                    formatted("expected at most %zu %ss, found %.6g", most_members, names_.member.c_str(), count));
}

void Study::read_axes(json const& study, std::vector<CaseProblem>& problems) {
  for (std::size_t a = 0; a < study.size(); ++a) {
    std::string const axis_place = "/study/" + std::to_string(a);
    if (study[a].empty()) problems.push_back(input_.problem(axis_place, "expected at least one key of the case"));
    Axis axis;
    for (auto const& [path, values] : study[a].items()) {
      std::string const place = below(axis_place, path);
      std::vector<std::string> const keys = keys_of(path);
      std::string pointer;
      for (std::string const& key : keys) pointer = below(pointer, key);
      if (keys.empty() || keys[0] == "study" || path.find('/') != std::string::npos) {
        problems.push_back(problem_of(input_, place, "expected the path of a key of the case: \"terms.viscosity\""));
        continue;
      }
      for (std::size_t n = 0; n < pointers_.size(); ++n) {
        if (!is_within(pointer, pointers_[n]) && !is_within(pointers_[n], pointer)) continue;
        problems.push_back(problem_of(input_, place, "expected every key once, found it in " + places_[n]));
      }
      if (axis.lists.empty()) {
        axis.length = values.size();
      } else if (values.size() != axis.length) {
        problems.push_back(
            problem_of(input_, place,
                       formatted("expected %zu values as of ", axis.length) + paths_[axis.lists[0]] +
                           formatted(", found %zu: lists of one object are taken together", values.size())));
      }
      axis.lists.push_back(paths_.size());
      paths_.push_back(path);
      pointers_.push_back(pointer);
      places_.push_back(place);
      axis_of_.push_back(a);
    }
    axes_.push_back(std::move(axis));
  }
  if (auto const problem = excess()) problems.push_back(*problem);
}

std::vector<std::size_t> Study::indices(std::size_t member) const {
  std::vector<std::size_t> result(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    result[a] = member % axes_[a].length;
    member /= axes_[a].length;
  }
  return result;
}

bool Study::set_value(json& whole, std::vector<std::string> const& keys, json const& value) {
  json* at = &whole;
  for (std::string const& key : keys) {
    if (at->is_null()) *at = json::object();
    if (at->is_object()) {
      at = &(*at)[key];
    } else if (auto const index = at->is_array() ? index_of(key, at->size()) : std::nullopt) {
      at = &(*at)[*index];
    } else {
      return false;
    }
  }
  *at = value;
  return true;
}

void Study::make_members(json const& study, std::filesystem::path const& folder, std::string_view schema,
                         std::span<char const* const> files) {
  std::vector<CaseProblem> problems;
  json plain = input_.json();
  plain.erase(names_.key);
  std::size_t count = 1;
  for (Axis const& axis : axes_) count *= axis.length;
  std::set<std::string> seen;
  for (std::size_t n = 0; n < count; ++n) {
    json whole = plain;
    std::vector<std::size_t> const place = indices(n);
    std::vector<std::string> values;
    bool reached = true;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      json const& value = study[axis_of_[p]].at(paths_[p])[place[axis_of_[p]]];
      values.push_back(text_of(value));
      if (set_value(whole, keys_of(paths_[p]), value)) continue;
      reached = false;
      if (seen.insert(places_[p]).second)
        problems.push_back(problem_of(input_, places_[p], "expected the path of a key of the case"));
    }
    if (!reached) continue;
    for (char const* const file : files) {
      json::json_pointer const pointer(file);
      if (!whole.contains(pointer) || !whole.at(pointer).is_string()) continue;
      std::filesystem::path const name = whole.at(pointer).get<std::string>();
      if (name.empty()) continue;
      whole[pointer] =
          std::filesystem::weakly_canonical(std::filesystem::absolute(input_.source()).parent_path() / name).string();
    }
    std::string const name = member_name(names_.member, n);
    try {
      members_.push_back({name, Case::parse(whole.dump(2) + '\n', (folder / name / member_case_file).string(), schema),
                          std::move(values)});
    } catch (CaseError const& error) {
      members_.push_back({name, input_, std::move(values)});
      for (CaseProblem const& problem : error.problems()) {
        // Members that share a wrong value have the same problem.
        if (seen.insert(problem.message()).second) problems.push_back(explained(n, problem));
      }
    }
  }
  if (!problems.empty()) throw CaseError(input_.source(), problems);
}

std::string Study::words(std::size_t member) const {
  std::string text;
  for (std::size_t p = 0; p < paths_.size(); ++p)
    text += (p > 0 ? ", " : "") + labels_[p] + ' ' + members_[member].values[p];
  return text;
}

CaseProblem Study::explained(std::size_t member, CaseProblem const& problem) const {
  std::vector<std::size_t> const place = indices(member);
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    if (!is_within(problem.pointer, pointers_[p]) && !is_within(pointers_[p], problem.pointer)) continue;
    bool const of_path = problem.expected.starts_with("unknown key") || problem.pointer.size() < pointers_[p].size();
    CaseProblem result;
    if (of_path) {
      result = problem_of(input_, places_[p], problem.expected);
    } else {
      std::string const value = below(places_[p], std::to_string(place[axis_of_[p]]));
      result = input_.has(value) ? input_.problem(value + problem.pointer.substr(pointers_[p].size()), problem.expected)
                                 : input_.problem(places_[p], words(member) + ": " + problem.expected);
    }
    result.suggestion = problem.suggestion;
    return result;
  }
  CaseProblem plain = problem;
  plain.line = 0;
  std::string const varied = words(member);
  return problem_of(input_, '/' + names_.key,
                    members_[member].name + (varied.empty() ? "" : " (" + varied + ')') + ": " + plain.message());
}

void Study::check(std::size_t member, std::function<void(Case const&)> const& work) const {
  try {
    work(members_[member].input);
  } catch (CaseError const& error) {
    std::vector<CaseProblem> problems;
    for (CaseProblem const& problem : error.problems()) problems.push_back(explained(member, problem));
    throw CaseError(input_.source(), problems);
  }
}

void Study::check_all(std::function<void(std::size_t)> const& work) const {
  std::vector<CaseProblem> problems;
  std::set<std::string> seen;
  for (std::size_t n = 0; n < size(); ++n) {
    try {
      work(n);
    } catch (CaseError const& error) {
      for (CaseProblem const& problem : error.problems()) {
        if (seen.insert(problem.message()).second) problems.push_back(explained(n, problem));
      }
    }
  }
  if (!problems.empty()) throw CaseError(input_.source(), problems);
}

}  // namespace karman::app
