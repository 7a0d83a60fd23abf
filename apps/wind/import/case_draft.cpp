// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_draft.hpp"

#include <algorithm>
#include <system_error>

namespace karman::wind {
namespace {

constexpr std::size_t most_in_line = 110;

std::string in_line(OrderedJson const& value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Numbers one after another, in lines of equal indent.
void append_numbers(OrderedJson const& numbers, std::size_t indent, std::string& text) {
  std::string line;
  for (OrderedJson const& number : numbers) {
    std::string const next = in_line(number) + (&number == &numbers.back() ? "" : ", ");
    if (indent + line.size() + next.size() > most_in_line) {
      text += '\n' + std::string(indent, ' ') + std::string(trimmed(line));
      line.clear();
    }
    line += next;
  }
  text += '\n' + std::string(indent, ' ') + line;
}

void append(OrderedJson const& value, std::size_t indent, std::string& text) {
  std::string const line = in_line(value);
  if (!value.is_structured() || (indent > 0 && indent + line.size() <= most_in_line) || value.empty()) {
    text += line;
    return;
  }
  bool const is_object = value.is_object();
  text += is_object ? '{' : '[';
  if (!is_object && value.front().is_number()) {
    append_numbers(value, indent + 2, text);
  } else {
    char const* separator = "\n";
    for (auto const& [key, member] : value.items()) {
      text += separator + std::string(indent + 2, ' ');
      if (is_object) text += OrderedJson(key).dump() + ": ";
      append(member, indent + 2, text);
      separator = ",\n";
    }
  }
  text += '\n' + std::string(indent, ' ') + (is_object ? '}' : ']');
}

}  // namespace

OrderedJson CaseDraft::json() const {
  OrderedJson whole;
  whole["title"] = title;
  whole["domain"]["origin"] = domain.origin;
  whole["domain"]["cells"] = domain.cells;
  whole["domain"]["spacing"] = domain.spacing;
  whole["domain"]["layers"] = domain.layers;
  whole["wind"] = wind;
  auto const add = [&](char const* key, OrderedJson const& part) {
    if (!part.empty()) whole[key] = part;
  };
  add("series", series);
  add("terrain", terrain);
  add("buildings", buildings);
  add("vegetation", vegetation);
  add("parameterisations", parameterisations);
  add("solver", solver);
  return whole;
}

std::string title_of(std::string const& program, std::string const& project) {
  constexpr std::size_t longest = 150;
  std::string title = program + ": " + project.substr(0, longest);
  for (char& c : title) {
    if (c < ' ' || c > '~') c = '_';
  }
  return title;
}

OrderedJson layers_of(int count, double thickness) {
  return {{"kind", "uniform"}, {"count", count}, {"thickness", thickness}};
}

OrderedJson layers_of(std::vector<double> const& thicknesses) {
  return {{"kind", "list"}, {"thicknesses", thicknesses}};
}

std::string readable_text(OrderedJson const& value) {
  std::string text;
  append(value, 0, text);
  return text + '\n';
}

std::filesystem::path file_of_project(ForeignPlace const& place, std::string_view name) {
  namespace fs = std::filesystem;
  if (name.empty() || name.find('\0') != std::string_view::npos) refuse(place, name, "expected the name of a file");
  fs::path path(name);
  if (path.is_relative()) path = fs::path(place.file).parent_path() / path;
  std::error_code ignored;
  path = fs::absolute(path, ignored).lexically_normal();
  if (!fs::is_regular_file(path, ignored))
    refuse(place, name, "expected an existing file; " + path.string() + " is none");
  return path;
}

}  // namespace karman::wind
