// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "xdmf_items.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace karman::detail {
namespace {

/// The text without white space at its ends.
std::string_view without_margins(std::string_view text) {
  std::size_t const first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

/// One step of a path: an element by its name, and the first, the `number`th, or the one with an attribute.
struct PathStep {
  std::string name, attribute, value;
  std::size_t number = 1;
};

/// Takes a step such as /Grid[2] or /DataItem[@Name="x"] from the start of a path; empty for other texts.
std::optional<PathStep> path_step(std::string_view& path) {
  if (path.size() < 2 || path.front() != '/') return std::nullopt;
  path.remove_prefix(1);
  std::size_t const end = std::min(path.find_first_of("/["), path.size());
  PathStep step{std::string(path.substr(0, end)), {}, {}};
  path.remove_prefix(end);
  if (step.name.empty() || step.name.find_first_of("*@:.( ") != std::string::npos) return std::nullopt;
  while (path.starts_with('[')) {
    std::string_view inside = path.substr(1);
    if (inside.starts_with('@')) {
      std::size_t const equal = inside.find('=');
      if (equal == std::string_view::npos || equal + 1 >= inside.size() || !step.attribute.empty()) return std::nullopt;
      char const quote = inside[equal + 1];
      std::size_t const close = inside.find(quote, equal + 2);
      if ((quote != '"' && quote != '\'') || close == std::string_view::npos) return std::nullopt;
      step.attribute = std::string(inside.substr(1, equal - 1));
      step.value = std::string(inside.substr(equal + 2, close - equal - 2));
      inside.remove_prefix(close + 1);
    } else {
      auto const [stop, error] = std::from_chars(inside.data(), inside.data() + inside.size(), step.number);
      if (error != std::errc() || step.number == 0) return std::nullopt;
      inside.remove_prefix(static_cast<std::size_t>(stop - inside.data()));
    }
    if (!inside.starts_with(']')) return std::nullopt;
    path = inside.substr(1);
  }
  return step;
}

template <class T, class Stored>
std::vector<T> converted(Hdf5File const& file, std::string const& name) {
  auto const stored = file.read_vector<Stored>(name);
  return std::vector<T>(stored.begin(), stored.end());
}

}  // namespace

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

XdmfItems::XdmfItems(std::filesystem::path const& path, std::size_t most_bytes)
    : path_(path), text_(path, most_bytes), document_(text_) {}

pugi::xml_node XdmfItems::at_path(pugi::xml_node const& from, std::string_view path) const {
  constexpr std::string_view expected =
      "an absolute path such as /Xdmf/Domain/Grid[1]/Geometry/DataItem or /Xdmf/Domain/DataItem[@Name=\"x\"]";
  std::string const shown = '"' + std::string(path.substr(0, 100)) + '"';
  pugi::xml_node here = root().parent();
  std::string_view rest = path;
  while (!rest.empty()) {
    auto const step = path_step(rest);
    if (!step) fail(from, shown, expected);
    std::size_t place = 0;
    pugi::xml_node next;
    for (pugi::xml_node const& child : here.children(step->name.c_str())) {
      bool const named = step->attribute.empty() || step->value == child.attribute(step->attribute.c_str()).value();
      if (named && ++place == step->number) {
        next = child;
        break;
      }
    }
    if (!next) fail(from, shown, "the path of an element of this file");
    here = next;
  }
  if (std::string_view(here.name()) != from.name()) fail(from, shown, "the path of a " + std::string(from.name()));
  return here;
}

pugi::xml_node XdmfItems::resolved(pugi::xml_node const& element) const {
  constexpr int most_references = 16;
  pugi::xml_node here = element;
  for (int n = 0; n < most_references; ++n) {
    std::string const reference = attribute(here, {"Reference"});
    if (reference.empty()) return here;
    std::string const path = lower(reference) == "xml" ? text_of(here) : reference;
    here = at_path(here, without_margins(path));
  }
  fail(element, "a chain of references", "at most 16 references to reach an element with content");
}

pugi::xml_node XdmfItems::only_item(pugi::xml_node const& parent) const {
  pugi::xml_node const item = part(parent, "DataItem");
  if (!item) fail(parent, "<" + std::string(parent.name()) + "> without a DataItem", "a DataItem with its numbers");
  return item;
}

bool XdmfItems::is_hdf(pugi::xml_node const& item) { return lower(attribute(item, {"Format"}, "xml")) == "hdf"; }

std::pair<std::filesystem::path, std::string> XdmfItems::location(pugi::xml_node const& item) const {
  std::string const whole = text_of(item);
  std::size_t const first = whole.find_first_not_of(" \t\r\n");
  std::size_t const last = whole.find_last_not_of(" \t\r\n");
  std::string const text = first == std::string::npos ? "" : whole.substr(first, last - first + 1);
  std::size_t const colon = text.find(":/");
  std::filesystem::path const file = text.substr(0, std::min(colon, text.size()));
  bool const above = std::any_of(file.begin(), file.end(), [](auto const& part) { return part == ".."; });
  if (colon == std::string::npos || file.empty() || file.is_absolute() || above) {
    fail(item, '"' + text.substr(0, 60) + '"', "an HDF5 file in the folder of this one, and a dataset: file.h5:/name");
  }
  std::string const name = text.substr(colon + 1);
  if (name.find("//") != std::string::npos || (name + '/').find("/./") != std::string::npos ||
      (name + '/').find("/../") != std::string::npos || name.back() == '/' || name.find('\0') != std::string::npos) {
    fail(item, '"' + name.substr(0, 60) + '"', "a name in an HDF5 file");
  }
  return {file, name};
}

Hdf5File const& XdmfItems::open(std::filesystem::path const& name) {
  auto found = files_.find(name);
  if (found == files_.end()) found = files_.emplace(name, Hdf5File::open(path_.parent_path() / name)).first;
  return found->second;
}

template <class T>
std::vector<T> XdmfItems::dataset(Hdf5File const& file, std::string const& name, int line) const {
  ScalarType const type = file.info(name).type;
  if constexpr (std::is_same_v<T, double>) {
    if (type == ScalarType::float64) return file.read_vector<double>(name);
    if (type == ScalarType::float32) return converted<T, float>(file, name);
  }
  switch (type) {
    case ScalarType::int8: return converted<T, std::int8_t>(file, name);
    case ScalarType::int16: return converted<T, std::int16_t>(file, name);
    case ScalarType::int32: return converted<T, std::int32_t>(file, name);
    case ScalarType::int64: return converted<T, std::int64_t>(file, name);
    case ScalarType::uint8: return converted<T, std::uint8_t>(file, name);
    case ScalarType::uint16: return converted<T, std::uint16_t>(file, name);
    case ScalarType::uint32: return converted<T, std::uint32_t>(file, name);
    // Numbers beyond 2^63 become negative, and are then refused as numbers of nodes.
    case ScalarType::uint64: return converted<T, std::uint64_t>(file, name);
    default: text_.fail(line, name + " of " + std::string(scalar_name(type)), "whole numbers");
  }
}

template <class T>
XdmfNumbers<T> XdmfItems::numbers(pugi::xml_node const& given) {
  pugi::xml_node const item = resolved(given);
  XdmfNumbers<T> result;
  result.line = document_.line(item);
  if (lower(attribute(item, {"ItemType"}, "uniform")) != "uniform") {
    fail(item, "a DataItem of the type " + attribute(item, {"ItemType"}),
         "one with numbers, or with the name of a dataset");
  }
  MeshText sizes(text_.source(), attribute(item, {"Dimensions"}), document_.line(item));
  sizes.across_lines();
  double product = 1;
  while (sizes.more()) {
    if (result.extents.size() == 4) fail(item, attribute(item, {"Dimensions"}), "four Dimensions at most");
    result.extents.push_back(static_cast<std::size_t>(sizes.integer("Dimensions, whole numbers", 0, most_numbers)));
    product *= static_cast<double>(result.extents.back());
  }
  if (result.extents.empty()) fail(item, "no Dimensions", "Dimensions, whole numbers");
  if (is_hdf(item)) {
    auto const [file, name] = location(item);
    result.values = dataset<T>(open(file), name, document_.line(item));
  } else if (lower(attribute(item, {"Format"}, "xml")) == "xml") {
    std::string text = text_of(item);
    if (product > static_cast<double>(text.size())) {
      fail(item, attribute(item, {"Dimensions"}), "Dimensions within the number of values");
    }
    MeshText words(text_.source(), std::move(text), document_.text_line(item));
    words.across_lines("end of the DataItem");
    for (double i = 0; i < product; ++i) {
      if constexpr (std::is_same_v<T, double>) result.values.push_back(words.real("a number"));
      else result.values.push_back(words.integer("a whole number", -most_numbers, most_numbers));
    }
    if (!words.word().empty()) fail(item, "more numbers", "the count in Dimensions");
  } else {
    fail(item, attribute(item, {"Format"}), "Format HDF or XML");
  }
  if (static_cast<double>(result.values.size()) != product) {
    fail(item, std::to_string(result.values.size()) + " numbers", "the count in Dimensions");
  }
  return result;
}

template XdmfNumbers<double> XdmfItems::numbers(pugi::xml_node const& item);
template XdmfNumbers<std::int64_t> XdmfItems::numbers(pugi::xml_node const& item);

}  // namespace karman::detail
