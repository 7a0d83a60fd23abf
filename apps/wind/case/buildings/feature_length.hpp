// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Heights of the features of a file.
#pragma once

#include <karman/io/geojson.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::wind {

/// Greatest height of a case, metres, as in the schema.
inline constexpr double tallest = 1e5;

/// A length of every feature of a file, such as `height`: one number for all, or attributes in order of preference.
class FeatureLength {
 public:
  /// Limits of the values.
  enum class Range {
    positive,     ///< heights
    not_negative  ///< undersides
  };

  /// Reads the value of the case at `pointer`.
  FeatureLength(Case const& input, std::string const& pointer, Range range);

  /// Attribute with a number of storeys, each of so many metres, for features without any of the attributes.
  void set_storeys(std::string attribute, double metres);
  /// Value for features without any of the attributes.
  void set_default(double metres) { default_ = metres; }

  /// Metres of a feature. Empty where it has none within the range; fault() counts it. Numbers are metres, texts as
  /// metres_in() reads them.
  std::optional<double> of(GeoFeature const& feature);

  /// Fault of the whole file in one sentence: number of features without a value, the first one with the value found,
  /// and the attributes of the file. Attributes that no feature has are a fault, also with a default, because they are
  /// misspelt. Empty without a fault. Cost: O(1).
  std::string fault(std::filesystem::path const& file, std::string const& attributes) const;

 private:
  bool allowed(double value) const;
  void count(GeoFeature const& feature, std::string found);

  Range range_;
  std::optional<double> constant_;
  std::vector<std::string> attributes_;
  std::string storeys_;
  double storey_ = 0;
  std::optional<double> default_;
  std::size_t features_ = 0;  ///< asked for
  bool known_ = false;        ///< some feature has one of the attributes
  std::size_t faults_ = 0;
  std::size_t first_ = 0;  ///< number of the first feature without a value
  std::string found_;      ///< its values
};

}  // namespace karman::wind
