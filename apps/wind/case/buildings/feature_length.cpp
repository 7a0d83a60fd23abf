// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "feature_length.hpp"

#include "length_text.hpp"
#include "wind/case/case_number.hpp"
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

namespace karman::wind {
namespace {

/// Value of an attribute as far as it is a length.
std::optional<double> length_in(GeoFeature const& feature, std::string const& attribute) {
  if (auto const number = feature.numbers.find(attribute); number != feature.numbers.end()) return number->second;
  auto const text = feature.texts.find(attribute);
  return text != feature.texts.end() ? metres_in(text->second) : std::nullopt;
}

std::string limited(std::string const& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most) + "...";
}

/// Value of an attribute in a message; empty for a feature without it.
std::string shown(GeoFeature const& feature, std::string const& attribute) {
  if (auto const value = feature.numbers.find(attribute); value != feature.numbers.end()) return number(value->second);
  auto const text = feature.texts.find(attribute);
  if (text == feature.texts.end()) return {};
  constexpr std::size_t most = 40;
  return text->second == "null" ? text->second : '"' + limited(text->second, most) + '"';
}

/// True for a shapefile without the file of its attributes.
bool lacks_attribute_file(std::filesystem::path const& file) {
  auto const lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
  };
  if (lower(file.extension().string()) != ".shp") return false;
  for (char const* ending : {".dbf", ".DBF"}) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(file).replace_extension(ending), ignored)) return false;
  }
  return true;
}

/// True for an attribute in a list of names and types: "height (number), name (text)".
bool has_attribute(std::string const& attributes, std::string const& name) {
  std::string const start = name + " (";
  return attributes.starts_with(start) || attributes.find(", " + start) != std::string::npos;
}

/// The message with the attributes of the file at its end.
std::string with_attributes(std::string const& message, std::filesystem::path const& file,
                            std::string const& attributes) {
  if (lacks_attribute_file(file))
    return message + "; the file of its attributes is missing: " + file.stem().string() + ".dbf";
  constexpr std::size_t most = 400;
  return message +
         (attributes.empty() ? "; the file has no attributes" : "; the file has " + limited(attributes, most));
}

/// True for a value that a map has in place of none.
bool is_missing(std::string const& text) { return text.empty() || text == "null" || text == "\"\""; }

}  // namespace

FeatureLength::FeatureLength(Case const& input, std::string const& pointer, Range range)
    : pointer_(pointer), range_(range), given_(input.has(pointer)) {
  if (!given_) {
    attributes_ = {usual_height};
    return;
  }
  nlohmann::json const& value = input.json().at(nlohmann::json::json_pointer(pointer));
  if (value.is_number()) constant_ = value.get<double>();
  else if (value.is_string()) attributes_ = {value.get<std::string>()};
  else attributes_ = value.get<std::vector<std::string>>();
}

void FeatureLength::set_storeys(std::string attribute, double metres) {
  storeys_ = std::move(attribute);
  storey_ = metres;
}

bool FeatureLength::allowed(double value) const {
  return (range_ == Range::positive ? value > 0 : value >= 0) && value <= tallest;
}

void FeatureLength::count(GeoFeature const& feature, std::string found) {
  if (faults_++ > 0) return;
  first_ = feature.number;
  found_ = std::move(found);
}

std::optional<double> FeatureLength::value_of(GeoFeature const& feature, Sources& source) const {
  for (std::string const& attribute : attributes_) {
    auto const value = length_in(feature, attribute);
    if (!value || !allowed(*value)) continue;
    ++source.attributes;
    return value;
  }
  if (!storeys_.empty()) {
    auto const value = length_in(feature, storeys_);
    if (value && allowed(*value * storey_)) {
      ++source.storeys;
      return *value * storey_;
    }
  }
  if (default_) ++source.default_value;
  return default_;
}

std::string FeatureLength::first_unreadable(GeoFeature const& feature) const {
  for (std::string const& attribute : attributes_) {
    auto const value = length_in(feature, attribute);
    if (value && allowed(*value)) return {};  // the others are not asked
    if (std::string const text = shown(feature, attribute); !is_missing(text)) return text;
  }
  if (storeys_.empty()) return {};
  auto const value = length_in(feature, storeys_);
  std::string const text = shown(feature, storeys_);
  return is_missing(text) || (value && allowed(*value * storey_)) ? std::string() : text;
}

std::optional<double> FeatureLength::of(GeoFeature const& feature) {
  if (constant_) return constant_;
  ++features_;
  auto const result = value_of(feature, sources_);
  if (!result) {
    std::string found;
    for (std::string const& attribute : attributes_) {
      if (std::string const text = shown(feature, attribute); !text.empty())
        found += (found.empty() ? " has " : " and ") + text + (attributes_.size() > 1 ? " in " + attribute : "");
    }
    count(feature, found.empty() ? " has none of this name" : found);
    return std::nullopt;
  }
  if (std::string const text = first_unreadable(feature); !text.empty()) {
    if (unreadable_++ == 0) unreadable_text_ = text + " in feature " + std::to_string(feature.number);
    value_of(feature, instead_);
  }
  return result;
}

bool FeatureLength::all_unknown(std::string const& attributes) const {
  return std::none_of(attributes_.begin(), attributes_.end(),
                      [&](std::string const& name) { return has_attribute(attributes, name); });
}

std::string FeatureLength::fault(std::filesystem::path const& file, std::string const& attributes) const {
  // The usual name is no misspelt one.
  bool const unknown = features_ > 0 && all_unknown(attributes) && (given_ || (storeys_.empty() && !default_));
  if (faults_ == 0 && !unknown) return {};
  std::string const name = file.filename().string();
  bool const heights = range_ == Range::positive;
  std::string result = unknown ? "expected a property that some feature has; " + name + " has none of this name"
                               : "expected a number " + std::string(heights ? "> 0" : ">= 0") +
                                     " and <= " + number(tallest) +
                                     ", or a text such as \"12 m\", in every feature; feature " +
                                     std::to_string(first_) + " of " + name + found_;
  if (!unknown && faults_ > 1) result += " (and " + std::to_string(faults_ - 1) + " more)";
  result = with_attributes(result, file, attributes);
  if (!heights || unknown || lacks_attribute_file(file)) return result;
  return result + (storeys_.empty() ? "; or give levels or default_height" : "; or give default_height");
}

std::string FeatureLength::fault_of_storeys(std::filesystem::path const& file, std::string const& attributes) const {
  if (storeys_.empty() || features_ == 0 || has_attribute(attributes, storeys_)) return {};
  return with_attributes(
      "expected a property that some feature has; " + file.filename().string() + " has none of this name", file,
      attributes);
}

std::string FeatureLength::listed(Sources const& sources) {
  std::string result;
  for (auto const& [count, name] :
       {std::pair{sources.attributes, "another height"}, std::pair{sources.storeys, "levels"},
        std::pair{sources.default_value, "default_height"}}) {
    if (count > 0) result += (result.empty() ? "" : ", ") + std::to_string(count) + " got " + name;
  }
  return result;
}

std::vector<std::string> FeatureLength::remarks(std::string const& file, std::string const& attributes) const {
  std::vector<std::string> result;
  if (features_ == 0) return result;
  for (std::string const& name : attributes_) {
    if (given_ && !has_attribute(attributes, name))
      result.push_back(file + ": no feature has \"" + name + "\" of " + pointer_);
  }
  if (unreadable_ > 0) {
    result.push_back(file + ": " + std::to_string(unreadable_) + (unreadable_ == 1 ? " feature" : " features") +
                     " without a positive number as height: first " + unreadable_text_ + "; " + listed(instead_));
  }
  Sources others = sources_;
  others.attributes = 0;
  if (std::string const text = listed(others); !text.empty())
    result.push_back(file + ": of " + std::to_string(features_) + (features_ == 1 ? " feature " : " features ") + text);
  return result;
}

}  // namespace karman::wind
