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

}  // namespace

FeatureLength::FeatureLength(Case const& input, std::string const& pointer, Range range) : range_(range) {
  nlohmann::json const& given = input.json().at(nlohmann::json::json_pointer(pointer));
  if (given.is_number()) constant_ = given.get<double>();
  else if (given.is_string()) attributes_ = {given.get<std::string>()};
  else attributes_ = given.get<std::vector<std::string>>();
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

std::optional<double> FeatureLength::of(GeoFeature const& feature) {
  if (constant_) return constant_;
  ++features_;
  auto const has = [&](std::string const& attribute) {
    return feature.numbers.contains(attribute) || feature.texts.contains(attribute);
  };
  known_ = known_ || (!storeys_.empty() && has(storeys_));
  std::string found;
  for (std::string const& attribute : attributes_) {
    known_ = known_ || has(attribute);
    auto const value = length_in(feature, attribute);
    if (value && allowed(*value)) return value;
    if (std::string const text = shown(feature, attribute); !text.empty())
      found += (found.empty() ? " has " : " and ") + text + (attributes_.size() > 1 ? " in " + attribute : "");
  }
  if (!storeys_.empty()) {
    auto const value = length_in(feature, storeys_);
    if (value && allowed(*value * storey_)) return *value * storey_;
  }
  if (default_) return default_;
  count(feature, found.empty() ? " has none of this name" : found);
  return std::nullopt;
}

std::string FeatureLength::fault(std::filesystem::path const& file, std::string const& attributes) const {
  bool const unknown = features_ > 0 && !known_;
  if (faults_ == 0 && !unknown) return {};
  std::string const name = file.filename().string();
  bool const heights = range_ == Range::positive;
  std::string result = unknown ? "expected a property that some feature has; " + name + " has none of this name"
                               : "expected a number " + std::string(heights ? "> 0" : ">= 0") +
                                     " and <= " + number(tallest) +
                                     ", or a text such as \"12 m\", in every feature; feature " +
                                     std::to_string(first_) + " of " + name + found_;
  if (!unknown && faults_ > 1) result += " (and " + std::to_string(faults_ - 1) + " more)";
  if (lacks_attribute_file(file)) {
    return result + "; the file of its attributes is missing: " + file.stem().string() + ".dbf";
  }
  constexpr std::size_t most = 400;
  result += attributes.empty() ? "; the file has no attributes" : "; the file has " + limited(attributes, most);
  return result + (heights && !unknown ? "; or give default_height" : "");
}

}  // namespace karman::wind
