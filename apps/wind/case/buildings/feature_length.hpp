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

/// Attribute of heights where the case names none.
inline constexpr char const* usual_height = "height";

/// A length of every feature of a file, such as `height`: one number for all, or attributes in order of preference.
class FeatureLength {
 public:
  /// Limits of the values.
  enum class Range {
    positive,     ///< heights
    not_negative  ///< undersides
  };

  /// Reads the value of the case at `pointer`; without one the attribute is `usual_height`.
  FeatureLength(Case const& input, std::string const& pointer, Range range);

  /// Attribute with a number of storeys, each of so many metres, for features without a good value.
  void set_storeys(std::string attribute, double metres);
  /// Value for features without any other.
  void set_default(double metres) { default_ = metres; }

  /// Metres of a feature. Empty where it has none within the range; fault() counts it. Numbers are metres, texts as
  /// metres_in() reads them.
  std::optional<double> of(GeoFeature const& feature);

  /// Fault of the whole file in one sentence: number of features without a value, the first one with the value found,
  /// and the attributes of the file. Given attributes that no feature has are a fault, also with storeys and a default,
  /// because they are misspelt. Empty without a fault. Cost: O(length of `attributes`).
  std::string fault(std::filesystem::path const& file, std::string const& attributes) const;
  /// Fault of an attribute of storeys that no feature has; empty without one.
  std::string fault_of_storeys(std::filesystem::path const& file, std::string const& attributes) const;
  /// Remarks on a file without faults, one line each: attributes of a list that no feature has; values that are no
  /// heights; the number of features that got storeys or the default.
  std::vector<std::string> remarks(std::string const& file, std::string const& attributes) const;

 private:
  /// Features by the source of their value.
  struct Sources {
    std::size_t attributes = 0;
    std::size_t storeys = 0;
    std::size_t default_value = 0;
  };

  bool allowed(double value) const;
  std::optional<double> value_of(GeoFeature const& feature, Sources& source) const;
  std::string first_unreadable(GeoFeature const& feature) const;
  bool all_unknown(std::string const& attributes) const;
  static std::string listed(Sources const& sources);
  void count(GeoFeature const& feature, std::string found);

  std::string pointer_;
  Range range_;
  bool given_ = true;  ///< by the case
  std::optional<double> constant_;
  std::vector<std::string> attributes_;
  std::string storeys_;
  double storey_ = 0;
  std::optional<double> default_;
  std::size_t features_ = 0;  ///< asked for
  std::size_t faults_ = 0;
  std::size_t first_ = 0;        ///< number of the first feature without a value
  std::string found_;            ///< its values
  Sources sources_;              ///< of all features
  std::size_t unreadable_ = 0;   ///< features with a value that is no length in the range
  Sources instead_;              ///< of these
  std::string unreadable_text_;  ///< value and number of the first of these
};

}  // namespace karman::wind
